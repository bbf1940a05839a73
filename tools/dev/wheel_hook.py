"""Puts compiled modules into a wheel: hatchling runs this when HATCH_BUILD_HOOK_ENABLE_CUSTOM=1."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.builders.wheel import WheelBuilderConfig

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.dev.compiling import compile_into


class Compiled(BuildHookInterface[WheelBuilderConfig]):
    """The wheel is for one version of Python and one kind of machine then."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:  # noqa: ARG002 - as it is called
        """Compile, and tell what to put where."""
        self._made = TemporaryDirectory()
        folder = Path(self._made.name)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"] = {str(folder / made): str(made) for made in compile_into(folder)}

    def finalize(self, version: str, build_data: dict[str, object], artifact_path: str) -> None:  # noqa: ARG002 - as it is called
        """Clear away what is in the wheel now."""
        self._made.cleanup()
