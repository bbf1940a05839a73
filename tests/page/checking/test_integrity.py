"""A page finds by itself what was changed in a record: hashes, concealed parts, signatures, the log."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from shiji.record.v1 import record_service_pb2 as pb

from records.browser.judge import report_of
from tests.page.checking.files import GOLDEN, checks, encoded, golden_files, named
from tests.page.layout import layout_faults
from tests.page.opening import Opened
from tests.page.records import FIRST, page_of
from tests.project.distributions import install
from tests.project.test_plugins import GOOFSPIEL
from tests.project.test_plugins import MATCH as GOOFSPIEL_MATCH
from tests.service.http_calls import ask
from tests.service.servers import Running, serving
from tests.tools.logs import new_key

SEALED = GOLDEN / "version-2/sealed.bundle"
SIGNED = GOLDEN / "bundles/shiji-bundle-1-every-kind.jsonl"
RECORD = GOLDEN / "version-2/khan-closed.jsonl"

STATES = """async (files) => {
  const { checkIntegrity } = await import("/static/integrity.js");
  const { fromBase64 } = await import("/static/bytes.js");
  const found = [];
  for (const each of files) {
    try {
      found.push((await checkIntegrity(fromBase64(each))).map(({ name, state }) => `${name}: ${state}`));
    } catch (fault) {
      found.push([`unreadable: ${fault.message}`]);
    }
  }
  return found;
}"""
"""What the page finds of each file."""

VECTORS = """async () => {
  const { entryHash, partDigest } = await import("/static/integrity.js");
  const { claimOf } = await import("/static/signatures.js");
  const { bigEndian, fromHex, frame, joined, toHex, utf8 } = await import("/static/bytes.js");
  const previous = Uint8Array.from({ length: 32 }, (_, at) => at);
  const concealed = (kind, digest) => joined(Uint8Array.of(2), bigEndian(kind, 1), bigEndian(2n, 8), digest);
  const salt = fromHex("7d1249931da827cbc974db99f0bf63b4c6da23a2bfcbb7f76cefdcacb1df8771");
  const content = frame("shiji/view/1", utf8("draw RB"), utf8("TileDrawn"));
  const every = { match: "m1", version: 2, previous };
  const draw = { ...every, sequence: 3, kind: 1, actor: -1, commitments: [{ kind: 1, audience: 2n }] };
  const view = await partDigest(draw, { place: 0, salt, content });
  const entry = {
    ...draw, request: "r1", recorded: 1700000000000000, move: utf8("draw ?"), events: utf8("TileDrawn?"),
    state: new Uint8Array(32).fill(9), signature: new Uint8Array(0), concealed: concealed(1, view),
  };
  const choose = { ...every, sequence: 4, kind: 12, actor: 1, commitments: [{ kind: 2, audience: 2n }] };
  const choice = await partDigest(choose, {
    place: 0, salt: new Uint8Array(32).fill(0x63), content: frame("shiji/choice/1", utf8("pick economy")),
  });
  const claim = await claimOf({ ...choose, move: new Uint8Array(0), concealed: concealed(2, choice) });
  return [content, view, await entryHash(entry), choice, claim].map(toHex);
}"""
"""The examples of entries of version 2, by the scripts of the page."""

EXPECTED = [
    "7368696a692f766965772f310000000007647261772052420000000954696c65447261776e",
    "9efabb1a3f9dbd473c4b359543650b4b70bf87c767af025055505ebeb4b6615c",
    "d3ff34d9281150c1739a3b05b3a45d3a0b9bdac69858c81f23325fdb7cd37369",
    "c6abbdb8c71992fb60bbc958f55e5201550f7364626384512a974697c7170d24",
    "8b157dfd018fc03092f088d3bd4187bbf3f65856d6b8c9e29aac7fabd34a1b20",
]


@pytest.fixture
def scripts(opened: Opened) -> Page:
    """A page that can import the scripts."""
    return opened.page("/check")


def states(page: Page, files: list[bytes]) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(STATES, [encoded(each) for each in files])
    return found


def is_found(state: list[str]) -> bool:
    return any(each.endswith(": bad") or each.startswith("unreadable") for each in state)


def test_hashes_digests_and_claims_are_those_of_the_design(scripts: Page) -> None:
    assert scripts.evaluate(VECTORS) == EXPECTED


def test_nothing_is_wrong_with_a_record_that_is_verified(scripts: Page) -> None:
    files = {
        path: path.read_bytes()
        for path in golden_files()
        if path.suffix != ".shiji"
        and json.loads(report_of(path.name, path.read_bytes()))["verdict"] in {"verified", "as-shown"}
    }

    found = dict(zip(map(named, files), states(scripts, list(files.values())), strict=True))

    assert len(found) > 20
    assert {name: state for name, state in found.items() if is_found(state)} == {}
    assert sum("Signatures of seats: good" in state for state in found.values()) > 1
    assert sum("Log: good" in state for state in found.values()) > 1
    assert sum("Concealed parts: good" in state for state in found.values()) > 1


def flipped(raw: bytes, bit: int) -> bytes:
    at = (bit // 8) % len(raw)
    return raw[:at] + bytes([raw[at] ^ (1 << bit % 8)]) + raw[at + 1 :]


def changed_values(name: str, value: object, bit: int) -> Iterator[object]:
    """The value of a field with one bit changed; nothing where it is empty or the hash does not cover it."""
    hexadecimal = {"state", "previous", "hash", "digest", "salt"}
    if name in {"text", "told", "secret", "openings"} or not (value or isinstance(value, int)):
        return
    match value:
        case int():
            yield value ^ (1 << bit % 8)
        case str() if name in hexadecimal:
            yield flipped(bytes.fromhex(value), bit).hex()
        case str() if name == "request":
            yield f"{value[:-1]}{chr(ord(value[-1]) ^ 1)}"
        case str():
            yield encoded(flipped(base64.b64decode(value), bit))
        case [dict() as first, *rest]:
            for key, inner in first.items():
                for other in changed_values(key, inner, bit) if key != "audience" else ([5],):
                    yield [{**first, key: other}, *rest]
        case _:
            raise TypeError(name)


def mutants(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The file with one bit changed in a field, for every field of some entries."""
    lines = content.decode().removesuffix("\n").split("\n")
    first = next(at for at, line in enumerate(lines) if '"sequence"' in line)
    for at in range(first, len(lines), 3):
        entry = json.loads(lines[at])
        for name, value in entry.items():
            for number, other in enumerate(changed_values(name, value, 37 * at + 5)):
                line = json.dumps({**entry, name: other}, separators=(",", ":"))
                whole = [*lines[:at], line, *lines[at + 1 :]]
                yield f"{at}.{name}.{number}", ("\n".join(whole) + "\n").encode()


