"""The server's pages: their addresses, their twins in JSON, and what they say when something is wrong."""

import gzip
import json
from base64 import b64encode

import msgspec
import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.bundle import judge_bundle, read_bundle
from records.files.record_file import write_record
from records.ledger.ledger import Ledger
from records.ledger.loading import MOST_ENTRIES_AT_ONCE
from records.log.memory import MemoryLog
from records.replay.fold import open_record
from records.verdict import Verified
from service.http.pages.compare_view import ComparisonView
from tests.records.bundles import LOG, bundled
from tests.records.matches import MOVES, forged, played
from tests.records.matches import begin as begin_in_memory
from tests.records.texts import text
from tests.service.calls import SPECTATOR, Table, begin, seat
from tests.service.http_calls import Reply, ask
from tests.service.running import InProcessService, Options, serving_in_process

BROWSER = "text/html,application/xhtml+xml"


def page(running: InProcessService, path: str) -> Reply:
    return ask(running.web, path, accept=BROWSER)


@pytest.fixture(scope="module")
def table(running: InProcessService) -> Table:
    played = begin(running.stub, chance=pb.CHANCE_SERVICE)
    played.play(played.legal()[0])
    return played


def test_each_page_has_a_twin_in_json(running: InProcessService, table: Table) -> None:
    match = ask(running.web, f"/matches/{table.match}.json").json()
    archive = ask(running.web, "/index.json").json()
    found = archive["matches"]

    assert (match["match_id"], match["last"]) == (table.match, table.last)
    board = match["board"]
    assert isinstance(board, dict)
    assert board["position"] == table.state().position
    assert isinstance(found, list)
    assert table.match in [row["match_id"] for row in found]


def test_a_page_shows_a_spectators_view_unless_another_is_asked_for(
    running: InProcessService, table: Table
) -> None:
    spectator = page(running, f"/matches/{table.match}").body.decode()
    own = ask(running.web, f"/matches/{table.match}.json?as=0")

    assert table.state().position in spectator.replace("&#39;", "'")
    assert own.status in {200, 403}
    if own.status == 200:
        board = own.json()["board"]
        assert isinstance(board, dict)
        assert board["position"] == table.state(seat(0)).position


def test_a_page_loads_nothing_but_files_of_this_server(running: InProcessService, table: Table) -> None:
    for path in ("/", f"/matches/{table.match}", "/matches/nobody"):
        reply = page(running, path)
        policy = reply.headers["content-security-policy"]

        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert b"<style" not in reply.body
        assert b" style=" not in reply.body


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/matches/nobody", 404, "there is no match nobody"),
        ("/matches/MATCH?entry=999", 400, "999"),
        ("/matches/MATCH?entry=x", 400, "entry takes the sequence of an entry"),
        ("/matches/MATCH?as=9", 400, "seats 0 to 1"),
        ("/?state=asleep", 400, "state takes open, over or damaged, not &#39;asleep&#39;"),
        ("/?colour=red", 400, "is not known here"),
        ("/?from=yesterday", 400, "from takes a day as year, month and day, such as 2026-03-31"),
        ("/?to=9999-12-31", 200, "match"),
        ("/new?game=chess", 400, "no game is called"),
        ("/new?colour=red", 400, "is not known here"),
        ("/compare?a=nobody&amp;b=MATCH", 400, "is not known here"),
        ("/compare?a=nobody&b=MATCH", 404, "there is no match nobody"),
        ("/compare?a=MATCH", 200, "Compare two records"),
        ("/matches/nobody/bundle", 404, "there is no match nobody"),
        ("/matches/MATCH/bundle", 400, "its hands are hidden until it is"),
        ("/matches/MATCH/page", 404, "shiji replay --html"),
        ("/matches/MATCH/film", 404, "there is nothing at"),
        ("/nothing", 404, "there is nothing at"),
        ("/static/nothing.js", 404, "there is no file"),
    ],
)
def test_a_page_says_what_was_wrong_and_what_to_do(
    running: InProcessService, table: Table, path: str, status: int, words: str
) -> None:
    reply = page(running, path.replace("MATCH", table.match))

    assert reply.status == status
    assert reply.headers["content-type"].startswith("text/html")
    assert words in reply.body.decode()


