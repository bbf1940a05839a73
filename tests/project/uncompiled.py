"""Imports modules from their sources even if they are compiled, so that both forms can be tested."""

import os
import sys
from importlib.abc import PathEntryFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

from tests.project.places import ROOT

REQUESTED = "SHIJI_UNCOMPILED" in os.environ
"""Whether the environment asks for the sources."""


def run_sources() -> None:
    """Make all further imports of the rules and the records use their sources."""
    finder_of = FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES))
    folders = tuple(f"{ROOT / package}/" for package in ("rules", "records"))

    def hook(path: str) -> PathEntryFinder:
        if not f"{path}/".startswith(folders):
            raise ImportError(path)
        return finder_of(path)

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
