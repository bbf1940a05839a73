"""Draws the pictures that tests compare and pages show, all of them anew."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from rules.kernel.display import TerminalSize
from tools.report.drawing import painted_board, svg
from tools.report.file_report import FileReport, judge_file
from tools.report.steps import Step, steps_of

ROOT: Final = Path(__file__).resolve().parents[2]
GOLDEN: Final = Path("tests/tools/golden")
RECORDS: Final = Path("tests/records/golden/qin")
KHAN: Final = Path("tests/records/golden/khan")


@dataclass(frozen=True, slots=True)
class Scene:
    """A position to draw."""

    record: Path
    at: int | None = None
    """The entry; None for the last."""


SCENES: Final = {
    "first": Scene(Path("docs/examples/first.shiji")),
    "refused": Scene(Path("docs/examples/refused.shiji")),
    "start": Scene(Path("docs/examples/first.shiji"), 0),
    "four-seats": Scene(RECORDS / "four-greedy.shiji"),
    "hands": Scene(RECORDS / "three-recorded.shiji", 40),
    "pass": Scene(RECORDS / "forced-pass.shiji"),
    "water": Scene(RECORDS / "lake.shiji"),
    "off-the-board": Scene(RECORDS / "bad/off-the-board.shiji"),
    "apart": Scene(RECORDS / "bad/halves-apart.shiji"),
    "everything-wrong": Scene(RECORDS / "bad/everything-at-once.shiji"),
    "khan": Scene(KHAN / "four-recorded.shiji", 150),
    "khan-start": Scene(KHAN / "two-random.shiji", 0),
    "khan-over": Scene(KHAN / "two-settlers.shiji"),
    "khan-refused": Scene(KHAN / "bad/no-majority.shiji"),
    "khan-on-the-river": Scene(KHAN / "bad/onto-the-river.shiji"),
}

_TERMINALS: Final = {"tall": TerminalSize(80), "short": TerminalSize(80, 10), "narrow": TerminalSize(20)}


def pictures() -> Iterator[tuple[Path, str]]:
    """Every picture, by its place in the project."""
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
        for line in painted_board(step, room):
            yield f"{line.text}\n"


@click.command()
def main() -> None:
    """Draw every picture anew."""
    for path, picture in pictures():
        (ROOT / path).write_text(picture, encoding="utf-8")
        click.echo(path)


if __name__ == "__main__":
    main()
