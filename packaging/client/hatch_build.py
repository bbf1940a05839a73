"""Includes the package `shiji` and the licence, which lie in other folders, in what hatchling builds."""

from pathlib import Path

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class IncludeHook(BuildHookInterface[BuilderConfig]):
    """Includes the files as they lie in the repository, or in an unpacked source distribution."""

    def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:
        """List the files to include; an editable installation has them by its path."""
        if version == "editable":
            return
        here = Path(self.root)
        unpacked = (here / "shiji").is_dir()
        package, licence = (
            (here / "shiji", here / "LICENSE")
            if unpacked
            else (here / "../../protos/shiji", here / "../../LICENSE")
        )
        about = f"shiji_client-{self.metadata.version}.dist-info/licenses/"
        build_data["force_include"][str(package)] = "shiji"
        build_data["force_include"][str(licence)] = (
            "LICENSE" if self.target_name == "sdist" else f"{about}LICENSE"
        )
