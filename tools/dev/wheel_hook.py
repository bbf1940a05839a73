"""Adds compiled modules to a wheel; hatchling runs this if HATCH_BUILD_HOOK_ENABLE_CUSTOM=1."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilderConfig

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.dev.compiling import compile_into


class CompileHook(BuildHookInterface[WheelBuilderConfig]):
    """Makes a wheel for one version of Python and one platform."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:  # noqa: ARG002 - hatchling's signature
        """Compile, and list the files to include."""
        self._folder = TemporaryDirectory()
        folder = Path(self._folder.name)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"] = {str(folder / made): str(made) for made in compile_into(folder)}

    def finalize(self, version: str, build_data: dict[str, object], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's signature
        """Delete the compiled files, which are now in the wheel."""
        self._folder.cleanup()
