"""Builds the pages that the tests use."""

from pathlib import Path

from records.audit.judged_file import FileReport
from records.files.record_file import write_record
from tests.project.places import ROOT
from tests.records.matches import MOVES, begin, ledger_in_memory
from tests.records.texts import text
from tools.commands.diff import compare_judged
from tools.page.page import comparison_page, replay_page
from tools.report.file_verdict import judge_file

FIRST = ROOT / "docs/examples/first.shiji"
REFUSED = ROOT / "docs/examples/refused.shiji"
KHAN = ROOT / "tests/records/golden/khan/four-recorded.shiji"
KHAN_REFUSED = ROOT / "tests/records/golden/khan/bad/no-majority.shiji"
GREAT_WALL = ROOT / "tests/records/golden/great_wall/four-tacticians.shiji"
ZHANGUO = ROOT / "tests/records/golden/zhanguo/three-random.shiji"
LONG = ROOT / "tests/records/golden/qin/every-ruling.shiji"

NASTY = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)>&lt;"\u2028'
"""Text that a hostile record could contain."""


def judged(path: Path) -> FileReport:
    found = judge_file(str(path))
    assert isinstance(found, FileReport)
    return found


def page_of(path: Path) -> str:
    return replay_page(judged(path))


def nasty_page(folder: Path) -> str:
    path = folder / "</title><b>.shiji"
    quoted = NASTY.replace("\\", "\\\\").replace('"', '\\"')
    path.parent.mkdir(exist_ok=True)
    path.write_text(text(f"green Re6Be5 ; {NASTY}", Event=quoted), encoding="utf-8")
    return page_of_two(judged(path), judged(path))


def page_of_two(here: FileReport, there: FileReport) -> str:
    """The page that `shiji diff --html` writes."""
    return comparison_page(here, there, compare_judged(here, there))


def page_with_a_takeback(folder: Path) -> str:
    table = begin(ledger_in_memory())
    table.play(*MOVES[:4])
    table.go_back(2)
    table.play("green Re10Rd10", "violet Yg9Yg10")
    path = folder / "match.jsonl"
    path.write_bytes(b"".join(write_record(table.entries)))
    return page_of(path)
