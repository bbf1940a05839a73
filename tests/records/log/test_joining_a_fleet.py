"""Servers of one archive in PostgreSQL have one secret, one log and a direct connection."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial

import pytest

from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey, format_note
from records.log.postgres.connection import Session, Target
from records.log.postgres.fleet import NotOfThisFleet, join_fleet
from records.log.postgres.pulse import Pulse
from records.log.tree import signed_checkpoint
from tests.postgres import shared_cluster

SIGNER = SignerKey("a.example/log", SignatureType.ED25519, SecretKey(bytes(32)))
OTHER_LOG = r"is the log a\.example/log, and this key signs b\.example/log"


class TestJoiningAFleet:
    def test_a_clock_that_is_a_minute_off_is_refused(
        self, target: Target, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        join_fleet(target, b"f" * 32, sequencer=True)
        now = time.time
        monkeypatch.setattr("records.log.postgres.fleet.time.time", lambda: now() - 61)

        with pytest.raises(NotOfThisFleet, match="-61 seconds"):
            join_fleet(target, b"f" * 32, sequencer=True)

    def test_a_clock_that_goes_wrong_later_stops_the_writing(
        self, target: Target, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = time.time
        with closing(Pulse(target)) as pulse:
            assert pulse.write_fault() is None
            monkeypatch.setattr("records.log.postgres.fleet.time.time", lambda: now() + 61)
            deadline = time.monotonic() + 60
            while (why := pulse.write_fault()) is None:
                assert time.monotonic() < deadline

            assert why == "the clock of this server is +61 seconds from that of the database"

    def test_a_pooler_in_between_is_refused(self, target: Target) -> None:
        """A pooler sends a process id of its own when a client connects."""
        with posing_as_pooler(shared_cluster().port) as port:
            pooled = Target.parse(target.url.replace(f":{shared_cluster().port}/", f":{port}/"))

            with pytest.raises(NotOfThisFleet, match="PgBouncer"):
                join_fleet(pooled, b"f" * 32, sequencer=True)

    def test_the_first_log_key_is_that_of_the_fleet(self, target: Target) -> None:
        key, other_name, other_key = (
            SignerKey(name, SignatureType.ED25519, SecretKey(bytes([number]) * 32)).verifier
            for name, number in (("a.example/log", 1), ("b.example/log", 1), ("a.example/log", 2))
        )
        join = partial(join_fleet, target, b"a" * 32, sequencer=True)
        join()
        join(key=key)
        join(key=key)
        join()

        with pytest.raises(NotOfThisFleet, match=OTHER_LOG):
            join(key=other_name)
        with pytest.raises(NotOfThisFleet, match="is signed with another key than this"):
            join(key=other_key)

    def test_a_log_that_was_published_keeps_its_name(self, target: Target, owner: Session) -> None:
        signer = SignerKey("a.example/log", SignatureType.ED25519, SecretKey(bytes(32)))
        note = format_note(signed_checkpoint(signer, 1, bytes(32))).decode()
        owner.execute("INSERT INTO shiji.checkpoint VALUES (1, %s)", (note,))
        other = SignerKey("b.example/log", SignatureType.ED25519, SecretKey(bytes(32))).verifier

        with pytest.raises(NotOfThisFleet, match=OTHER_LOG):
            join_fleet(target, b"a" * 32, sequencer=True, key=other)
        join_fleet(target, b"a" * 32, sequencer=True, key=signer.verifier)

    def test_the_first_secret_is_that_of_the_fleet(self, target: Target) -> None:
        with pytest.raises(NotOfThisFleet, match="does not know its servers' secret yet"):
            join_fleet(target, b"a" * 32, sequencer=False)
        join_fleet(target, b"a" * 32, sequencer=True)
        join_fleet(target, b"a" * 32, sequencer=False)

        with pytest.raises(NotOfThisFleet, match="is not that of the other servers"):
            join_fleet(target, b"b" * 32, sequencer=True)


@contextmanager
def posing_as_pooler(port: int) -> Iterator[int]:
    """Passes one connection on to a server, with another process id in the message that has it."""
    key_data = b"K\x00\x00\x00\x0c"

    def pump(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                place = data.find(key_data) + len(key_data)
                known = place >= len(key_data)
                sink.sendall(data[:place] + b"\x00\x00\x00\x07" + data[place + 4 :] if known else data)
        sink.close()

    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            backend = socket.create_connection(("127.0.0.1", port))
            with client, backend:
                threading.Thread(target=pump, args=(client, backend), daemon=True).start()
                pump(backend, client)

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