def test_comments_of_an_imported_record_are_shown_with_their_entries_and_never_as_tags(
    running: InProcessService,
) -> None:
    content = text("green Re8Re9 ; <b>bold</b> start", "violet Yg8Bh8", Event="Cup").replace(
        '[Event "Cup"]', '[Event "Cup"] ; in spring'
    )
    imported = running.stub.ImportRecord(pb.ImportRecordRequest(content=content.encode()))
    here = f"/matches/{imported.match_id}"

    shown = page(running, f"{here}?entry=1").body.decode()
    found = ask(running.web, f"{here}.json").json()
    assert '<p class="comment"><bdi>&lt;b&gt;bold&lt;/b&gt; start</bdi></p>' in shown
    assert '<bdi class="comment">&lt;b&gt;bold&lt;/b&gt; start</bdi></a>' in shown
    assert "<dt><bdi>comment on the tag Event</bdi></dt><dd><bdi>in spring</bdi></dd>" in shown
    assert ";1" not in shown
    assert found["tags"] == [["Event", "Cup"], ["comment on the tag Event", "in spring"]]


def test_a_transcript_and_a_record_can_be_downloaded(running: InProcessService) -> None:
    match = begin(running.stub).match
    transcript = ask(running.web, f"/matches/{match}/transcript")
    record = ask(running.web, f"/matches/{match}/record")

    assert transcript.body.startswith(b'[Format "shiji/1"]')
    assert record.headers["content-disposition"].startswith("attachment; ")
    exported = running.stub.ExportRecord(
        pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD)
    )
    assert record.body == exported.content


def test_a_record_longer_than_a_message_is_downloaded_whole() -> None:
    table = begin_in_memory(Ledger(MemoryLog()))
    table.play(*MOVES)
    whole = b"".join(write_record(table.entries))
    with serving_in_process(table.ledger, options=Options(max_response_bytes=1000)) as running:
        record = ask(running.web, f"/matches/{table.match}/record")
        transcript = ask(running.web, f"/matches/{table.match}/transcript")

    assert len(whole) > 2 * 1000
    assert (record.status, record.body) == (200, whole)
    assert "content-length" not in record.headers
    assert (transcript.status, transcript.headers["content-length"]) == (200, str(len(transcript.body)))


def test_a_file_that_did_not_change_is_not_sent_again(running: InProcessService) -> None:
    first = ask(running.web, "/static/shiji.css")
    again = ask(running.web, "/static/shiji.css", if_none_match=first.headers["etag"])

    assert (first.status, again.status, again.body) == (200, 304, b"")


def test_matches_are_listed_by_the_days_on_which_they_started(
    running: InProcessService, table: Table
) -> None:
    def found(query: str) -> bool:
        return table.match in ask(running.web, f"/index.json?{query}").body.decode()

    assert found("from=2020-01-01")
    assert found("from=2020-01-01&to=9000-01-01")
    assert not found("to=2020-01-01")
    assert not found("from=9000-01-01")


def record_of(*texts: str, entry: int = 0, move: str = "") -> bytes:
    """A record file, in which the move of an entry may be another one than was judged."""
    entries = played(*texts)
    if entry:
        start = open_record(entries[0]).start
        entries = forged(entries, entry, move=start.parse_text(move).data)
    return b"".join(write_record(entries))


def compared(running: InProcessService, one: bytes, other: bytes, **headers: str) -> Reply:
    sides = {
        name: {"content": b64encode(content).decode()} for name, content in (("one", one), ("other", other))
    }
    return ask(running.web, "/compare.json", json.dumps(sides), **headers)


def test_two_matches_of_the_archive_are_compared_as_a_page_and_as_json(running: InProcessService) -> None:
    one, other = begin(running.stub), begin(running.stub)
    one.play("green Re8Re9", "violet Yg8Bh8")
    other.play("green Re8Re9", "violet Yd8Rd9")
    query = f"a={one.match}&b={other.match}"

    found = ask(running.web, f"/compare.json?{query}").json()
    shown = page(running, f"/compare?{query}").body.decode()

    assert found["sentence"] == (
        "both are legal: the rules cannot say which was played; both records agree up to entry 1"
    )
    assert found["agreed"] == 1
    assert found["sentence"] in shown
    assert f'href="/matches/{one.match}"' in shown
    assert "violet Yd8Rd9" in shown


