"""Runs the sources of modules even where they are compiled, so that both forms can be tested."""

import os
import sys
from importlib.abc import PathEntryFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

from tests.project.places import ROOT

ASKED = "SHIJI_UNCOMPILED" in os.environ


def run_sources() -> None:
    """From now on the project's modules are imported from their sources."""
    finder_of = FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES))
    folders = tuple(f"{ROOT / package}/" for package in ("rules", "records"))

    def hook(path: str) -> PathEntryFinder:
        if not f"{path}/".startswith(folders):
            raise ImportError(path)
        return finder_of(path)

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