@pytest.mark.parametrize("path", [SEALED, SIGNED, RECORD], ids=["sealed", "signed", "record"])
def test_a_changed_bit_is_found_in_every_field(scripts: Page, path: Path) -> None:
    made = dict(mutants(path.read_bytes()))

    found = dict(zip(made, states(scripts, list(made.values())), strict=True))

    assert len(found) > 40
    assert [name for name, state in found.items() if not is_found(state)] == []


def parts_repeated(content: bytes) -> bytes:
    """The file with every concealed part that is shown in it twice."""
    entries = [json.loads(line) for line in content.decode().splitlines()]
    for entry in entries:
        if "parts" in entry:
            entry["parts"] *= 2
    lines = (json.dumps(entry, separators=(",", ":"), ensure_ascii=False) for entry in entries)
    return ("\n".join(lines) + "\n").encode()


def test_a_part_that_is_listed_twice_does_not_hide_that_another_is_missing(scripts: Page) -> None:
    content = (GOLDEN / "version-2/khan-recorded-green.jsonl").read_bytes()

    found = states(scripts, [content, parts_repeated(content)])

    assert ["Concealed parts: good" in state for state in found] == [True, False]
    assert ["Concealed parts: bad" in state for state in found] == [False, True]


def false_logs(log: dict[str, list[object]], checkpoint: str) -> Iterator[dict[str, object]]:
    """What a bundle states about its log, with one part of it changed."""
    keys, positions, hashes = log["keys"], log["positions"], log["hashes"]
    yield {"checkpoint": checkpoint.replace("\n520\n", "\n521\n")}
    yield {"checkpoint": f"{checkpoint[:-10]}{'B' if checkpoint[-10] == 'A' else 'A'}{checkpoint[-9:]}"}
    yield {"keys": keys[::-1]}
    yield {"keys": keys[:1]}
    yield {"positions": [1, *positions[1:]]}
    yield {"positions": positions[:-1]}
    yield {"hashes": hashes[1:]}
    yield {"hashes": [*hashes, hashes[0]]}
    yield {"hashes": [hashes[1], hashes[0], *hashes[2:]]}