def test_a_record_that_breaks_a_rule_is_shown_with_the_rule_and_the_cells(running: InProcessService) -> None:
    good = record_of(*MOVES[:3])
    bad = record_of(*MOVES[:3], entry=3, move="green Ra13Rb13")

    found = compared(running, good, bad).json()
    sides = found["branches"]

    assert isinstance(sides, list)
    assert "entry 3 of B is illegal" in str(found["sentence"])
    assert sides[0]["verdict"]["word"] == "verified"
    assert {rule["rule"] for rule in sides[1]["verdict"]["broken"]} == {
        "QIN-PLACE-1",
        "QIN-PLACE-3",
        "QIN-PLACE-5",
    }


def test_long_matches_that_are_still_to_be_read_are_compared_as_they_are_sent() -> None:
    log = MemoryLog()
    with serving_in_process(Ledger(log)) as earlier:
        table = begin(earlier.stub)
        while table.last <= MOST_ENTRIES_AT_ONCE:
            table.play(table.legal()[0])
    with serving_in_process(Ledger(log, in_steps=True)) as running:
        sides = {name: {"matchId": table.match} for name in ("one", "other")}
        reply = ask(running.web, "/compare.json", json.dumps(sides))

    assert reply.status == 200
    assert reply.json()["word"] == "verified"


def test_what_is_sent_to_be_compared_is_refused_with_the_right_status(running: InProcessService) -> None:
    good = record_of(*MOVES[:2])

    assert compared(running, good, b"nonsense").status == 400
    for body, headers, status in (
        ("{}", {"content_type": "text/plain"}, 415),
        ("{}", {}, 400),
        ("[", {}, 400),
        ('{"three": 3}', {}, 400),
    ):
        reply = ask(running.web, "/compare.json", body, **headers)
        assert reply.status == status, reply.body
        assert reply.json()["advice"]
    assert ask(running.web, "/compare", "{}", verb="PUT").status == 405
    assert ask(running.web, "/new", "{}", verb="POST").status == 405
    assert ask(running.web, "/compare.json").json()["message"] == "give the ids of two matches, as a and b"


def test_a_bundle_of_a_match_can_be_downloaded_and_verifies(running: InProcessService) -> None:
    table = begin(running.stub)
    table.play("green Re8Re9")

    file = ask(running.web, f"/matches/{table.match}/bundle")
    judged = judge_bundle(read_bundle(file.body))

    assert isinstance(judged.report.verdict, Verified)
    assert file.headers["content-disposition"].endswith(f"{table.match}.bundle")


def test_the_page_to_start_a_match_lists_what_can_be_chosen_of_every_game(
    running: InProcessService,
) -> None:
    games = ask(running.web, "/new.json").json()["games"]
    assert isinstance(games, list)

    assert [key for key, _ in games] == ["qin", "khan", "zhanguo", "great-wall"]
    for key, title in games:
        offered = ask(running.web, f"/new.json?game={key}").json()["game"]
        assert isinstance(offered, dict)
        assert offered["title"] == title
        assert [name for name in offered["names"] if name] == ["east", "south"]
        seats = [name for name in offered["names"] if name]
        request = pb.StartMatchRequest(
            request_id=f"offered {key}", game=key, seats=seats, edition=offered["editions"][0]["key"]
        )
        assert running.stub.StartMatch(request).match.match_id


def test_a_page_is_compressed_for_those_who_take_that(running: InProcessService, table: Table) -> None:
    for path in (f"/matches/{table.match}", "/", "/static/common.css", "/nothing"):
        plain = page(running, path)
        packed = ask(running.web, path, accept=BROWSER, accept_encoding="br, gzip;q=0.5")

        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.headers["vary"] == "accept-encoding"
        assert gzip.decompress(packed.body) == plain.body
        assert len(packed.body) < len(plain.body)


def test_pages_of_different_viewers_and_entries_are_never_mixed_up(running: InProcessService) -> None:
    table = begin(running.stub, chance=pb.CHANCE_SERVICE)

    def positions() -> list[object]:
        found = []
        for viewer in ("spectator", "0", "1"):
            board = ask(running.web, f"/matches/{table.match}.json?as={viewer}").json()["board"]
            assert isinstance(board, dict)
            found.append(board["position"])
        return found

    for _ in range(3):
        expected = [table.state(viewer).position for viewer in (SPECTATOR, seat(0), seat(1))]
        assert len(set(expected)) == 3
        assert positions() == expected
        assert positions() == expected
        table.play(table.legal()[0])


