"""The rules give the same verdicts in a browser as in Python, and nothing leaves the reader's machine."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect
from shiji.record.v1 import record_service_pb2 as pb

from records.browser.files import JudgeFiles
from records.browser.judge import report_of
from tests.page.checking.files import (
    GOLDEN,
    checks,
    encoded,
    golden_files,
    judge_here,
    named,
    signature_forged,
)
from tests.page.layout import WIDTHS, layout_faults
from tests.page.opening import Opened, axe_faults
from tests.page.records import NASTY, REFUSED, judged
from tests.records.matches import MOVES
from tests.records.texts import text
from tests.service.calls import begin
from tests.service.http_calls import ask
from tests.service.servers import Running, serving
from tests.service.tokens import new_token
from tools.page.page import replay_page

SIGNED = GOLDEN / "bundles/shiji-bundle-1-every-kind.jsonl"
RECORD = GOLDEN / "version-2/khan-closed.jsonl"
RECORDS = {
    "qin": GOLDEN / "qin/forced-pass-on-bird.shiji",
    "khan": GOLDEN / "khan/shared-victory.shiji",
    "zhanguo": GOLDEN / "zhanguo/emperor-tiles.shiji",
    "great-wall": GOLDEN / "great_wall/four-tacticians.shiji",
}

JUDGE_ALL = """async (files) => {
  const { judge } = await import("/static/judge.js");
  const { fromBase64 } = await import("/static/bytes.js");
  const found = [];
  for (const [name, content] of files) found.push(await judge("/judge", name, fromBase64(content)));
  return found.map(({ report }) => report);
}"""

NO_WEBCRYPTO = 'Object.defineProperty(self.crypto, "subtle", { value: undefined });'


@pytest.fixture(scope="module")
def checking(browser: Browser, server: Running, judge: JudgeFiles) -> Iterator[Page]:
    """The page that checks files; the judge is started in it once."""
    assert "shiji.zip" in judge.files
    with Opened(browser, server.web) as opened:
        page = opened.page("/check")
        page.evaluate(JUDGE_ALL, [["first", encoded(REFUSED.read_bytes())]])
        yield page

        assert opened.foreign == []


def choose(page: Page, path: Path) -> None:
    expect(page.get_by_label("File")).to_be_visible()  # from when on the scripts listen
    page.get_by_label("File").set_input_files(path)


def test_every_golden_record_has_the_same_verdict_in_the_browser(checking: Page) -> None:
    files = {named(path): path.read_bytes() for path in golden_files()}

    found = checking.evaluate(JUDGE_ALL, [[name, encoded(content)] for name, content in files.items()])

    expected = [json.loads(report_of(name, content)) for name, content in files.items()]
    assert [(one["file"], one) for one, other in zip(found, expected, strict=True) if one != other] == []
    assert len(files) > 250
    assert {"verified", "as-shown", "illegal", "unreadable"} <= {each["verdict"] for each in expected}


def test_a_wrong_signature_is_found_by_the_browsers_own_check(checking: Page) -> None:
    bad = signature_forged(RECORD.read_bytes())

    (found,) = checking.evaluate(JUDGE_ALL, [["bad", encoded(bad)]])

    assert found["verdict"] == "corrupt"
    assert found == json.loads(report_of("bad", bad))


def without_ed25519(route: Route) -> None:
    """Answer with the script of the worker in a browser that has no WebCrypto for it."""
    script = route.fetch()
    route.fulfill(response=script, body=f"{NO_WEBCRYPTO}\n{script.text()}")


@pytest.mark.usefixtures("judge")
@pytest.mark.parametrize("change", [bytes, signature_forged], ids=["good", "forged"])
def test_a_browser_that_cannot_check_signatures_verifies_nothing_by_them(
    opened: Opened, tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(change(RECORD.read_bytes()))
    page = opened.page("/check")
    page.route("**/static/judge_worker.js", without_ed25519)
    choose(page, path)
    judge_here(page)

    expect(page.locator(".judged .said")).to_have_text(
        "Verified as far as this browser can check: 25 signatures not checked"
    )
    expect(page.locator(".judged .verdict")).to_have_class("verdict as-shown")
    expect(page.locator(".judged .verdict")).to_contain_text("this browser has no Ed25519")


@pytest.mark.usefixtures("judge")
@pytest.mark.parametrize("game", RECORDS)
def test_a_match_of_every_game_is_judged_again_on_its_page(
    opened: Opened, server: Running, game: str
) -> None:
    content = RECORDS[game].read_bytes()
    match = server.stub.ImportRecord(pb.ImportRecordRequest(content=content)).match_id
    page = opened.page(f"/matches/{match}")
    page.locator(".check").scroll_into_view_if_needed()

    assert checks(page)["Hashes"] == "Good"
    judge_here(page)
    expect(page.locator(".judged .said")).to_contain_text("Verified, ")
    assert opened.foreign == []


@pytest.mark.usefixtures("judge")
def test_a_verdict_stays_when_the_match_goes_on_and_says_what_it_is_about(
    opened: Opened, server: Running
) -> None:
    table = begin(server.stub)
    table.play(*MOVES[:2])
    page = opened.page(f"/matches/{table.match}")
    page.locator(".check").scroll_into_view_if_needed()
    judge_here(page)
    expect(page.locator(".judged .said")).to_have_text("Verified, 2 entries")
    table.play(MOVES[2])

    expect(page.locator(".where")).to_have_text("3 of 3")
    expect(page.locator(".judged .said")).to_have_text("Verified, 2 entries")
    expect(page.locator(".judged .older")).to_contain_text("about the record up to entry 2; it has 3 entries")
    page.locator(".check").scroll_into_view_if_needed()
    expect(page.locator(".checks")).to_contain_text("All 4 entries, the header among them")
    judge_here(page)
    expect(page.locator(".judged .said")).to_have_text("Verified, 3 entries")
    expect(page.locator(".judged .older")).to_have_count(0)


def test_a_record_of_a_plug_in_is_not_called_unreadable(checking: Page, tmp_path: Path) -> None:
    path = tmp_path / "match.shiji"
    path.write_text(text().replace("qin", "goofspiel"))
    choose(checking, path)
    judge_here(checking)

    expect(checking.locator(".judged .said")).to_have_text(
        "Not judged: 'goofspiel' is none of the games whose rules are here"
    )
    expect(checking.locator(".judged")).to_contain_text("are installed, this judges it: shiji verify FILE")


@pytest.mark.usefixtures("judge")
def test_any_file_is_judged_without_a_token_and_without_being_uploaded(
    browser: Browser, tmp_path: Path
) -> None:
    new_token(tmp_path / "tokens", "club", "recorder")
    flags = ("--web", "127.0.0.1:0", "--tokens", tmp_path / "tokens")
    page_file = tmp_path / "page.html"
    page_file.write_text(replay_page(judged(REFUSED)), encoding="utf-8")
    with serving(tmp_path / "shiji.db", *flags) as server, Opened(browser, server.web) as opened:
        page = opened.page("/")
        sent: list[Request] = []
        page.on("request", lambda request: sent.append(request))  # noqa: PLW0108 - Playwright takes no built-in
        page.get_by_role("link", name="check it in your browser").click()
        choose(page, page_file)
        judge_here(page)

        expect(page.locator(".judged .said")).to_have_text("Illegal at entry 3 of 3")
        expect(page.locator(".judged article")).to_contain_text("No join on a tie")

        # What the browser has kept must do as well, with the headers that it was confirmed with.
        page.reload()
        choose(page, SIGNED)
        judge_here(page)
        expect(page.locator(".judged .said")).to_contain_text("Verified")
        assert {(each.method, each.post_data) for each in sent} == {("GET", None)}
        assert opened.foreign == []


@contextmanager
def from_disk(browser: Browser, path: Path) -> Iterator[tuple[Page, list[str]]]:
    """A page opened from disk without a network, and the requests that it made all the same."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    try:
        yield page, asked
    finally:
        context.close()


