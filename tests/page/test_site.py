"""The server's pages in a browser: readable at every width, in both themes, accessible, and live."""

import hashlib
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.judged_file import FileReport
from records.files.record_file import read_record, write_record
from records.replay.fold import open_record
from tests.page.layout import WIDTHS, layout_faults
from tests.page.opening import Opened, axe_faults
from tests.project.places import ROOT, SHIJI
from tests.records.archives import add, damage, make
from tests.records.bundles import bundled
from tests.records.matches import MOVES, forged, played, renamed
from tests.records.texts import text
from tests.service.calls import begin, request_id
from tests.service.http_calls import call
from tests.service.servers import TIMEOUT_SECONDS, Running, serving
from tests.service.tokens import new_token
from tools.report.file_verdict import judge_file

GOLDEN = ROOT / "tests/records/golden"
RECORDS = {
    "qin": GOLDEN / "qin/forced-pass-on-bird.shiji",
    "khan": GOLDEN / "khan/shared-victory.shiji",
    "zhanguo": GOLDEN / "zhanguo/emperor-tiles.shiji",
    "great-wall": GOLDEN / "great_wall/four-tacticians.shiji",
}
ANSWER_MILLISECONDS = 120_000
"""How long a comparison may take: on a busy machine, the processes that read and judge it have to start."""

