"""Playing in a browser: started there, played seat by seat, followed, refused, audited; for every game."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.judged_file import FileReport
from tests.page.layout import WIDTHS, layout_faults
from tests.page.opening import Opened, axe_faults
from tests.service.calls import request_id, seat
from tests.service.servers import Running, serving
from tests.service.tokens import new_token
from tools.report.file_verdict import judge_file

TURNS = 6
"""Moves of each match: enough for all seats to have played, and for every game to have asked for several
kinds of moves."""

SMALL = "map:R...Y/...../.a.../....B"
"""A board of Qin on which a match is soon over."""

TURN_SECONDS = 60.0
"""Timeout for a seat to be asked for a move; generous, for a busy machine."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("play") / "shiji.db", "--web", "127.0.0.1:0") as running:
        yield running


@pytest.fixture
def opened(browser: Browser, server: Running) -> Iterator[Opened]:
    with Opened(browser, server.web) as found:
        yield found


def seat_links(page: Page, game: str) -> list[str]:
    """The links of the seats of a match that is started on the page."""
    page.get_by_role("link", name="New match").click()
    page.locator(f'a[href="/new?game={game}"]').click()
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator("#start-answer h2")).to_have_text("The match has started")
    return [str(link.get_attribute("href")) for link in page.locator("#seat-links a").all()]


def awaited(pages: list[Page]) -> Page:
    """The page whose seat must act, once one of them must."""
    deadline = time.monotonic() + TURN_SECONDS
    while time.monotonic() < deadline:
        for page in pages:
            if page.locator('#play[data-state="awaited"] #moves button').count():
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("no page is asked for a move")