def test_a_page_with_the_judge_in_it_judges_offline(
    browser: Browser, judge: JudgeFiles, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(replay_page(judged(SIGNED), judge), encoding="utf-8")
    with from_disk(browser, path) as (page, asked):
        assert checks(page)["Signatures of seats"] == "Good"
        judge_here(page)

        expect(page.locator(".judged .said")).to_contain_text("Verified")
        assert {url.partition(":")[0] for url in asked} <= {"file", "blob", "data"}
        assert "connect-src 'none'" in str(page.locator("meta[http-equiv]").get_attribute("content"))
    assert path.stat().st_size < 10_000_000


def test_what_was_found_can_be_read_at_every_width_in_both_themes(checking: Page) -> None:
    page = checking
    choose(page, GOLDEN / "khan/bad/no-majority.shiji")
    judge_here(page)

    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            assert (width, theme, layout_faults(page), axe_faults(page)) == (width, theme, [], [])


def test_text_of_a_hostile_record_is_only_text(checking: Page, tmp_path: Path) -> None:
    path = tmp_path / "<img src=x onerror=alert(1)>.shiji"
    path.write_text(f"{text(Event='x')}{NASTY}\n", encoding="utf-8")
    page = checking
    choose(page, path)
    judge_here(page)

    expect(page.locator(".judged .said")).to_contain_text("Unreadable")
    expect(page.locator(".judged")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("main img").count() == 0
    assert page.title() == "Check a record"


def test_files_of_the_judge_are_kept_for_ever_and_others_are_refused(
    server: Running, judge: JudgeFiles
) -> None:
    base = json.loads(ask(server.web, "/judge").body)["base"]

    plain = ask(server.web, f"{base}pyodide.mjs")
    packed = ask(server.web, f"{base}pyodide.mjs", accept_encoding="gzip")

    assert base == f"/judge/{judge.name}/"
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert packed.body == judge.files["pyodide.mjs"] != plain.body
    assert ask(server.web, f"{base}nothing.zip").status == 404
    assert ask(server.web, "/judge/0123456789abcdef/pyodide.mjs").status == 404


def test_only_the_worker_may_compile(server: Running) -> None:
    worker = ask(server.web, "/static/judge_worker.js")
    again = ask(server.web, "/static/judge_worker.js", if_none_match=worker.headers["etag"])

    policy = worker.headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval'" in policy
    assert (again.status, again.headers["content-security-policy"]) == (304, policy)
    assert "wasm" not in ask(server.web, "/check").headers["content-security-policy"]
