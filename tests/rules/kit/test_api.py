"""What plug-ins rely on stays as it is."""

import inspect
from pathlib import Path

import pytest

from rules.kernel import api

PUBLIC = tuple(Path(__file__).with_name("api.txt").read_text().split())
"""Names may be added to this file, and none taken out of it."""


def test_every_public_name_is_there() -> None:
    assert [name for name in PUBLIC if not hasattr(api, name)] == []


def test_a_name_that_is_added_becomes_public_for_good() -> None:
    assert sorted(api.__all__) == sorted(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_class_or_function_belongs_to_the_kernel_and_says_what_it_is(name: str) -> None:
    made: object = getattr(api, name)

    if inspect.isclass(made) or inspect.isfunction(made):
        assert made.__module__.startswith("rules.kernel.")
        assert made.__doc__