def play_first(page: Page) -> str:
    """The first of the listed moves, which is chosen, looked at and confirmed."""
    before = entry_shown(page)
    page.locator("#moves button").first.click()
    move = str(page.locator("#move-chosen > h3").text_content())
    page.locator("#move-confirm").click()
    expect(page.locator(".where")).not_to_have_text(before)
    return move


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Lets the page go on until something holds."""
    deadline = time.monotonic() + TURN_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


def entry_shown(page: Page) -> str:
    return str(page.locator(".where").text_content())


@pytest.mark.parametrize("game", ["qin", "khan", "zhanguo", "great-wall"])
def test_a_match_is_started_played_followed_and_audited(opened: Opened, server: Running, game: str) -> None:
    links = seat_links(opened.page("/"), game)
    match = links[0].removeprefix("/matches/").partition("?")[0]
    players = [opened.page(link) for link in links]
    spectator = opened.page(f"/matches/{match}")
    expect(spectator.locator("#live")).to_have_text("live")

    for _ in range(TURNS):
        page = awaited(players)
        sealed = page.locator("#play[data-secret]").count() > 0
        move = play_first(page)
        expect(spectator.locator(".where")).to_have_text(entry_shown(page))
        if not sealed:
            expect(page.locator(".entries")).to_contain_text(move)

    stored = server.stub.GetState(pb.GetStateRequest(match_id=match))
    expect(spectator.locator(".position")).to_have_text(stored.position)
    # Hands are hidden from auditors until the match is over.
    server.stub.CloseMatch(
        pb.CloseMatchRequest(match_id=match, expected_sequence=stored.sequence, request_id=request_id())
    )
    expect(spectator.locator("h1")).to_have_text("closed by the arbiter, without a result")
    spectator.get_by_role("link", name="Audit and disputes").click()
    expect(spectator.locator("h1")).to_contain_text("entries are legal, and the record is intact")
    assert opened.foreign == []


def test_a_whole_match_is_played_to_its_end_downloaded_and_judged(
    opened: Opened, server: Running, tmp_path: Path
) -> None:
    started = server.stub.StartMatch(
        pb.StartMatchRequest(
            request_id=request_id(),
            game="qin",
            components=SMALL,
            seats=["green", "violet"],
            chance=pb.CHANCE_SERVICE,
        )
    )
    match = started.match.match_id
    players = [opened.page(f"/matches/{match}?as={number}") for number in range(2)]
    spectator = opened.page(f"/matches/{match}")
    played = 0
    while not server.stub.GetState(pb.GetStateRequest(match_id=match)).HasField("outcome"):
        play_first(awaited(players))
        played += 1

    assert played > 2
    for page in (*players, spectator):
        expect(page.locator("h1")).to_contain_text(re.compile("won: "))
        expect(page.locator("#play")).to_have_count(0)
    with spectator.expect_download() as found:
        spectator.get_by_role("link", name="bundle with all proofs").click()
    found.value.save_as(tmp_path / "match.bundle")
    judged = judge_file(str(tmp_path / "match.bundle"))
    assert isinstance(judged, FileReport)
    assert (judged.verdict, judged.report.outcome is not None) == ("verified", True)
    spectator.get_by_role("link", name="Audit and disputes").click()
    expect(spectator.locator("h1")).to_have_text(
        f"All {judged.report.entries} entries are legal, and the record is intact."
    )


def test_a_move_is_drawn_before_it_is_played(opened: Opened) -> None:
    page = opened.page(seat_links(opened.page("/"), "qin")[0])
    page.locator("#moves button").first.click()
    drawn = page.locator("#move-chosen .preview svg")

    expect(drawn).to_have_attribute("aria-label", "The board after this move")
    expect(page.locator("#move-chosen")).not_to_have_attribute("aria-busy", "true")
    assert drawn.inner_html() != page.locator(".table .board svg").inner_html()
    assert page.locator("#move-chosen [data-place]").count() == 0


def test_pointing_at_places_narrows_the_list_until_one_move_is_left(opened: Opened) -> None:
    page = opened.page(seat_links(opened.page("/"), "khan")[0].replace("?as=0", ""))
    page.get_by_role("link", name="east", exact=True).click()
    expect(page.locator("#play")).to_be_visible()
    if not page.locator("#move-form").count():
        page.goto(page.url.replace("as=0", "as=1"))
    expect(page.locator("#move-count")).to_contain_text("legal moves")
    assert page.locator("rect.place.can").count() > 50

    page.locator('rect[data-place="g9"]').click()

    expect(page.locator("#move-count")).to_have_text("1 legal move")
    expect(page.locator("#move-chosen > h3")).to_have_text("yurt g9")
    expect(page.locator("#move-confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".entries")).to_contain_text("yurt g9")


def test_a_move_is_found_and_played_by_keyboard_alone(opened: Opened) -> None:
    page = opened.page(seat_links(opened.page("/"), "qin")[0])
    expect(page.locator("#move-count")).to_contain_text("legal moves")
    page.get_by_label("Find a move").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#moves button").first).to_be_focused()
    move = str(page.locator("#moves button").first.text_content())
    page.keyboard.press("ArrowUp")

    page.keyboard.type(move)
    expect(page.locator("#move-count")).to_have_text("1 legal move")
    page.keyboard.press("Enter")
    expect(page.locator("#move-confirm")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator(".entries")).to_contain_text(move)
    expect(page.locator("#play")).to_contain_text("It is not your turn")
    expect(page.locator("#play-title")).to_be_focused()
    expect(page.locator("#said")).to_have_text("south to place")


def test_a_refusal_shows_the_rule_with_its_reason_and_marks_the_cells(opened: Opened) -> None:
    page = opened.page(seat_links(opened.page("/"), "qin")[0])
    page.get_by_label("Find a move").fill("Ra13Rb13")
    page.get_by_role("button", name="Check").click()

    refused = page.locator("#move-refused")
    expect(refused).to_contain_text("Ra13Rb13 is not legal")
    expect(refused).to_contain_text("QIN-PLACE-5")
    assert {str(cell.get_attribute("data-place")) for cell in page.locator("rect.wrong").all()} >= {
        "a13",
        "b13",
    }
    assert page.locator("#move-confirm").is_hidden()
    assert axe_faults(page) == []


def test_text_that_is_no_move_is_explained(opened: Opened) -> None:
    page = opened.page(seat_links(opened.page("/"), "qin")[0])
    page.get_by_label("Find a move").fill("hello")
    page.get_by_role("button", name="Check").click()

    expect(page.locator("#move-refused")).to_contain_text("is no move; expected a placement such as Rg7Bh7")
    expect(page.locator("#move-refused")).to_contain_text("Choose one of the legal moves in the list")
    expect(page.locator("#move-refused")).not_to_contain_text("column")
    page.get_by_label("Find a move").fill("Re8Zz9")
    page.get_by_role("button", name="Check").click()

    expect(page.locator("#move-refused")).to_contain_text("(character 4)")


def test_a_match_that_cannot_be_started_says_why(opened: Opened) -> None:
    page = opened.page("/new?game=qin")
    page.get_by_label("Seat 2").fill("east")
    page.get_by_role("button", name="Start the match").click()

    expect(page.locator("#start-answer")).to_contain_text("east")
    expect(page.locator("#start-answer")).to_have_class("verdict illegal")
    expect(page.locator("#start-answer")).to_be_focused()


def test_a_form_is_shown_only_when_its_script_listens_even_without_a_style_sheet(opened: Opened) -> None:
    page = opened.page("/new")
    held: list[Route] = []
    page.route("**/static/*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright sets an attribute on it
    page.locator('a[href="/new?game=qin"]').click()
    expect(page.locator("h1")).to_have_text("New match of Qin")
    start = page.get_by_role("button", name="Start the match", include_hidden=True)

    expect(start).to_be_hidden()
    wait_until(page, lambda: any(each.request.url.endswith(".css") for each in held))
    page.unroute("**/static/*")
    page.route("**/static/start.js", lambda route: held.append(route))  # noqa: PLW0108 - Playwright sets an attribute on it
    for each in held.copy():
        each.continue_()
    wait_until(page, lambda: any(each.request.url.endswith("/start.js") for each in held))
    expect(start).to_be_hidden()
    held[-1].continue_()
    start.click()
    expect(page.locator("#start-answer h2")).to_have_text("The match has started")


def test_a_match_is_started_once_however_often_the_button_is_pressed(opened: Opened) -> None:
    page = opened.page("/new?game=qin")
    held: list[Route] = []
    page.route("**/StartMatch", lambda route: held.append(route))  # noqa: PLW0108 - Playwright sets an attribute on it
    start = page.get_by_role("button", name="Start the match")
    start.click()
    expect(start).to_be_disabled()
    wait_until(page, lambda: bool(held))
    held[0].continue_()

    expect(page.locator("#start-answer h2")).to_have_text("The match has started")
    expect(start).to_be_enabled()
    assert len(held) == 1


def test_a_slow_list_of_moves_does_not_replace_a_newer_one(opened: Opened) -> None:
    page = opened.page(seat_links(opened.page("/"), "qin")[0])
    expect(page.locator("#move-count")).to_contain_text("legal moves")
    move = str(page.locator("#moves button").first.text_content())
    held: list[Route] = []
    page.route("**/ListLegalMoves", lambda route: held.append(route))  # noqa: PLW0108 - Playwright sets an attribute on it
    page.get_by_label("Find a move").fill("zzz")
    wait_until(page, lambda: len(held) == 1)
    page.get_by_label("Find a move").fill(move)
    wait_until(page, lambda: len(held) == 2)
    held[1].continue_()
    expect(page.locator("#move-count")).to_have_text("1 legal move")
    with page.expect_response("**/ListLegalMoves"):
        held[0].continue_()

    expect(page.locator("#move-confirm")).to_be_visible()
    expect(page.locator("#move-count")).to_have_text("1 legal move")


@pytest.mark.parametrize("width", WIDTHS)
def test_everything_to_play_with_can_be_read_at_every_width(opened: Opened, width: int) -> None:
    links = seat_links(opened.page("/"), "great-wall")
    pages = [opened.page(link, width) for link in links]
    page = awaited(pages)
    page.locator("#moves button").first.click()
    expect(page.locator("#move-confirm")).to_be_visible()
    expect(page.locator("#move-chosen")).not_to_have_attribute("aria-busy", "true")

    assert layout_faults(page) == []
    assert axe_faults(page) == []
    form = opened.page("/new?game=zhanguo", width)
    assert layout_faults(form) == []
    assert axe_faults(form) == []
    assert opened.foreign == []


def test_a_seat_plays_by_its_link_and_sees_only_its_own_hand(browser: Browser, tmp_path: Path) -> None:
    token = new_token(tmp_path / "tokens", "club", "recorder")
    flags = ("--web", "127.0.0.1:0", "--tokens", tmp_path / "tokens")
    with serving(tmp_path / "shiji.db", *flags) as server, Opened(browser, server.web) as opened:
        organiser = opened.page("/new?game=qin")
        expect(organiser.locator("h1")).to_have_text("This server asks for a token")
        organiser.get_by_label("Token").fill(token)
        organiser.get_by_role("button", name="Show the page").click()
        organiser.get_by_role("button", name="Start the match").click()
        expect(organiser.locator("#seat-links a")).to_have_count(2)
        links = [str(link.get_attribute("href")) for link in organiser.locator("#seat-links a").all()]
        match = links[0].removeprefix("/matches/").partition("#")[0]
        east, south = (opened.page(link) for link in links)
        expect(east.locator("#play-title")).to_have_text("You play east")
        expect(south.locator("#play")).to_contain_text("It is not your turn")
        by = [(("authorization", f"Bearer {link.partition('token=')[2]}"),) for link in links]
        hands = [
            server.stub.GetState(
                pb.GetStateRequest(match_id=match, viewer=seat(number)), metadata=by[number]
            ).position
            for number in range(2)
        ]

        for page, own, other in ((east, hands[0], hands[1]), (south, hands[1], hands[0])):
            assert "token" not in page.url
            expect(page.locator(".position")).to_have_text(own)
            assert other not in page.content()
        east.locator("#moves button").first.click()
        east.locator("#move-confirm").click()

        expect(south.locator("#play #moves button").first).to_be_visible()
        south.goto(f"http://{server.web}/matches/{match}?as=0")
        expect(south.locator("h1")).to_have_text("the token is for another seat")


def test_a_choice_of_a_general_says_who_it_is_and_what_it_gives(opened: Opened) -> None:
    players = [opened.page(link) for link in seat_links(opened.page("/"), "great-wall")]
    said = set[str]()
    for _ in players:
        page = awaited(players)
        notation = str(page.locator("#moves button bdi").first.text_content())
        name = notation.removeprefix("general ").replace("-", " ").title()
        explained = re.compile(rf"{name} gives \d \w+ per assistant .* tea value \d+$")
        page.locator("#move-text").fill(f"{name} tea value")

        # No notation has these words: the move is found by what is said of it.
        expect(page.locator("#move-chosen > h3")).to_have_text(notation)
        expect(page.locator("#move-chosen > .explanation")).to_have_text(explained)
        expect(page.locator("#said")).to_contain_text(f"{notation}. {name} gives ")
        spoken = page.locator("#moves").get_by_role("button", name=f"{notation} {name} gives ")
        expect(spoken).to_have_count(1)
        said.add(str(page.locator("#move-chosen > .explanation").text_content()))
        before = entry_shown(page)
        page.locator("#move-confirm").click()
        expect(page.locator(".where")).not_to_have_text(before)
    revealed = players[0].locator(".side > .explanation")
    for words in said:
        expect(revealed).to_contain_text(words)
