"""Draws the golden pictures of the tests and the pictures in docs/."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from records.audit.judged_file import FileReport
from rules.kernel.display import TerminalSize
from tools.report.drawing import styled_board, svg
from tools.report.file_verdict import judge_file
from tools.report.steps import Step, steps_of

ROOT: Final = Path(__file__).resolve().parents[2]
"""Root of the work tree."""

GOLDEN: Final = Path("tests/tools/golden")
"""Folder of the golden pictures."""

QIN_RECORDS: Final = Path("tests/records/golden/qin")
"""Folder of the golden transcripts of Qin."""

KHAN_RECORDS: Final = Path("tests/records/golden/khan")
"""Folder of the golden transcripts of Khan."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A position to draw."""

    record: Path
    at: int | None = None
    """Number of the entry; None for the last."""


SCENES: Final = {
    "first": Scene(Path("docs/examples/first.shiji")),
    "refused": Scene(Path("docs/examples/refused.shiji")),
    "start": Scene(Path("docs/examples/first.shiji"), 0),
    "four-seats": Scene(QIN_RECORDS / "four-greedy.shiji"),
    "hands": Scene(QIN_RECORDS / "three-recorded.shiji", 40),
    "pass": Scene(QIN_RECORDS / "forced-pass.shiji"),
    "water": Scene(QIN_RECORDS / "lake.shiji"),
    "off-the-board": Scene(QIN_RECORDS / "bad/off-the-board.shiji"),
    "apart": Scene(QIN_RECORDS / "bad/halves-apart.shiji"),
    "everything-wrong": Scene(QIN_RECORDS / "bad/everything-at-once.shiji"),
    "khan": Scene(KHAN_RECORDS / "four-recorded.shiji", 150),
    "khan-start": Scene(KHAN_RECORDS / "two-random.shiji", 0),
    "khan-over": Scene(KHAN_RECORDS / "two-settlers.shiji"),
    "khan-refused": Scene(KHAN_RECORDS / "bad/no-majority.shiji"),
    "khan-on-the-river": Scene(KHAN_RECORDS / "bad/onto-the-river.shiji"),
}
"""The positions to draw, by the names of their pictures."""

_TERMINALS: Final = {"tall": TerminalSize(80), "short": TerminalSize(80, 10), "narrow": TerminalSize(20)}
"""Sizes of terminals, one for each way in which a board is drawn there."""


def pictures() -> Iterator[tuple[Path, str]]:
    """All pictures, with their paths relative to the root."""
    for name, scene in SCENES.items():
        judged = judge_file(str(ROOT / scene.record), scene.at)
        if not isinstance(judged, FileReport):
            raise TypeError(f"{scene.record} cannot be read")
        step = steps_of(judged)[-1]
        yield GOLDEN / f"{name}.svg", svg(step, judged)
        yield GOLDEN / f"{name}.txt", "".join(_in_terminals(step))
        if name in {"first", "refused", "khan"}:
            yield Path("docs/images") / f"{name}.svg", svg(step, judged)


def _in_terminals(step: Step) -> Iterator[str]:
    for name, room in _TERMINALS.items():
        yield f"{name}\n"
        for line in styled_board(step, room):
            yield f"{line.text}\n"


@click.command()
def main() -> None:
    """Draw all pictures again."""
    for path, picture in pictures():
        (ROOT / path).write_text(picture, encoding="utf-8")
        click.echo(path)


if __name__ == "__main__":
    main()