def test_a_log_that_proves_nothing_is_found(scripts: Page) -> None:
    line, _, rest = SEALED.read_bytes().partition(b"\n")
    envelope = json.loads(line)
    log = envelope["log"]
    made = [
        json.dumps({**envelope, "log": {**log, **change}}, separators=(",", ":"), ensure_ascii=False)
        for change in false_logs(log, log["checkpoint"])
    ]

    found = states(scripts, [each.encode() + b"\n" + rest for each in made])

    assert line.decode() not in made
    assert [("Hashes: good" in state, "Log: bad" in state) for state in found] == [(True, True)] * 9


def test_a_browser_without_ed25519_says_what_it_did_not_check(scripts: Page) -> None:
    scripts.evaluate(
        "() => { const fault = new DOMException('no', 'NotSupportedError');"
        " crypto.subtle.importKey = () => Promise.reject(fault); }"
    )

    (found,) = states(scripts, [SIGNED.read_bytes()])

    assert found == ["Hashes: good", "Signatures of seats: unchecked", "Log: unchecked"]


def test_a_page_that_is_one_file_checks_its_record_as_it_is_opened(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page_of(SEALED), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())

    assert checks(page) == {
        "Hashes": "Good",
        "Concealed parts": "Good",
        "Signatures of seats": "Nothing to check",
        "Log": "Good",
    }
    expect(page.locator(".check")).to_contain_text("pip install 'shiji[judge]'")
    expect(page.locator("footer")).to_contain_text("A page can lie, also about what it checks")
    page.close()


def with_a_changed_move(content: bytes, line: int = 8) -> tuple[int, bytes]:
    """The entry of a line, and the record with one bit of its move changed."""
    lines = content.decode().split("\n")
    entry = json.loads(lines[line])
    entry["move"] = encoded(flipped(base64.b64decode(entry["move"]), 9))
    lines[line] = json.dumps(entry, separators=(",", ":"))
    return entry["sequence"], "\n".join(lines).encode()


def test_a_page_whose_record_was_changed_says_so(browser: Browser, tmp_path: Path) -> None:
    whole = SEALED.read_bytes()
    sequence, changed = with_a_changed_move(whole)
    text = page_of(SEALED).replace(encoded(whole), encoded(changed))
    path = tmp_path / "page.html"
    path.write_text(text, encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())

    assert checks(page)["Hashes"] == "Wrong"
    expect(page.locator(".check-bad").first).to_contain_text(f"Entry {sequence} is not what it was")
    page.close()


