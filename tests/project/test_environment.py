"""The names of the packages, and the versions of their dependencies."""

import importlib.util
import re
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain

import pytest

from tests.project.places import ROOT

PACKAGES = ("rules", "records", "service", "tools", "shiji")


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_installs_a_package_of_this_name(package: str) -> None:
    installed_by = packages_distributions().get(package, [])

    assert set(installed_by) <= {"shiji"}


@pytest.mark.parametrize("package", PACKAGES)
def test_an_import_finds_the_package_in_this_folder(package: str) -> None:
    spec = importlib.util.find_spec(package)

    assert spec is not None
    assert all(str(ROOT) in place for place in spec.submodule_search_locations or ["nowhere"])


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = chain(project["dependencies"], *project["optional-dependencies"].values())
    pinned = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE))

    assert {re.split(r"[<>=\[]", requirement)[0] for requirement in requirements} <= pinned


def test_the_pins_name_no_package_index() -> None:
    assert "://" not in (ROOT / "constraints.txt").read_text()
