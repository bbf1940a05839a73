"""The operator may bound the matches of an owner; what an owner has goes on."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.log.owners import Owners
from service.errors import CallError, Reason
from service.quota import MatchQuota
from tests.service.calls import refusal, text
from tests.service.servers import TIMEOUT_SECONDS, Running, bearer, serving
from tests.service.tokens import new_token
from tools.dev.golden import FOLDER as GOLDEN

MOST = 2

PLAYED = GOLDEN / "forced-pass-on-bird.shiji"


@pytest.fixture(name="club")
def _club(tmp_path: Path) -> Iterator[tuple[Running, dict[str, str]]]:
    tokens = {
        name: new_token(tmp_path / "tokens", name, "recorder", "--owner", owner)
        for name, owner in (("one", "club"), ("two", "club"), ("rival", "rival"))
    }
    options = ("--tokens", tmp_path / "tokens", "--max-matches-per-owner", str(MOST))
    with serving(tmp_path / "shiji.db", *options) as server:
        yield server, tokens


def start(server: Running, token: str, request: str) -> pb.StartMatchResponse:
    wanted = pb.StartMatchRequest(request_id=request, game="qin", seats=["green", "violet"])
    return server.stub.StartMatch(wanted, metadata=bearer(token), timeout=TIMEOUT_SECONDS)


def test_an_owner_with_all_of_its_matches_gets_no_more_and_another_owner_does(
    club: tuple[Running, dict[str, str]],
) -> None:
    server, tokens = club
    first = start(server, tokens["one"], "a").match.match_id
    second = start(server, tokens["two"], "b").match.match_id

    refused = refusal(lambda: start(server, tokens["one"], "c"))
    assert (refused.reason, refused.metadata["limit"]) == ("QUOTA_REACHED", "max-matches-per-owner")
    assert f"has {MOST} matches" in refused.message
    imported = pb.ImportRecordRequest(content=PLAYED.read_bytes())
    by_club, by_rival = bearer(tokens["two"]), bearer(tokens["rival"])
    assert refusal(lambda: server.stub.ImportRecord(imported, metadata=by_club)).reason == "QUOTA_REACHED"

    assert start(server, tokens["two"], "b").match.match_id == second
    assert server.stub.ImportRecord(imported, metadata=by_rival).added
    assert start(server, tokens["rival"], "c").match.match_id
    move = pb.AppendMoveRequest(match_id=first, request_id="m", move=text("green Re8Re9"))
    assert server.stub.AppendMove(move, metadata=bearer(tokens["two"])).appended.entries


def test_matches_that_are_being_started_count_and_those_that_failed_do_not(tmp_path: Path) -> None:
    owners = Owners(tmp_path / "owners", ())
    quota = MatchQuota(owners, MOST)

    def new_match(owner: str | None, request: str) -> AbstractContextManager[None]:
        return quota.new_match(owner, request, quota.stored(owner))

    async def fill() -> None:
        with new_match("club", "a"), new_match("club", "b"):
            with pytest.raises(CallError) as refused, new_match("club", "c"):
                pass
            assert refused.value.reason is Reason.QUOTA_REACHED
        with pytest.raises(ZeroDivisionError), new_match("club", "d"):
            raise ZeroDivisionError
        owners.claim(MatchId("1"), "club")
        owners.claim(MatchId("2"), "club")
        with pytest.raises(CallError), new_match("club", "d"):
            pass
        with new_match("club", "a"), new_match(None, "e"), new_match("rival", "e"):
            pass

    asyncio.run(fill())
