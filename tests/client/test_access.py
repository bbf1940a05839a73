"""A client that the server knows, and one that it does not."""

from pathlib import Path

import pytest
from shiji import Accepted, Chance, Client, Seat, Tls, errors

from tests.service.certificates import Certificate
from tests.service.servers import serving
from tests.service.tokens import new_token


def test_a_token_identifies_the_caller_and_seats_get_tokens_of_their_own(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    token = new_token(tokens, "app", "recorder")
    with serving(tmp_path / "archive.db", "--tokens", tokens) as server:
        with Client(server.address, token=token) as app:
            begun = app.start_match("qin", ["green", "violet"], chance=Chance.SERVICE)
        with Client(server.address) as stranger, pytest.raises(errors.NoCredentials):
            stranger.match(begun.match.id)
        green, violet = begun.seat_tokens
        with Client(server.address, token=violet) as player, pytest.raises(errors.NotYourSeat):
            player.state(begun.match.id, viewer=Seat(0))
        with Client(server.address, token=green) as player:
            move = next(player.legal_moves(begun.match.id, Seat(0)))
            verdict = player.append(begun.match.id, move.text, after=begun.match.sequence)
            with pytest.raises(errors.NotYourRole):
                player.start_match("qin", ["green", "violet"])

    assert isinstance(verdict, Accepted)
    assert "draw" in verdict.entries[1].text


def test_a_client_that_calls_too_often_waits_as_long_as_the_server_says(tmp_path: Path) -> None:
    limits = ("--calls-per-second", "20", "--calls-burst", "2")
    with serving(tmp_path / "archive.db", *limits) as server, Client(server.address) as client:
        match = client.start_match("qin", ["green", "violet"]).match

        assert [client.match(match.id) for _ in range(6)] == [match] * 6


def test_a_client_that_would_wait_for_too_long_says_so_at_once(tmp_path: Path) -> None:
    limits = ("--calls-per-second", "0.01", "--calls-burst", "1")
    with serving(tmp_path / "archive.db", *limits) as server, Client(server.address) as client:
        match = client.start_match("qin", ["green", "violet"]).match

        with pytest.raises(errors.TooManyCalls) as refused:
            client.match(match.id)

    assert refused.value.retry_after is not None
    assert refused.value.retry_after > 10


@pytest.mark.parametrize(
    "target", ["shiji.example:443", "10.0.0.7:50051", "127.0.0.1.example:1", "dns:///x:1"]
)
def test_a_token_is_not_sent_where_others_could_read_it(target: str) -> None:
    with pytest.raises(ValueError, match="unencrypted"):
        Client(target, token="shiji_secret")  # noqa: S106 - that it goes nowhere is the point


@pytest.mark.parametrize(
    "target", ["127.0.0.1:50051", "localhost:50051", "[::1]:50051", "unix:/run/shiji.sock"]
)
def test_a_token_may_stay_unencrypted_on_this_machine(target: str) -> None:
    Client(target, token="shiji_secret").close()  # noqa: S106 - as above


def test_tls_connects_only_parties_whose_certificates_the_root_signed(tmp_path: Path) -> None:
    authority = Certificate.authority("authority")
    root = tmp_path / "root.pem"
    root.write_bytes(authority.pem)
    (tmp_path / "server").mkdir()
    (tmp_path / "client").mkdir()
    server_files = authority.sign("server").save(tmp_path / "server")
    certificate, key = authority.sign("client").save(tmp_path / "client")
    tokens = tmp_path / "tokens.toml"
    token = new_token(tokens, "app", "recorder")
    flags = ("--tls-cert", server_files[0], "--tls-key", server_files[1], "--tls-client-ca", root)
    trusted = Tls(root=root, certificate=certificate, key=key)

    with serving(tmp_path / "archive.db", *flags, "--tokens", tokens) as server:
        with Client(server.address, token=token, tls=trusted) as known:
            begun = known.start_match("qin", ["green", "violet"])
        anonymous = Client(server.address, token=token, tls=Tls(root=root), timeout=0.5)
        distrustful = Client(server.address, token=token, tls=Tls(), timeout=0.5)
        for refused in (anonymous, distrustful):
            with refused, pytest.raises(errors.Unavailable):
                refused.match(begun.match.id)

    assert len(begun.seat_tokens) == 2


def test_a_missing_certificate_file_is_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"root\.pem"):
        Client("127.0.0.1:50051", tls=Tls(root=tmp_path / "root.pem"))
