"""Repeats eight attacks that once stopped a server for everybody, and prints what each of them does today.

docs/security.md has the figures. `make load` searches for further ones, and has the bounds.
"""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import click
import grpc
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from tools.dev.load import Victim
from tools.dev.load_floods import OPTIONS, TIMEOUT_SECONDS, GrpcFlood, flooding
from tools.dev.load_requests import LONG_ENTRIES, Archive, fill_archive
from tools.dev.loaded_server import LoadedServer, loaded_server

_COMMENTS: Final = "; comment\n" * 390_000
_MATCHES: Final = 2_500
"""Matches of the archive that is followed."""

_STREAMS: Final = 1_024
_WATCHES: Final = 300
_FOLLOWERS: Final = 8
"""Streams that read the whole archive; of one owner, they share a fifth of the event loop's time."""

_REST_SECONDS: Final = 10.0
"""Rest before the memory after a flood is measured."""


class Attacks:
    """One owner's attacks on a server, and what another owner notices of them."""

    def __init__(self, server: LoadedServer, archive: Archive) -> None:
        self._server: Final = server
        self._archive: Final = archive
        self._channel: Final = grpc.insecure_channel(server.address, OPTIONS)
        self.stub: Final = RecordServiceStub(self._channel)
        self._victim: Final = Victim(server.address, archive.victim)
        self._attacker: Final = _bearer(archive.attacker)
        self._other: Final = _bearer(archive.victim)

    def rows(self) -> Iterator[tuple[str, str]]:
        """What was sent, and its effect."""
        self._victim.play("warm-up", 1.0)
        for row in (
            self.comments,
            self.takebacks,
            self.without_token,
            self.idle_streams,
            self.slow_work,
            self.old_states,
            self.disputes,
            self.followers,
        ):
            self._server.longest()
            yield row()

    def _noticed(self, attack: Callable[[], object]) -> tuple[float, int]:
        """The slowest append of the other owner during an attack, in ms, and its failures."""
        took, done = list[float](), threading.Event()
        with ThreadPoolExecutor(1) as thread:
            attacking = thread.submit(attack)
            attacking.add_done_callback(lambda _: done.set())
            failures = 0
            while not done.is_set() or not took:
                cell = self._victim.play("victim", 0.05)
                took.append(1000 * cell.p99)
                failures += cell.failures
            attacking.result()
        return max(took), failures

    def comments(self) -> tuple[str, str]:
        """Text that takes long to parse."""
        request = pb.CheckMoveRequest(transcript=_COMMENTS, move=entries.Move(text="green Re8Re9"))
        check = partial(self.stub.CheckMove, request, metadata=self._attacker, timeout=TIMEOUT_SECONDS)
        answers = list[str]()

        def attack() -> None:
            with ThreadPoolExecutor(4) as threads:
                answers.extend(threads.map(self._reason, [check] * 4))

        worst, failures = self._noticed(attack)
        return (
            "4 × CheckMove with 3.9 MB of comment lines at once",
            f"{answers[0]}; another owner's slowest append {worst:.0f} ms, {failures} failed",
        )

    def takebacks(self) -> tuple[str, str]:
        """Exports whose cost once grew with the square of the takebacks."""
        for match in self._matches:
            self._export(match)  # until the processes are started
        short, long = (self._seconds(partial(self._export, match)) for match in self._matches)
        return (
            "ExportRecord of a record with 1,000 takebacks, and with 9,700",
            f"{short:.2f} s, {long:.2f} s",
        )

    def without_token(self) -> tuple[str, str]:
        """Large requests of callers that are not known."""
        before = peak = self._server.memory()
        flood = GrpcFlood(self._server.address, "AppendMoves", b"\x22\x00" * 1_950_000, "", 1)
        with flooding([flood] * 12):
            end = time.monotonic() + 10.0
            while time.monotonic() < end:
                time.sleep(0.1)
                peak = max(peak, self._server.memory())
        time.sleep(_REST_SECONDS)
        return (
            "12 callers without a token, AppendMoves of 1.95 M empty moves",
            f"memory {before:.0f} → {peak:.0f} MB, {self._server.memory():.0f} MB afterwards",
        )

    def idle_streams(self) -> tuple[str, str]:
        """Streams that wait for ever, with tokens of seats and without a token."""
        tokens = [token for number in range(2) for token in self._start(f"seats {number}").seat_tokens]
        with _channels(self._server.address, 8) as channels:
            streams = [
                RecordServiceStub(channels[number % 8]).Play(
                    _silence(), metadata=_bearer(tokens[number % len(tokens)])
                )
                for number in range(_STREAMS)
            ]
            watches = [_watched(channels[number % 8]) for number in range(_WATCHES)]
            opened = sum(1 for stream in streams if _begins(stream))
            watching = sum(1 for watch in watches if _gives_one(watch))
            cell = self._victim.play("victim", 1.0)
            for stream in streams:
                stream.cancel()
            for watch in watches:
                watch.cancel()
        return (
            f"{_STREAMS} idle Play streams of four seats, {_WATCHES} Health.Watch without a token",
            f"{opened} and {watching} open; another's p99 {1000 * cell.p99:.0f} ms, {cell.failures} failed",
        )

    def slow_work(self) -> tuple[str, str]:
        """Audits and imports of long records."""
        content = self._archive.file[self._archive.long][: 4 * 1024 * 1024 - 100]
        audit = partial(
            self.stub.AuditMatch,
            pb.AuditMatchRequest(match_id=self._archive.long),
            metadata=self._attacker,
            timeout=TIMEOUT_SECONDS,
        )
        imported = partial(
            self.stub.ImportRecord,
            pb.ImportRecordRequest(content=content),
            metadata=self._attacker,
            timeout=TIMEOUT_SECONDS,
        )
        honest = _transcript(str(time.monotonic_ns()))
        match = self._start("exported", self._other).match.match_id
        with ThreadPoolExecutor(72) as threads:
            calls: list[Callable[[], object]] = [*[audit] * 60, *[imported] * 12]
            for call in calls:
                threads.submit(self._reason, call)
            time.sleep(0.5)
            export = self._seconds(partial(self._export, match, self._other))
            importing = self._seconds(
                lambda: self.stub.ImportRecord(
                    pb.ImportRecordRequest(content=honest), metadata=self._other, timeout=TIMEOUT_SECONDS
                )
            )
            threads.shutdown(wait=False, cancel_futures=True)
        return (
            "60 × AuditMatch and 12 imports of a long record at once",
            f"another owner's export {export:.2f} s, its import {importing:.2f} s",
        )

    def old_states(self) -> tuple[str, str]:
        """States in the middle of a long record."""

        def at(sequence: int) -> float:
            request = pb.GetStateRequest(match_id=self._archive.long, sequence=sequence)
            ask = partial(self.stub.GetState, request, metadata=self._attacker, timeout=TIMEOUT_SECONDS)
            return min(self._seconds(ask) for _ in range(5))

        at(LONG_ENTRIES // 2)
        early, late = at(201), at(LONG_ENTRIES - 101)
        return (
            "GetState at entry 201 and near the end of a long record",
            f"{1000 * early:.1f} ms, {1000 * late:.1f} ms",
        )

    def disputes(self) -> tuple[str, str]:
        """A seat that opens disputes until its match is full."""
        started = self._start("disputed")
        match, seat = started.match.match_id, _bearer(started.seat_tokens[0])
        moves, last, stored, reason = ("green Re8Re9", "violet Yg8Bh8"), 0, 0, ""
        last = self._append(match, last, moves[0])
        while not reason:
            request = pb.OpenDisputeRequest(
                match_id=match,
                expected_sequence=last,
                request_id=f"d{last}",
                actor=entries.Actor(seat=0),
                at_sequence=1,
                claim="again",
            )
            try:
                self.stub.OpenDispute(request, metadata=seat, timeout=TIMEOUT_SECONDS)
            except grpc.RpcError as fault:
                reason = _details(fault)
            else:
                last, stored = last + 1, stored + 1
        self._append(match, last, moves[1])
        exported = self._seconds(partial(self._export, match))
        return (
            "disputes by one seat, as many as it can open",
            f"{stored}, then {reason}; the next move is stored, the export takes {exported:.2f} s",
        )

    def followers(self) -> tuple[str, str]:
        """Streams over all matches."""
        for number in range(_MATCHES):
            self._start(f"followed {number}", self._other)
        before = self._server.memory()
        with _channels(self._server.address, 4) as channels:
            request = pb.FollowArchiveRequest()
            streams = [
                RecordServiceStub(channels[number % 4]).FollowArchive(request, metadata=self._attacker)
                for number in range(_FOLLOWERS)
            ]
            with ThreadPoolExecutor(_FOLLOWERS) as threads:
                list(threads.map(_read_all, streams))
            used = (self._server.memory() - before) / _FOLLOWERS
            for call in streams:
                call.cancel()
        return (
            f"{_FOLLOWERS} × FollowArchive of {_MATCHES} further matches, read to the end",
            f"{used:.2f} MB per stream",
        )

    @property
    def _matches(self) -> tuple[str, str]:
        return self._archive.short, self._archive.long

    def _start(self, request: str, metadata: "Metadata | None" = None) -> pb.StartMatchResponse:
        start = pb.StartMatchRequest(request_id=f"table {request}", game="qin", seats=["green", "violet"])
        return self.stub.StartMatch(start, metadata=metadata or self._attacker, timeout=TIMEOUT_SECONDS)

    def _append(self, match: str, last: int, move: str) -> int:
        request = pb.AppendMoveRequest(match_id=match, expected_sequence=last, request_id=f"m{last}")
        request.move.text = move
        self.stub.AppendMove(request, metadata=self._attacker, timeout=TIMEOUT_SECONDS)
        return last + 1

    def _export(self, match: str, metadata: "Metadata | None" = None) -> None:
        request = pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD, max_bytes=1 << 20)
        while True:
            page = self.stub.ExportRecord(
                request, metadata=metadata or self._attacker, timeout=TIMEOUT_SECONDS
            )
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    @staticmethod
    def _reason(call: Callable[[], object]) -> str:
        try:
            call()
        except grpc.RpcError as fault:
            return _details(fault)
        return "answered"

    @staticmethod
    def _seconds(work: Callable[[], object]) -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began


