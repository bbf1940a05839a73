"""`python -m tools.dev.screenshots`: takes the pictures of pages in docs/screenshots."""

import base64
import http.client
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from playwright.sync_api import Browser, Page, sync_playwright

from service.http.connect import PREFIX
from tests.project.places import ROOT, SHIJI
from tools.dev.bench.service import server_process
from tools.dev.browser import INSTALL_HINT, find_browser

FOLDER: Final = ROOT / "docs/screenshots"

_MAX_BYTES: Final = 1_000_000
"""Of all pictures together: they are part of every clone."""

_SETTLED_MILLISECONDS: Final = 700
"""Time for a page to connect and to list moves; a page that follows a match never stops loading."""

_GOLDEN: Final = ROOT / "tests/records/golden"
_RECORDS: Final = {
    "qin": _GOLDEN / "qin/forced-pass-on-bird.shiji",
    "khan": _GOLDEN / "khan/shared-victory.shiji",
    "zhanguo": _GOLDEN / "zhanguo/emperor-tiles.shiji",
    "great-wall": _GOLDEN / "great_wall/four-tacticians.shiji",
}
_WIDE: Final = (1000, 520)
_NARROW: Final = (360, 600)


@dataclass(frozen=True, slots=True)
class _Site:
    """A server with a match of every game."""

    web: str
    matches: Mapping[str, str]
    """Ids, by game."""


@contextmanager
def _site() -> Iterator[_Site]:
    with tempfile.TemporaryDirectory() as folder:
        command = [str(SHIJI), "serve", "--db", str(Path(folder, "shiji.db")), "--listen", "127.0.0.1:0"]
        with server_process([*command, "--web", "127.0.0.1:0", "--log-level", "error"]) as (_, process):
            if process.stdout is None:
                raise TypeError("the output is piped")
            lines = iter(process.stdout.readline, "")
            web = next(found[1] for line in lines if (found := re.search(r"http://(\S+?)/ ", line)))
            yield _Site(web, {game: _imported(web, file) for game, file in _RECORDS.items()})


def _imported(web: str, file: Path) -> str:
    body = json.dumps({"content": base64.b64encode(file.read_bytes()).decode()})
    with closing(http.client.HTTPConnection(web)) as connection:
        connection.request("POST", f"{PREFIX}ImportRecord", body, {"content-type": "application/json"})
        return str(json.loads(connection.getresponse().read())["matchId"])


def _opened(
    browser: Browser, site: _Site, path: str, size: tuple[int, int] = _WIDE, *, dark: bool = False
) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    page.goto(f"http://{site.web}{path}")
    page.wait_for_timeout(_SETTLED_MILLISECONDS)
    return page


def _pictures(browser: Browser, site: _Site) -> Iterator[tuple[str, Page]]:
    yield "archive", _opened(browser, site, "/")
    yield "archive-phone", _opened(browser, site, "/", _NARROW)
    for game, match in site.matches.items():
        yield game, _opened(browser, site, f"/matches/{match}", dark=game == "khan")
    yield "qin-phone", _opened(browser, site, f"/matches/{site.matches['qin']}", _NARROW)
    yield "audit", _opened(browser, site, f"/matches/{site.matches['qin']}/dispute")
    both = f"a={site.matches['qin']}&b={site.matches['khan']}"
    yield "compare", _opened(browser, site, f"/compare?{both}")
    yield "new-match", _opened(browser, site, "/new?game=zhanguo")
    yield "play", _chosen(browser, site, _WIDE)
    yield "refused-phone", _refused(browser, site)


def _seat(browser: Browser, site: _Site, size: tuple[int, int]) -> Page:
    page = _opened(browser, site, "/new?game=qin", size)
    page.get_by_role("button", name="Start the match").click()
    page.locator("#seat-links a").first.click()
    page.locator("#moves button").first.wait_for()
    return page


def _chosen(browser: Browser, site: _Site, size: tuple[int, int]) -> Page:
    page = _seat(browser, site, size)
    page.locator("#moves button").nth(3).click()
    page.locator("#move-confirm").wait_for()
    return page


def _refused(browser: Browser, site: _Site) -> Page:
    page = _seat(browser, site, _NARROW)
    page.get_by_label("Find a move").fill("Rd11Re11")
    page.get_by_role("button", name="Check").click()
    page.locator("#move-refused h3").first.wait_for()
    page.locator("#move-refused").scroll_into_view_if_needed()
    return page


@click.command()
def main() -> None:
    """Take all pictures anew; exits with 1 if they are too large."""
    path = find_browser()
    if path is None:
        raise click.ClickException(f"there is no browser: {INSTALL_HINT}")
    FOLDER.mkdir(exist_ok=True)
    total = 0
    with _site() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name, page in _pictures(browser, site):
            total += len(page.screenshot(path=FOLDER / f"{name}.png"))
            page.context.close()
        browser.close()
    click.echo(f"screenshots: {len(list(FOLDER.iterdir()))} pictures, {total:,} bytes")
    if total > _MAX_BYTES:
        raise click.ClickException(f"they have more than {_MAX_BYTES:,} bytes in all")


if __name__ == "__main__":
    main()
