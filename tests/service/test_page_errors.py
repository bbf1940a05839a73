"""What pages say when something is wrong: in words for readers, with the way out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from service.authentication import ByToken
from service.errors import Reason
from service.http.faults import HttpReason
from service.http.pages.error_words import page_advice
from service.rpc import DESCRIPTOR
from service.server_secret import ServerSecret
from tests.records.archives import damage, make
from tests.service.calls import begin
from tests.service.http_calls import Reply, ask, call
from tests.service.running import InProcessService, Options, serving_file, serving_in_process
from tests.service.tokens import new_token

BROWSER = "text/html,application/xhtml+xml"

FOR_PROGRAMS = (
    *(method.name for method in DESCRIPTOR.methods if not method.name[1:].islower()),  # others are words
    "metadata",
    "request id",
    "RetryInfo",
    "BadRequest",
    "AuditReport",
    "RuleViolations",
    "docs/",
    "header",
)
"""What only somebody who writes a program knows."""


def page(running: InProcessService, path: str) -> Reply:
    return ask(running.web, path, accept=BROWSER)


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[InProcessService, str]]:
    """A service over an archive with a match whose third entry was changed, and its id."""
    archive = tmp_path_factory.mktemp("damaged") / "shiji.db"
    (match,) = make(archive, matches=1)
    damage(archive, "UPDATE entry SET actor = 1 WHERE position = 4")
    with SqliteLog.open(archive) as log, serving_in_process(Ledger(log)) as running:
        yield running, match


def test_the_page_of_a_damaged_match_leads_to_its_audit(damaged: tuple[InProcessService, str]) -> None:
    running, match = damaged

    shown = page(running, f"/matches/{match}")
    text = shown.body.decode()

    assert shown.status == 409
    assert "this match is damaged" in text
    assert f'href="/matches/{match}/dispute"' in text
    assert not [word for word in FOR_PROGRAMS if word in text.partition("<main")[2]]
    assert ask(running.web, f"/matches/{match}.json").status == 409
    assert page(running, f"/matches/{match}/dispute").status == 200


def test_the_last_sound_position_of_a_damaged_match_is_drawn_and_called_that(
    damaged: tuple[InProcessService, str],
) -> None:
    running, match = damaged

    shown = page(running, f"/matches/{match}/dispute").body.decode()
    found = ask(running.web, f"/matches/{match}/dispute.json").json()

    label = "The position after entry 2, the last one before the damage"
    assert f'aria-label="{label}"' in shown
    assert found["drawn"] == f"{label}."
    assert (found["bad_move"], f'<p class="small">{label}.</p>' in shown) == ("", True)


def test_a_damaged_match_shows_no_more_of_its_hands_than_everybody_may_see(tmp_path: Path) -> None:
    archive = tmp_path / "shiji.db"
    with serving_file(archive) as running:
        table = begin(running.stub, chance=pb.CHANCE_SERVICE)
        seal, deal = (entry.text for entry in table.record()[1:3])
    damage(archive, "UPDATE entry SET actor = 0 WHERE sequence = 2")  # a seat would see what it deals
    with serving_file(archive) as running:
        shown = page(running, f"/matches/{table.match}/dispute").body.decode()

    assert ("seals" in seal, "deal" in deal) == (True, True)
    assert "The position after entry 1, the last one before the damage, as everybody may see it" in shown
    assert "what is hidden stays hidden" in shown
    assert "deal" not in shown.partition("<main")[2]


def test_a_match_with_a_damaged_header_has_no_drawing_and_says_why(tmp_path: Path) -> None:
    archive = tmp_path / "shiji.db"
    (match,) = make(archive, matches=1)
    damage(archive, "UPDATE entry SET move = x'ff' WHERE position = 1")
    with SqliteLog.open(archive) as log, serving_in_process(Ledger(log)) as running:
        shown = page(running, f"/matches/{match}/dispute").body.decode()

    assert "No position is drawn: the start of the record is damaged" in shown
    assert '<div class="board">' not in shown


def test_a_call_about_a_damaged_match_keeps_the_status_of_connect(
    damaged: tuple[InProcessService, str],
) -> None:
    running, match = damaged

    reply = call(running.web, "GetMatch", {"matchId": match})

    assert (reply.status, reply.json()["code"]) == (500, "data_loss")


def test_no_page_of_an_archive_that_is_only_read_offers_a_new_match() -> None:
    with serving_in_process(Ledger(MemoryLog()), options=Options(writes=False)) as running:
        for path in ("/", "/check", "/nothing", "/matches/nobody", "/new"):
            assert "New match" not in page(running, path).body.decode(), path
        refused = page(running, "/new")

    assert refused.status == 403
    assert "this archive is only read here: no match can be started" in refused.body.decode()


@pytest.mark.parametrize("reason", [*Reason, *HttpReason], ids=lambda reason: reason.name)
def test_the_advice_of_pages_is_for_readers(reason: Reason | HttpReason) -> None:
    if reason in {HttpReason.NEEDS_GRPC, HttpReason.TIMED_OUT, HttpReason.FOREIGN_ORIGIN}:
        return  # only a program gets it
    advice = page_advice(reason.name) or reason.value.advice

    assert advice
    assert not [word for word in FOR_PROGRAMS if word in advice]


@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("/matches/nobody", "Check the address. The archive lists all matches."),
        ("/matches/MATCH?entry=9999", "The page of the match opens at its last entry."),
        ("/nothing", "Check the address, or begin at the archive."),
    ],
)
def test_a_page_that_is_not_there_says_where_to_go(running: InProcessService, path: str, advice: str) -> None:
    match = begin(running.stub).match

    text = page(running, path.replace("MATCH", match)).body.decode().partition("<main")[2]

    assert advice in text
    assert not [word for word in FOR_PROGRAMS if word in text]
    assert (f'href="/matches/{match}"' in text) == ("MATCH" in path)


def test_the_beginning_of_an_id_leads_to_the_matches_that_have_it(running: InProcessService) -> None:
    match = begin(running.stub).match

    text = page(running, f"/matches/{match[:8]}").body.decode()

    assert f'href="/?id={match[:8]}"' in text
    assert match in page(running, f"/?id={match[:8]}").body.decode()


def test_the_page_that_asks_for_a_token_speaks_to_its_reader(tmp_path: Path) -> None:
    new_token(tmp_path / "tokens", "club", "recorder")
    secret = ServerSecret.load(tmp_path / "secret")
    keys = ByToken(tmp_path / "tokens", secret, lambda _: None)
    with serving_in_process(Ledger(MemoryLog()), options=Options(authenticator=keys)) as running:
        asked = page(running, "/")
        wrong = ask(running.web, "/", accept=BROWSER, authorization="Bearer nonsense")

    assert (asked.status, wrong.status) == (401, 401)
    assert "The page is shown to those who have a token." in asked.body.decode()
    assert "The token is not known here." in wrong.body.decode()
    assert "metadata" not in asked.body.decode()