Metadata: TypeAlias = tuple[tuple[str, str], ...]


def _bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


def _details(fault: object) -> str:
    return (fault.details() or "")[:80] if isinstance(fault, grpc.Call) else str(fault)


def _silence() -> Iterator[pb.PlayRequest]:
    threading.Event().wait()
    yield pb.PlayRequest()


@contextmanager
def _channels(address: str, count: int) -> Iterator[list[grpc.Channel]]:
    channels = [grpc.insecure_channel(address, OPTIONS) for _ in range(count)]
    try:
        yield channels
    finally:
        for channel in channels:
            channel.close()


def _watched(channel: grpc.Channel) -> "grpc._CallIterator[bytes]":
    """A stream of the health of the whole server, which an empty request asks for."""
    watch: grpc.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream("/grpc.health.v1.Health/Watch")
    return watch(b"")


def _begins(stream: object) -> bool:
    """Whether the server has accepted a stream."""
    if not isinstance(stream, grpc.Call):
        return False
    with suppress(grpc.RpcError):
        return stream.initial_metadata() is not None and stream.is_active()
    return False


def _gives_one(stream: Iterator[object]) -> bool:
    with suppress(grpc.RpcError):
        return next(stream, None) is not None
    return False


def _read_all(stream: Iterator[pb.FollowArchiveResponse]) -> None:
    for answer in stream:
        if answer.entry.position >= answer.last_position:
            return


def _transcript(event: str) -> bytes:
    return (
        '[Format "shiji/1"]\n[Game "qin"]\n[Edition "qin/1"]\n[Board "bird"]\n[Seats "green violet"]\n'
        f'[Event "{event}"]\n\n1. green Re8Re9\n2. violet Yg8Bh8\n'
    ).encode()


@click.command()
def main() -> None:
    """Make the attacks one after the other; prints a line for each."""
    with tempfile.TemporaryDirectory() as folder:
        archive = fill_archive(Path(folder))
        with loaded_server(Path(folder)) as server:
            for sent, effect in Attacks(server, archive).rows():
                longest = next(iter(server.longest()), "none")
                click.echo(f"| {sent} | {effect} | {longest} |")


if __name__ == "__main__":
    main()