def test_a_transcript_and_a_bundle_are_compared_with_what_proves_each(running: InProcessService) -> None:
    refused = text(*MOVES[:2], "green Ra1Ra2").encode()

    found = view_of(compared(running, bundled(*MOVES[:3]), refused))
    proven, written = found.branches

    assert found.sentence == "entry 3 of B is illegal; both records agree up to entry 2"
    assert (proven.form, written.form) == ("a bundle", "a transcript")
    evidence = dict(proven.evidence)
    assert evidence["signed"] == "3 of 3 entries"
    assert evidence["in a log"].startswith(
        f"{LOG.name} holds every entry, in a log of 604; signed by {LOG.name}"
    )
    assert evidence["in this archive"] == "not at all"
    assert dict(written.evidence)["signed"] == "nothing: a transcript has no signatures"
    assert written.verdict.broken[0].rule == "QIN-PLACE-1"


def test_boards_show_where_two_legal_records_part(running: InProcessService) -> None:
    sides = [text(*MOVES[:2], move).encode() for move in (MOVES[2], "green pass")]
    body = {
        name: {"content": b64encode(side).decode()}
        for name, side in zip(("one", "other"), sides, strict=True)
    }

    shown = ask(running.web, "/compare", json.dumps(body), accept=BROWSER).body.decode()

    assert "both are legal: the rules cannot say which was played" in shown
    assert shown.count('aria-label="The position after entry 3"') == 2


def test_what_cannot_be_read_is_named_with_its_record(running: InProcessService) -> None:
    good = text(*MOVES[:2]).encode()
    cut = bundled(*MOVES[:2])[:200]

    for bad, why in ((b"hello", "line 1, column 1: "), (cut, "line 1: "), (good[:60], "line 4, column ")):
        reply = compared(running, good, bad)
        assert reply.status == 400
        assert str(reply.json()["message"]).startswith(f"record B cannot be read: {why}"), reply.json()


def test_a_match_with_a_takeback_is_the_same_as_its_transcript_and_both_numbers_are_shown(
    running: InProcessService,
) -> None:
    match = taken_back(running)
    transcript = ask(running.web, f"/matches/{match}/transcript").body

    same, continued = (
        view_of(
            ask(
                running.web,
                "/compare.json",
                json.dumps({"one": {"matchId": match}, "other": {"content": b64encode(sent).decode()}}),
            )
        )
        for sent in (transcript, transcript + f"4. {MOVES[3]}\n5. {MOVES[4]}\n".encode())
    )
    shown = ask(running.web, f"/matches/{match}.json?entry=5").json()["entry"]

    assert same.sentence == "the records are the same"
    assert continued.sentence == "the records agree, and B continues"
    assert [each.next_number for each in continued.branches] == [None, 4]
    assert f"3. {MOVES[2]} ; entry 5 of match {match}\n" in transcript.decode()
    assert isinstance(shown, dict)
    assert (shown["sequence"], shown["transcript"]) == (5, "3 in the transcript")
    assert "3 in the transcript" in page(running, f"/matches/{match}?entry=5").body.decode()


def taken_back(running: InProcessService) -> str:
    """A match whose entry 3 was taken back by entry 4 and replaced by entry 5."""
    table = begin(running.stub)
    table.play(*MOVES[:2], "green pass")
    running.stub.Retract(table.retract_request(2))
    table.last += 1
    table.play(MOVES[2])
    return table.match


def view_of(reply: Reply) -> ComparisonView:
    return msgspec.json.decode(reply.body, type=ComparisonView)


def test_a_seat_that_waits_for_a_draw_learns_who_enters_it(running: InProcessService) -> None:
    match = begin(running.stub, chance=pb.CHANCE_RECORDED).match

    assert (
        "which the program that runs this match enters"
        in page(running, f"/matches/{match}?as=0").body.decode()
    )


@pytest.mark.parametrize(
    ("chance", "is_drawn"), [(pb.CHANCE_RECORDED, True), (pb.CHANCE_SERVICE, False)], ids=["app", "service"]
)
def test_a_deal_is_drawn_beforehand_only_where_an_app_may_make_it(
    running: InProcessService, chance: pb.Chance.ValueType, *, is_drawn: bool
) -> None:
    match = begin(running.stub, chance=chance).match
    deal = {"stored": {"matchId": match, "sequence": 0}, "move": {"text": "deal green RB YY RR"}}

    drawn = ask(running.web, "/preview", json.dumps(deal)).json()

    assert bool(drawn["board"]) == is_drawn
