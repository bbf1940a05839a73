"""The server's pages in a browser: readable at every width, in both themes, accessible, and live."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from tests.page.layout import WIDTHS, layout_faults
from tests.page.test_browser import AXE
from tests.project.places import ROOT
from tests.service.calls import begin, request_id
from tests.service.servers import Running, serving
from tests.service.tokens import new_token

GOLDEN = ROOT / "tests/records/golden"
RECORDS = {
    "qin": GOLDEN / "qin/forced-pass-on-bird.shiji",
    "khan": GOLDEN / "khan/shared-victory.shiji",
    "zhanguo": GOLDEN / "zhanguo/emperor-tiles.shiji",
    "great-wall": GOLDEN / "great_wall/four-tacticians.shiji",
}
HOSTILE = "<script>alert(1)</script><b>'\"&amp;" + "x" * 1_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("site") / "shiji.db", "--web", "127.0.0.1:0") as running:
        yield running


@pytest.fixture(scope="module")
def addresses(server: Running) -> dict[str, str]:
    """The paths of the pages to look at, by name."""
    found = {"archive": "/"}
    for game, file in RECORDS.items():
        stored = server.stub.ImportRecord(pb.ImportRecordRequest(content=file.read_bytes()))
        found[game] = f"/matches/{stored.match_id}"
    found["dispute"] = f"{found['qin']}/dispute"
    found["missing"] = "/matches/nobody"
    tags = [headers.Tag(name="Event", value=HOSTILE)]
    started = server.stub.StartMatch(
        pb.StartMatchRequest(request_id=request_id(), game="qin", seats=["green", "violet"], tags=tags)
    )
    found["hostile"] = f"/matches/{started.match.match_id}"
    return found


def opened(browser: Browser, server: Running, path: str, width: int, *, dark: bool) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    page.route(lambda address: server.web not in address, lambda route: route.abort())
    page.goto(f"http://{server.web}{path}")
    return page


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "name", ["archive", "qin", "khan", "zhanguo", "great-wall", "dispute", "missing", "hostile"]
)
def test_everything_can_be_read_at_every_width(
    browser: Browser, server: Running, addresses: dict[str, str], name: str, width: int
) -> None:
    page = opened(browser, server, addresses[name], width, dark=width in {768, 1920})
    foreign: list[str] = []
    page.on("requestfailed", lambda request: foreign.append(request.url))

    assert layout_faults(page) == []
    page.evaluate(AXE)
    assert page.evaluate("async () => (await axe.run()).violations.map(v => [v.impact, v.id, v.help])") == []
    assert foreign == []
    page.context.close()


def test_a_new_entry_is_on_an_open_page_without_a_reload(browser: Browser, server: Running) -> None:
    table = begin(server.stub)
    page = opened(browser, server, f"/matches/{table.match}", 1280, dark=False)
    expect(page.locator("#live")).to_have_text("live")

    table.play("green Re8Re9")

    expect(page.locator("h1")).to_have_text("violet to place")
    expect(page.locator(".entries [aria-current]")).to_contain_text("green Re8Re9")
    page.context.close()


def test_an_earlier_entry_has_its_own_address_and_is_paused(browser: Browser, server: Running) -> None:
    table = begin(server.stub)
    table.play("green Re8Re9", "violet Yg8Bh8")
    page = opened(browser, server, f"/matches/{table.match}?entry=1", 1280, dark=False)

    expect(page.locator("#live")).to_have_text("paused at an earlier entry")
    page.get_by_role("link", name="Forward").click()
    expect(page).to_have_url(f"http://{server.web}/matches/{table.match}?entry=2")
    page.context.close()


def test_a_page_asks_for_a_token_and_shows_what_it_may_see(browser: Browser, tmp_path: Path) -> None:
    token = new_token(tmp_path / "tokens", "club", "recorder")
    flags = ("--web", "127.0.0.1:0", "--tokens", tmp_path / "tokens")
    with serving(tmp_path / "shiji.db", *flags) as server:
        request = pb.StartMatchRequest(
            request_id="a", game="qin", seats=["green", "violet"], chance=pb.CHANCE_SERVICE
        )
        started = server.stub.StartMatch(request, metadata=(("authorization", f"Bearer {token}"),))
        path = f"/matches/{started.match.match_id}"
        page = opened(browser, server, path, 1280, dark=False)
        expect(page.locator("h1")).to_have_text("This server asks for a token")
        page.get_by_label("Token").fill(started.seat_tokens[0])
        page.get_by_role("button", name="Show the page").click()

        expect(page.locator("h1")).to_have_text("green to place")
        expect(page.locator(".facts").last).to_contain_text("shown asgreen")
        assert started.seat_tokens[0] not in page.url
        page.context.close()
