"""Measures what pages do in a browser: check hashes and signatures, start the judge, judge a match."""

import base64
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

from records.browser.files import judge_files
from tests.page.conftest import ARGUMENTS
from tests.project.places import ROOT
from tools.dev.bench.report import Figure
from tools.dev.bench.web import serving
from tools.dev.browser import INSTALL_HINT, find_browser

GOLDEN: Final = ROOT / "tests/records/golden"

_SIGNED: Final = GOLDEN / "bundles/shiji-bundle-1-every-kind.jsonl"
_MATCHES: Final = ("qin/every-ruling.shiji", "khan/four-recorded.shiji", "zhanguo/three-random.shiji")

ENTRIES: Final = 200
"""Entries for which the time of all checks is given."""

_CHECK: Final = """async (content) => {
  const { checkIntegrity } = await import("/static/integrity.js");
  const { fromBase64 } = await import("/static/bytes.js");
  const began = performance.now();
  for (let time = 0; time < 10; time += 1) await checkIntegrity(fromBase64(content));
  return (performance.now() - began) / 10;
}"""

_JUDGE: Final = """async ([name, content]) => {
  const { judge } = await import("/static/judge.js");
  const { fromBase64 } = await import("/static/bytes.js");
  const began = performance.now();
  const { report, milliseconds } = await judge("/judge", name, fromBase64(content));
  if (report.verdict !== "verified") throw new Error(report.sentence);
  return [performance.now() - began, milliseconds];
}"""


def lines(rounds: int) -> list[Figure]:
    """Measure in one browser; without the judge only what needs none."""
    path = find_browser()
    if path is None:
        raise RuntimeError(INSTALL_HINT)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder, "archive.db")) as (web, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        page = browser.new_page()
        page.goto(f"http://{web}/check")
        found = [_integrity(page, rounds)]
        if judge_files() is not None:
            found += _judging(page)
        browser.close()
        return found


def _encoded(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def _integrity(page: Page, rounds: int) -> Figure:
    """A bundle in which nearly every entry is signed, as the time for 200 entries."""
    entries = _SIGNED.read_bytes().count(b'"sequence":')
    times: Sequence[float] = [page.evaluate(_CHECK, _encoded(_SIGNED)) for _ in range(rounds)]
    each = statistics.median(times) / entries
    return Figure(f"integrity of {ENTRIES} entries in a browser", each * ENTRIES, "ms", 1000, at_most=True)


def _judging(page: Page) -> Iterator[Figure]:
    """Each match once, in a page where it was not judged before."""
    for number, name in enumerate(_MATCHES):
        whole, judged = page.evaluate(_JUDGE, [name, _encoded(GOLDEN / name)])
        if number == 0:
            yield Figure("the judge starts in a browser", (whole - judged) / 1e3, "s")
        yield Figure(f"{name} judged in a browser", judged, "ms")
