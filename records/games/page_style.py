"""The style that all pages share: colours by theme, verdicts, boards, panels, seats and entries."""

from functools import cache
from importlib.resources import files

NAME = "common.css"
"""The file that has it."""


@cache
def common_style() -> str:
    """The style sheet."""
    return files("records.games").joinpath(NAME).read_text("utf-8")