def test_a_match_is_checked_as_its_page_is_opened_and_above_the_board_it_says_what_is_wrong(
    opened: Opened, server: Running
) -> None:
    match = server.stub.ImportRecord(pb.ImportRecordRequest(content=FIRST.read_bytes())).match_id
    page = opened.page(f"/matches/{match}")

    assert checks(page)["Hashes"] == "Good"
    expect(page.locator(".check")).not_to_be_in_viewport()
    expect(page.get_by_role("alert")).to_have_count(0)

    def change(route: Route) -> None:
        answered = route.fetch()
        route.fulfill(response=answered, body=with_a_changed_move(answered.body(), 3)[1])

    page.route("**/record?*", change)
    page.reload()

    expect(page.get_by_role("alert")).to_contain_text("something is wrong with this record")
    expect(page.locator(".check-bad")).to_contain_text("is not what it was when it was recorded")
    assert layout_faults(page) == []


def test_whoever_looks_at_the_panel_of_a_logged_match_gets_the_proof_of_the_log(
    browser: Browser, tmp_path: Path
) -> None:
    key = new_key(tmp_path / "log.key").file
    with (
        serving(tmp_path / "shiji.db", "--web", "127.0.0.1:0", "--log-key", key) as server,
        Opened(browser, server.web) as opened,
    ):
        match = server.stub.ImportRecord(pb.ImportRecordRequest(content=FIRST.read_bytes())).match_id
        page = opened.page(f"/matches/{match}")

        assert checks(page)["Log"] == "Nothing to check"
        page.locator(".checks").scroll_into_view_if_needed()
        expect(page.locator(".checks")).to_contain_text("Log: Good.")


def test_pages_say_how_to_get_the_judge_and_that_it_has_no_rules_of_plug_ins(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    install(site, "bidding", GOOFSPIEL, sitecustomize="import sys\nsys.modules['shiji_judge'] = None\n")
    monkeypatch.setenv("PYTHONPATH", str(site))
    with (
        serving(tmp_path / "shiji.db", "--web", "127.0.0.1:0") as server,
        Opened(browser, server.web) as opened,
    ):
        imported = (
            server.stub.ImportRecord(pb.ImportRecordRequest(content=content)).match_id
            for content in (FIRST.read_bytes(), GOOFSPIEL_MATCH.encode())
        )
        qin, goofspiel = (opened.page(f"/matches/{match}") for match in imported)
        for page in (qin, goofspiel):
            assert checks(page)["Hashes"] == "Good"
            assert page.get_by_role("button", name="Judge every move again here").count() == 0
        plugin_record = server.stub.ExportRecord(
            pb.ExportRecordRequest(match_id=goofspiel.url.rpartition("/")[2], format=pb.RECORD_FORMAT_RECORD)
        ).content

        expect(qin.locator(".check")).to_contain_text("judge for browsers: pip install 'shiji[judge]'")
        expect(goofspiel.locator(".check")).to_contain_text("come from a plug-in, which browsers do not have")
        expect(goofspiel.locator(".check")).to_contain_text("this judges them: shiji verify FILE")
        missing = ask(server.web, "/judge")
        assert (missing.status, missing.json()["message"]) == (
            404,
            "this server has no judge for browsers: pip install 'shiji[judge]'",
        )
    found = json.loads(report_of("match", plugin_record))
    assert found["sentence"] == "Not judged: 'goofspiel' is none of the games whose rules are here"


def test_a_transcript_has_nothing_to_check_but_its_moves(scripts: Page) -> None:
    assert states(scripts, [FIRST.read_bytes()]) == [["Hashes: none"]]


@pytest.mark.parametrize(
    "content", [b"", b"\n \n", b"\x89PNG\r\n\x1a\n", b"[Format \xff]", b"hello"], ids=repr
)
def test_what_is_no_record_at_all_is_called_unreadable(scripts: Page, content: bytes) -> None:
    (found,) = states(scripts, [content])

    assert found == ["unreadable: it is unreadable: no transcript, record, bundle or page that Shiji wrote"]


def test_a_transcript_may_begin_with_a_comment_or_a_byte_order_mark(scripts: Page) -> None:
    files = [b"; a comment\n" + FIRST.read_bytes(), b"\xef\xbb\xbf" + FIRST.read_bytes()]

    assert states(scripts, files) == [["Hashes: none"]] * 2
