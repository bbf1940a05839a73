"""Checks that no foreign package has the name of one of Shiji's.

Imports nothing of Shiji but this folder: a foreign package may be what an import of the others finds.
"""

import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final

from tools.doctor.finding import Finding, well, wrong

PACKAGES: Final = ("rules", "records", "service", "tools")
"""The top-level packages of Shiji."""

_OURS: Final = Path(__file__).resolve().parents[2]
"""The folder that has them."""

_DISTRIBUTION: Final = "shiji"


def examine() -> Iterator[Finding]:
    """Every foreign package of such a name, installed or merely on the path of imports."""
    installers = packages_distributions()
    sound = True
    for name in PACKAGES:
        for other in sorted({*installers.get(name, ())} - {_DISTRIBUTION}):
            sound = False
            found = f"the distribution {other} installs a package called {name}, as Shiji does"
            yield wrong("packages", found, f"pip uninstall {other}, then install Shiji again")
        for place in _foreign_places(name):
            sound = False
            found = f"{place} has the name of a package of Shiji and is on the path of imports"
            yield wrong("packages", found, f"rename or move {place}, or set PYTHONPATH without its folder")
    if sound:
        yield well("packages", f"nothing else is called {', '.join(PACKAGES[:-1])} or {PACKAGES[-1]}")


def _foreign_places(name: str) -> Iterator[str]:
    seen: set[str] = set()
    for entry in sys.path:
        spec = PathFinder.find_spec(name, [entry or "."])
        places = [] if spec is None else [*(spec.submodule_search_locations or ()), spec.origin or ""]
        for place in dict.fromkeys(str(_package(Path(place))) for place in places if place):
            if place not in seen and Path(place) != _OURS / name and not _is_bare(Path(place)):
                seen.add(place)
                yield place


def _package(place: Path) -> Path:
    """The folder of a package that has an __init__.py; the file of a module."""
    place = place.resolve()
    return place.parent if place.name.startswith("__init__.") else place


def _is_bare(place: Path) -> bool:
    """A folder without __init__.py, which an import only finds where there is no package of that name."""
    return place.is_dir() and not any(place.glob("__init__.*"))
