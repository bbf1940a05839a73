"""Refuses to build the distribution before `make web` has made its files."""

from pathlib import Path

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FilesHook(BuildHookInterface[BuilderConfig]):
    """Looks for the files; an editable installation may have them later."""

    def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:  # noqa: ARG002 - hatchling's
        """Raises FileNotFoundError where there is nothing to distribute."""
        if version != "editable" and not (Path(self.root) / "shiji_judge/__init__.py").exists():
            raise FileNotFoundError("shiji_judge is not there yet: run `make web` first")
