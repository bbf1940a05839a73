"""Two servers of one archive answer, show and follow the same."""

import random
import threading
from contextlib import closing
from itertools import islice
from pathlib import Path

import psycopg
from grpc import StatusCode
from shiji import Client, Summary
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.evidence.personal_commitment import Fact
from records.ledger.ledger import Ledger
from records.log.opening import open_log, open_register
from records.log.postgres.connection import Target
from records.log.postgres.log import PostgresLog
from tests.postgres import as_role, shared_cluster
from tests.service.calls import Table, begin
from tests.service.fleet.common import MOVES, SERVING, WAIT_SECONDS, at, eventually, hashes, with_person
from tests.service.mutants import mutants
from tests.service.running import serving_in_process
from tests.service.servers import Running, bearer, refused, serving
from tests.service.test_fuzz import METHODS, TRANSCRIPT, call
from tests.service.tokens import new_token
from tools.dev.every_call import EveryCall


class TestTwoServers:
    def test_a_match_is_played_at_both(self, fleet: tuple[Running, Running]) -> None:
        one, other = fleet
        table = begin(one.stub)
        for number, move in enumerate(MOVES):
            table = at(fleet[(number + 1) % 2], table)
            table.play(move)

        assert [entry.text for entry in at(one, table).record()][1:] == list(MOVES)
        assert hashes(at(one, table)) == hashes(at(other, table))

    def test_a_repeated_request_is_answered_by_the_other_server_as_by_the_first(
        self, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub)
        request = table.append_request(MOVES[0])
        first = one.stub.AppendMove(request).appended

        repeat = other.stub.AppendMove(request).appended

        for answer in (first, repeat):
            for entry in answer.entries:
                entry.position = 0
        assert repeat == first

    def test_a_server_that_is_behind_says_where_the_match_is_and_goes_on_from_there(
        self, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub)
        behind = at(other, table)
        behind.record()
        table.play(MOVES[0])

        with refused() as refusal:
            behind.play(MOVES[0])

        assert refusal.reason == "SEQUENCE_TAKEN"
        assert refusal.metadata["actual_sequence"] == "1"
        at(other, table).play(MOVES[1])

    def test_followers_at_one_server_see_what_is_played_at_the_other(
        self, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub)
        following = other.stub.FollowRecord(
            pb.FollowRecordRequest(match_id=table.match), timeout=WAIT_SECONDS
        )
        first = next(following)
        after = first.entry.position
        archive = other.stub.FollowArchive(
            pb.FollowArchiveRequest(after_position=after), timeout=WAIT_SECONDS
        )
        table.play(*MOVES)

        followed = [answer.entry for answer in islice(following, len(MOVES))]
        numbered = [answer.entry.position for answer in islice(archive, len(MOVES))]
        following.cancel()
        archive.cancel()

        assert [entry.text for entry in followed] == list(MOVES)
        assert all(entry.position > after for entry in followed)
        assert numbered == list(range(after + 1, after + 1 + len(MOVES)))

    def test_every_method_works_at_every_server(self, target: Target, fleet: tuple[Running, Running]) -> None:
        noted: list[tuple[str, int]] = []
        for server in fleet:
            with Client(server.address, timeout=WAIT_SECONDS) as client:
                player = EveryCall(client, f"every {server.address}", lambda *each: noted.append(each[:2]))
                scenes = list(islice(player.play(), 5))

                assert scenes == ["_plain", "_signed", "_choices", "_imported", "_read"]

        with open_log(target.url, read_only=True) as log:
            heads = log.heads([MatchId(match) for match, _ in noted])
        assert all(heads[MatchId(match)].sequence >= sequence for match, sequence in noted)

    def test_many_callers_at_both_servers_lose_nothing(self, fleet: tuple[Running, Running]) -> None:
        tables = [begin(fleet[number % 2].stub) for number in range(12)]

        def play(number: int, table: Table) -> None:
            for turn, move in enumerate(MOVES):
                at(fleet[(number + turn) % 2], table).play(move)
                table.last += 1

        threads = [threading.Thread(target=play, args=each) for each in enumerate(tables)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert {len(table.record()) for table in tables} == {len(MOVES) + 1}

    def test_an_audit_of_the_archive_is_clean_and_the_listing_complete(
        self, target: Target, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub)
        with open_log(target.url, read_only=True) as log:
            eventually(lambda: any(listed.match == table.match for listed in log.listing()))

        summary = list(other.stub.AuditArchive(pb.AuditArchiveRequest()))[-1].summary
        page = other.stub.ListMatches(pb.ListMatchesRequest(match_id_prefix=table.match))

        assert summary.clean
        assert [match.match_id for match in page.matches] == [table.match]

    def test_an_audit_of_the_archive_says_what_was_not_checked(self, fleet: tuple[Running, Running]) -> None:
        with Client(fleet[0].address) as client:
            *_, summary = client.audit_archive()

        assert isinstance(summary, Summary)
        assert summary.not_checked == ("indexes, because the extension amcheck is not installed",)
        assert summary.clean

    def test_what_is_started_at_one_server_can_be_dealt_and_looked_at_by_seats_at_the_other(
        self, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub, chance=pb.CHANCE_SERVICE)

        move = at(other, table).legal()[0]
        played = at(other, table).play(move)

        assert hashes(at(one, table)) == hashes(at(other, table))
        assert played.entries[-1].sequence > table.last

    def test_both_are_healthy_in_all_parts(self, fleet: tuple[Running, Running]) -> None:
        for server in fleet:
            parts = ("", "shiji.read", "shiji.write", "shiji.sequencer", "shiji.record.v1.RecordService")
            assert {server.check(part) for part in parts} == {SERVING}


class TestPeople:
    def test_facts_about_people_are_kept_by_servers_that_may_not_change_them(
        self, target: Target, fleet: tuple[Running, Running]
    ) -> None:
        for number, server in enumerate(fleet):
            begun = server.stub.StartMatch(with_person(f"people {number}"))
            assert begun.match.match_id

        owner = as_role(target, "owner").url
        with closing(open_register(owner)) as register:
            facts = [stored.fact for stored in register.everything()]
        assert Fact("player-1", "name", "Ann") in facts

    def test_a_missing_right_is_not_something_to_wait_for(self, secret: Path) -> None:
        target = shared_cluster().target_of("server")
        with psycopg.connect(as_role(target, "owner").url, autocommit=True) as owner:
            owner.execute("REVOKE INSERT ON shiji.person FROM shiji_server")
        with serving(target.url, "--secret-file", secret) as server, refused() as refusal:
            server.stub.StartMatch(with_person("refused"))

        assert refusal.code == StatusCode.FAILED_PRECONDITION
        assert refusal.reason == "STORAGE_FORBIDDEN"
        assert "grant" in refusal.message


class TestTokens:
    def test_owners_and_seats_are_the_same_at_every_server(
        self, target: Target, secret: Path, tmp_path: Path
    ) -> None:
        tokens = tmp_path / "tokens.json"
        club = bearer(new_token(tokens, "club", "recorder"))
        rival = bearer(new_token(tokens, "rival", "recorder"))
        flags = ("--secret-file", secret, "--tokens", tokens)
        with serving(target.url, *flags) as one, serving(target.url, *flags) as other:
            start = pb.StartMatchRequest(request_id="tokens", game="qin", seats=("green", "violet"))
            begun = one.stub.StartMatch(start, metadata=club)
            table = Table(other.stub, begun.match.match_id, 0)

            with refused() as refusal:
                other.stub.AppendMove(table.append_request(MOVES[0]), metadata=rival)
            assert refusal.reason == "NOT_YOUR_MATCH"

            seat = bearer(begun.seat_tokens[0])
            other.stub.AppendMove(table.append_request(MOVES[0]), metadata=seat)
            table.last = 1
            other.stub.AppendMove(table.append_request(MOVES[1]), metadata=club)
            assert one.stub.StartMatch(start, metadata=club).match.match_id == table.match


class TestFuzz:
    def test_changed_requests_are_answered_or_refused(self) -> None:
        with (
            PostgresLog.open(shared_cluster().target_of("server")) as log,
            serving_in_process(Ledger(log, secrets=lambda _: b"s" * 32)) as running,
        ):
            played = begin(running.stub, chance=pb.CHANCE_SERVICE)
            played.play(played.legal()[0])
            values = {"match": played.match, "position": played.state().position, "transcript": TRANSCRIPT}
            dice = random.Random(20)  # noqa: S311 - the same each time
            for method in METHODS:
                if method.name == "AuditArchive":
                    continue  # it opens the archive a second time, which this service cannot
                for data in islice(mutants(method, values, dice), 6):
                    assert call(running, method, data) not in {StatusCode.INTERNAL, StatusCode.UNKNOWN}
