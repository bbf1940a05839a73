"""Details of pages: what is said of a finished match, what can be compared, whose hand comes first."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from tests.page.opening import Opened
from tests.page.records import FIRST, KHAN, REFUSED, page_of
from tests.service.calls import begin, request_id
from tests.service.servers import Running, serving

PHONE = 360


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("details") / "shiji.db", "--web", "127.0.0.1:0") as running:
        yield running


@pytest.fixture
def opened(browser: Browser, server: Running) -> Iterator[Opened]:
    with Opened(browser, server.web) as found:
        yield found


def test_a_finished_match_is_not_called_live(opened: Opened, server: Running) -> None:
    match = server.stub.ImportRecord(pb.ImportRecordRequest(content=KHAN.read_bytes())).match_id

    expect(opened.page(f"/matches/{match}").locator("#live")).to_have_text("finished")


def test_a_page_is_compared_by_the_record_that_it_carries(opened: Opened, tmp_path: Path) -> None:
    carried = tmp_path / "page.html"
    carried.write_text(page_of(REFUSED), encoding="utf-8")
    empty = tmp_path / "empty.html"
    empty.write_text("<!doctype html>", encoding="utf-8")
    page = opened.page("/compare")
    page.locator('[data-side="a"]').set_input_files(FIRST)
    page.locator('[data-side="b"]').set_input_files(empty)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#compare-refused")).to_contain_text("this page carries no record")
    page.locator('[data-side="b"]').set_input_files(carried)
    page.get_by_role("button", name="Compare").click()

    expect(page.locator("h1")).to_have_text("entry 3 of B is illegal; both records agree up to entry 2")


def test_a_setting_that_a_record_does_not_state_is_called_the_default(
    opened: Opened, server: Running
) -> None:
    ruled = server.stub.StartMatch(
        pb.StartMatchRequest(
            request_id=request_id(),
            game="qin",
            seats=["green", "violet"],
            rulings=[headers.Ruling(name="major-conflict", value="major-keeps")],
        )
    ).match.match_id
    page = opened.page(f"/compare?a={begin(server.stub).match}&b={ruled}")

    expect(page.locator(".facts").first).to_contain_text("A: default; B: major-conflict=major-keeps")


def test_on_a_phone_the_own_seat_follows_the_panel_to_play_with(opened: Opened, server: Running) -> None:
    request = pb.StartMatchRequest(
        request_id=request_id(), game="zhanguo", seats=["green", "violet"], chance=pb.CHANCE_SERVICE
    )
    match = server.stub.StartMatch(request).match.match_id
    page = opened.page(f"/matches/{match}?as=1", PHONE)
    expect(page.locator("#play")).to_be_visible()
    play, own, other, panel = (
        page.locator(name).first.bounding_box()
        for name in ("#play", ".wide .own", ".wide tr:not(.own) th[scope=row]", ".panel")
    )

    assert play is not None
    assert own is not None
    assert other is not None
    assert panel is not None
    assert play["y"] + play["height"] <= own["y"] < play["y"] + play["height"] + 100
    assert own["y"] + own["height"] <= other["y"]
    assert other["y"] < panel["y"]


def test_the_mark_of_the_site_needs_no_font_of_its_own(opened: Opened) -> None:
    page = opened.page("/")

    assert str(page.locator(".brand").text_content()).strip() == "Shiji"
    assert page.locator(".brand img").evaluate("image => image.complete && image.naturalWidth > 0")


def test_when_a_match_started_stands_on_one_line(opened: Opened, server: Running) -> None:
    begin(server.stub)
    started = opened.page("/").locator(".matches [data-label=started]").first

    assert (
        started.evaluate(
            "cell => { const range = document.createRange(); range.selectNodeContents(cell);"
            " return range.getClientRects().length; }"
        )
        == 1
    )