HOSTILE = "<script>alert(1)</script><b>'\"&amp;" + "x" * 1_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server over an archive in which a match is illegal and another one damaged."""
    archive = tmp_path_factory.mktemp("site") / "shiji.db"
    refused = open_record(played()[0]).start.parse_text("green Ra13Rb13").data
    add(archive, forged(renamed(played(*MOVES), "illegal"), 3, move=refused))
    add(archive, forged(renamed(played(*MOVES), "damaged"), 3, actor=7))
    with serving(archive, "--web", "127.0.0.1:0") as running:
        running.stub.AuditMatch(pb.AuditMatchRequest(match_id="illegal"))
        yield running


@pytest.fixture(scope="module")
def addresses(server: Running) -> dict[str, str]:
    """The paths of the pages to look at, by name."""
    found = {"archive": "/"}
    for game, file in RECORDS.items():
        stored = server.stub.ImportRecord(pb.ImportRecordRequest(content=file.read_bytes()))
        found[game] = f"/matches/{stored.match_id}"
    found["dispute"] = f"{found['qin']}/dispute"
    for fault in ("illegal", "damaged"):
        found[fault] = f"/matches/{fault}"
        found[f"{fault} dispute"] = f"/matches/{fault}/dispute"
    found["missing"] = "/matches/nobody"
    tags = [headers.Tag(name="Event", value=HOSTILE)]
    started = server.stub.StartMatch(
        pb.StartMatchRequest(request_id=request_id(), game="qin", seats=["green", "violet"], tags=tags)
    )
    found["hostile"] = f"/matches/{started.match.match_id}"
    found["form"] = "/compare"
    found["check"] = "/check"
    found["start"] = "/new"
    ids = [found[game].removeprefix("/matches/") for game in ("qin", "khan")]
    found["compared"] = f"/compare?a={ids[0]}&b={ids[1]}"
    return found


@pytest.fixture
def opened(browser: Browser, server: Running) -> Iterator[Opened]:
    with Opened(browser, server.web) as found:
        yield found


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "name",
    [
        "archive",
        "qin",
        "khan",
        "zhanguo",
        "great-wall",
        "dispute",
        "illegal",
        "illegal dispute",
        "damaged",
        "damaged dispute",
        "missing",
        "hostile",
        "check",
        "form",
        "start",
        "compared",
    ],
)
def test_everything_can_be_read_at_every_width(
    opened: Opened, addresses: dict[str, str], name: str, width: int
) -> None:
    page = opened.page(addresses[name], width)

    assert layout_faults(page) == []
    assert axe_faults(page) == []
    assert opened.foreign == []


def test_a_new_entry_is_on_an_open_page_without_a_reload(opened: Opened, server: Running) -> None:
    table = begin(server.stub)
    page = opened.page(f"/matches/{table.match}")
    expect(page.locator("#live")).to_have_text("live")

    table.play("green Re8Re9")

    expect(page.locator("h1")).to_have_text("violet to place")
    expect(page.locator(".entries [aria-current]")).to_contain_text("green Re8Re9")


def test_a_page_that_cannot_be_refreshed_stays_as_it_is_and_catches_up(
    opened: Opened, server: Running
) -> None:
    table = begin(server.stub)
    page = opened.page(f"/matches/{table.match}")
    expect(page.locator("#live")).to_have_text("live")
    page.route(f"**/matches/{table.match}", lambda route: route.fulfill(status=503, body="busy"))
    table.play("green Re8Re9")

    expect(page.locator("#live")).to_have_text("reconnecting")
    assert page.locator("h1").text_content() == "green to place"
    page.unroute(f"**/matches/{table.match}")
    expect(page.locator("h1")).to_have_text("violet to place")
    expect(page.locator("#live")).to_have_text("live")


def test_a_page_that_is_one_too_many_says_so_and_follows_when_there_is_room(
    opened: Opened, server: Running
) -> None:
    table = begin(server.stub)
    page = opened.page("/")
    page.route("**/events?*", lambda route: route.fulfill(status=429, body="{}"))
    page.goto(f"http://{server.web}/matches/{table.match}")

    expect(page.locator("#live")).to_have_text("too many pages are open: waiting")
    page.unroute("**/events?*")
    expect(page.locator("#live")).to_have_text("live")


def test_a_transcript_that_is_pasted_is_compared_with_a_file_and_what_is_wrong_is_said(
    opened: Opened, tmp_path: Path
) -> None:
    proven = tmp_path / "match.bundle"
    proven.write_bytes(bundled(*MOVES[:3]))
    page = opened.page("/compare")
    page.locator('[data-side="a"]').set_input_files(proven)
    page.locator('[data-text="b"]').fill("hello")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#compare-refused")).to_contain_text(
        "Record B cannot be read: line 1, column 1", ignore_case=True
    )
    expect(page.locator("#compare-refused")).to_be_focused()
    page.locator('[data-text="b"]').fill(text(*MOVES[:2], "green Ra1Ra2"))
    page.get_by_role("button", name="Compare").click()

    expect(page.locator("h1")).to_have_text("entry 3 of B is illegal; both records agree up to entry 2")
    expect(page.locator("#branch-B ~ .board svg")).to_have_attribute(
        "aria-label", "The position before entry 3"
    )
    assert layout_faults(page) == []
    assert axe_faults(page) == []


def test_a_match_with_a_takeback_shows_the_numbers_of_its_transcript(opened: Opened, server: Running) -> None:
    table = begin(server.stub)
    table.play(*MOVES[:2], "green pass")
    server.stub.Retract(table.retract_request(2))
    table.last += 1
    table.play(MOVES[2])
    page = opened.page(f"/matches/{table.match}")
    current = page.locator(".entries [aria-current]")

    expect(current).to_contain_text(f"5 {MOVES[2]} 3 in the transcript")
    with page.expect_download() as found:
        page.get_by_role("link", name="transcript", exact=True).click()
    assert f"3. {MOVES[2]} ; entry 5 of match {table.match}" in Path(found.value.path()).read_text()
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.locator(".side")).to_contain_text("Not in the transcript")
    assert layout_faults(page) == []


def test_the_list_of_entries_is_scrolled_to_the_one_that_is_shown_and_to_a_new_one(
    opened: Opened, server: Running
) -> None:
    table = begin(server.stub)
    for _ in range(20):
        table.play(table.legal()[0])
    page = opened.page(f"/matches/{table.match}")
    expect(page.locator("#live")).to_have_text("live")
    within = """() => {
      const list = document.querySelector(".entries");
      const outer = list.getBoundingClientRect();
      const inner = list.querySelector("[aria-current]").getBoundingClientRect();
      return list.scrollTop > 0 && inner.top >= outer.top && inner.bottom <= outer.bottom;
    }"""
    page.wait_for_function(within)

    table.play(table.legal()[0])

    expect(page.locator(".where")).to_have_text("21 of 21")
    assert page.evaluate(within)


def test_an_earlier_entry_has_its_own_address_and_is_paused(opened: Opened, server: Running) -> None:
    table = begin(server.stub)
    table.play("green Re8Re9", "violet Yg8Bh8")
    page = opened.page(f"/matches/{table.match}?entry=1")

    expect(page.locator("#live")).to_have_text("paused at an earlier entry")
    page.get_by_role("link", name="Forward").click()
    expect(page).to_have_url(f"http://{server.web}/matches/{table.match}?entry=2")


def test_the_keys_of_pages_that_work_offline_step_through_a_match_here_too(
    opened: Opened, server: Running
) -> None:
    table = begin(server.stub)
    table.play(*MOVES)
    page = opened.page(f"/matches/{table.match}")
    for key, entry in (("Home", 0), ("ArrowRight", 1), ("End", 5), ("End", 5), ("ArrowLeft", 4)):
        expect(page.locator("#live")).to_be_visible()  # only once scripts listen
        page.keyboard.press(key)

        expect(page.locator(".where")).to_have_text(f"{entry} of 5")
        assert page.evaluate("scrollY") == 0


def test_keys_that_are_typed_into_a_field_stay_there(opened: Opened, server: Running) -> None:
    table = begin(server.stub)
    table.play(*MOVES)
    page = opened.page(f"/matches/{table.match}?as=1")
    page.get_by_label("Find a move").fill("Re8")
    for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.type("x")

    expect(page.get_by_label("Find a move")).to_have_value("Rex8")
    expect(page.locator(".where")).to_have_text("5 of 5")


def test_a_page_asks_for_a_token_and_shows_what_it_may_see(browser: Browser, tmp_path: Path) -> None:
    token = new_token(tmp_path / "tokens", "club", "recorder")
    flags = ("--web", "127.0.0.1:0", "--tokens", tmp_path / "tokens")
    with serving(tmp_path / "shiji.db", *flags) as server, Opened(browser, server.web) as opened:
        request = pb.StartMatchRequest(
            request_id="a", game="qin", seats=["green", "violet"], chance=pb.CHANCE_SERVICE
        )
        started = server.stub.StartMatch(request, metadata=(("authorization", f"Bearer {token}"),))
        page = opened.page(f"/matches/{started.match.match_id}")
        expect(page.locator("h1")).to_have_text("This server asks for a token")
        page.get_by_label("Token").fill(started.seat_tokens[0])
        page.get_by_role("button", name="Show the page").click()

        expect(page.locator("h1")).to_have_text("green to place")
        expect(page.locator(".facts").last).to_contain_text("shown asgreen")
        assert started.seat_tokens[0] not in page.url


def test_the_page_that_asks_for_a_token_can_be_read_at_every_width(browser: Browser, tmp_path: Path) -> None:
    new_token(tmp_path / "tokens", "club", "recorder")
    flags = ("--web", "127.0.0.1:0", "--tokens", tmp_path / "tokens")
    with serving(tmp_path / "shiji.db", *flags) as server, Opened(browser, server.web) as opened:
        for width in WIDTHS:
            page = opened.page("/", width)
            expect(page.get_by_label("Token")).to_be_visible()
            assert layout_faults(page) == []
            assert axe_faults(page) == []
        page = opened.page("/")
        page.get_by_label("Token").fill("nonsense")
        page.get_by_role("button", name="Show the page").click()

        expect(page.locator("#main")).to_contain_text("the token is not known", ignore_case=True)
        assert opened.foreign == []


@pytest.mark.parametrize("game", RECORDS)
def test_a_match_of_every_game_is_compared_with_a_shorter_record_of_it(
    opened: Opened, server: Running, addresses: dict[str, str], tmp_path: Path, game: str
) -> None:
    match = addresses[game].removeprefix("/matches/")
    exported = server.stub.ExportRecord(
        pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD)
    ).content
    entries = read_record(exported).entries
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_bytes(b"".join(write_record(entries[:-1])))
    page = opened.page(f"{addresses[game]}/dispute")
    expect(page.locator("h1")).to_contain_text(f"All {len(entries) - 1} entries are legal")
    expect(page.locator(".drawn .board svg, .drawn .panel").first).to_be_visible()
    page.get_by_role("link", name="Compare it with another record").click()
    expect(page.locator('[data-side="b"]')).to_be_visible()
    page.locator('[data-side="b"]').set_input_files(shorter)
    page.get_by_role("button", name="Compare").click()

    # The record states who won, which is not so yet after its last entry but one.
    verdict = f"entry {len(entries) - 2} of B is diverged; the records agree, and A continues"
    answered = page.locator("h1", has_text=verdict).or_(page.locator("#compare-refused"))
    expect(answered).to_be_visible(timeout=ANSWER_MILLISECONDS)
    expect(answered).to_have_text(verdict)
    expect(page.locator("#main")).to_be_focused()
    assert layout_faults(page) == []
    assert axe_faults(page) == []
    assert opened.foreign == []


def test_the_whole_archive_is_audited_with_its_progress_and_what_is_wrong(
    browser: Browser, tmp_path: Path
) -> None:
    archive = tmp_path / "shiji.db"
    good, bad = make(archive, matches=2)
    damage(archive, "UPDATE entry SET actor = 1 WHERE position = 8")  # entry 3 of the second match
    with serving(archive, "--web", "127.0.0.1:0") as server, Opened(browser, server.web) as opened:
        page = opened.page("/")
        page.get_by_role("button", name="Audit all matches").click()

        expect(page.locator("#audit-said")).to_contain_text("This is wrong:")
        expect(page.locator("#audit-wrong")).to_contain_text(f"{bad} corrupt at entry 3")
        expect(page.locator("#audit-wrong")).not_to_contain_text(good)
        assert page.locator("#audit-progress").is_hidden()
        expect(page.locator(".matches [data-label=audit]")).to_have_text(["corrupt", "verified"])
        expect(page.locator(".filters")).to_contain_text("corrupt 1")
        expect(page.get_by_role("button", name="Audit all matches")).to_be_enabled()
        expect(page.locator("#audit-wrong")).to_contain_text(f"{bad} corrupt at entry 3")
        assert axe_faults(page) == []
        page.locator("#audit-wrong a").first.click()
        expect(page.locator("h1")).to_contain_text("The record is damaged at entry 3")


def test_files_of_a_match_can_be_downloaded_and_verify(browser: Browser, tmp_path: Path) -> None:
    archive = tmp_path / "shiji.db"
    (match,) = make(archive, matches=1)
    with web_over(archive) as web, Opened(browser, web) as opened:
        page = opened.page(f"/matches/{match}")
        download_all(page, tmp_path)


def download_all(page: Page, folder: Path) -> None:
    for name in ("transcript", "record", "bundle with all proofs", "page that works offline"):
        with page.expect_download() as found:
            page.get_by_role("link", name=name, exact=True).click()
        file = folder / found.value.suggested_filename
        found.value.save_as(file)

        judged = judge_file(str(file))
        assert isinstance(judged, FileReport), name
        assert judged.verdict == "verified", name


def test_an_archive_is_served_without_a_server_and_never_written(browser: Browser, tmp_path: Path) -> None:
    archive = tmp_path / "shiji.db"
    (match,) = make(archive, matches=1)
    before = hashlib.sha256(archive.read_bytes()).digest()
    with web_over(archive) as web, Opened(browser, web) as opened:
        page = opened.page("/")
        expect(page.locator("h1")).to_have_text("1 match")
        assert page.get_by_role("link", name="New match").count() == 0
        page.get_by_role("link", name="Qin: green, violet").click()
        expect(page.locator("#live")).to_have_text("live")
        assert page.locator(".play, .play-as").count() == 0
        page.get_by_role("link", name="Audit and disputes").click()
        expect(page.locator("h1")).to_contain_text("All 5 entries are legal")
        refused = call(
            web,
            "AppendMove",
            {"matchId": match, "expectedSequence": 5, "requestId": "a", "move": {"text": "violet pass"}},
        )

    assert (refused.status, refused.json()["reason"]) == (403, "NOT_YOUR_ROLE")
    assert hashlib.sha256(archive.read_bytes()).digest() == before


@contextmanager
def web_over(archive: Path) -> Iterator[str]:
    """The address of the pages that `shiji web` serves."""
    with subprocess.Popen(
        [SHIJI, "web", archive, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield line.partition("http://")[2].partition("/")[0]
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT_SECONDS) == 0
