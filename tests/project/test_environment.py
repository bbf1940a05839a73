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

    assert set(installed_by) <= {"shiji-client" if package == "shiji" else "shiji"}


@pytest.mark.parametrize("package", PACKAGES)
def test_an_import_finds_the_package_in_this_folder(package: str) -> None:
    spec = importlib.util.find_spec(package)

    assert spec is not None
    assert all(str(ROOT) in place for place in spec.submodule_search_locations or ["nowhere"])


OWN = {"shiji-client", "shiji-judge"}
"""Distributions that are built from this repository."""


@pytest.mark.parametrize("folder", [".", "packaging/client"])
def test_every_dependency_is_pinned(folder: str) -> None:
    project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
    requirements = chain(project["dependencies"], *project["optional-dependencies"].values())
    pinned = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE))

    assert {re.split(r"[<>=\[]", requirement)[0] for requirement in requirements} - OWN <= pinned


def test_what_both_distributions_depend_on_has_the_same_bounds() -> None:
    shiji, client = (
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
        for folder in (".", "packaging/client")
    )

    assert {*client["dependencies"], *client["optional-dependencies"]["signing"]} <= {*shiji["dependencies"]}
    assert f"shiji-client=={client['version']}" in shiji["dependencies"]
    assert shiji["version"] == client["version"]


def test_the_judge_for_browsers_is_of_the_same_version_and_has_the_same_libraries() -> None:
    shiji, judge = (
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
        for folder in (".", "packaging/judge")
    )
    pins = re.compile(r"^([a-z-]+==\S+)", re.MULTILINE)
    runs = set(pins.findall((ROOT / "packaging/judge/requirements.txt").read_text()))
    others = runs - set(pins.findall((ROOT / "constraints.txt").read_text()))

    assert shiji["optional-dependencies"]["judge"] == [f"shiji-judge=={judge['version']}"]
    assert shiji["version"] == judge["version"]
    assert {name.partition("==")[0] for name in others} == {"pyodide-cli"}  # only for its licence


def test_the_pins_name_no_package_index() -> None:
    assert "://" not in (ROOT / "constraints.txt").read_text()
