"""Tokens: how they are made, stored and checked."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from grpc import RpcError
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from tests.service.observed import wait_until
from tests.service.servers import TIMEOUT_SECONDS, Playing, Running, bearer, refusal_of, refused, serving
from tests.service.tokens import new_token
from tests.tools.running import run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens"


@pytest.fixture
def server(tmp_path: Path, file: Path) -> Iterator[tuple[Running, str]]:
    """A server, and the token of an admin."""
    token = new_token(file, "admin", "admin")
    with serving(tmp_path / "shiji.db", "--tokens", file) as running:
        yield running, token


def calls(server: Running, metadata: tuple[tuple[str, str], ...]) -> str:
    """The reason why a call is refused, or nothing if it is answered."""
    try:
        server.stub.ListMatches(pb.ListMatchesRequest(), metadata=metadata, timeout=TIMEOUT_SECONDS)
    except RpcError as fault:
        return refusal_of(fault).reason
    return ""


def test_a_new_token_is_printed_once_and_only_its_hash_is_kept(file: Path) -> None:
    done = run("token", "new", "--tokens", file, "--name", "app", "--role", "recorder")

    secret = done.stdout.strip()
    assert secret.startswith("shiji_")
    assert len(secret) == len("shiji_") + 43
    assert "cannot be shown again" in done.stderr
    assert secret not in file.read_text()
    assert secret not in run("token", "list", "--tokens", file).output


def test_only_its_owner_may_read_the_file(file: Path) -> None:
    new_token(file, "app", "recorder")

    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_tokens_are_listed_with_their_roles_and_seats(file: Path) -> None:
    new_token(file, "app", "recorder")
    new_token(file, "player", "seat", "--seat", "match-7/1", "--days", "2")

    lines = run("token", "list", "--tokens", file, "--json").stdout.splitlines()

    app, player = map(json.loads, lines)
    assert (app["name"], app["role"], app["expired"]) == ("app", "recorder", False)
    assert (player["match"], player["seat"], "expires" in player) == ("match-7", 1, True)


def test_revoking_a_token_keeps_the_others(file: Path) -> None:
    new_token(file, "app", "recorder")
    new_token(file, "other", "auditor")
    run("token", "revoke", "--tokens", file, "app")

    output = run("token", "list", "--tokens", file).stdout

    assert "app" not in output
    assert "other: auditor" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["new", "--name", "app", "--role", "admin"],
            "app has a token already; `shiji token revoke app` revokes it",
        ),
        (["new", "--name", "no good", "--role", "admin"], "cannot hold these tokens"),
        (["new", "--name", "x", "--role", "seat"], "the role seat, and no other, takes a match and a seat"),
        (["new", "--name", "x", "--role", "admin", "--seat", "m/0"], "the role seat, and no other"),
        (["new", "--name", "x", "--role", "seat", "--seat", "m"], "'m' is not MATCH/SEAT"),
        (["new", "--name", "x", "--role", "king"], "'king' is not one of"),
        (["revoke", "nobody"], "has no token for nobody"),
    ],
)
def test_an_invalid_change_is_reported_and_changes_nothing(
    file: Path, arguments: list[str], message: str
) -> None:
    new_token(file, "app", "recorder")
    before = file.read_bytes()

    done = run("token", arguments[0], "--tokens", file, *arguments[1:])

    assert done.exit_code == 2
    assert message in done.stderr
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_the_file_cannot_be_changed_by_two_programs_at_once(file: Path) -> None:
    new_token(file, "app", "recorder")
    file.with_name("tokens.new").touch()

    done = run("token", "revoke", "--tokens", file, "app")

    assert done.exit_code == 2
    assert "another program is changing" in done.stderr
    assert "app" in file.read_text()


@pytest.mark.parametrize(
    "text",
    ["", "{}", '{"format": "shiji-tokens/9", "tokens": []}', '{"format": "shiji-tokens/1", "tokens": 3}'],
)
def test_a_file_of_another_format_is_reported(file: Path, text: str) -> None:
    file.write_text(text)

    done = run("token", "list", "--tokens", file)

    assert done.exit_code == 2
    assert "cannot hold these tokens" in done.stderr


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_a_caller_with_a_known_token_is_admitted(server: tuple[Running, str], scheme: str) -> None:
    running, token = server

    assert calls(running, (("authorization", f"{scheme} {token}"),)) == ""


def test_a_caller_without_a_known_token_is_refused(server: tuple[Running, str]) -> None:
    running, token = server
    values = ["", token, f"Basic {token}", "Bearer ", f"Bearer {token}x", f"Bearer {token[:-1]}"]

    reasons = [calls(running, (("authorization", value),)) for value in values]

    assert reasons == ["NO_CREDENTIALS"] * len(values)


def test_health_checks_need_no_token(server: tuple[Running, str]) -> None:
    running, _ = server

    assert running.check() == 1


def test_a_token_made_while_the_server_runs_is_accepted(server: tuple[Running, str], file: Path) -> None:
    running, _ = server
    token = new_token(file, "late", "auditor")

    wait_until(lambda: calls(running, bearer(token)) == "")


def test_a_revoked_token_is_refused(server: tuple[Running, str], file: Path) -> None:
    running, token = server
    assert calls(running, bearer(token)) == ""
    run("token", "revoke", "--tokens", file, "admin")

    wait_until(lambda: calls(running, bearer(token)) == "NO_CREDENTIALS")


def test_a_follower_whose_token_is_revoked_receives_nothing_more(
    server: tuple[Running, str], file: Path
) -> None:
    running, token = server
    leaving = new_token(file, "leaving", "auditor")
    wait_until(lambda: calls(running, bearer(leaving)) == "")
    start(running, token)
    following = running.stub.FollowArchive(
        pb.FollowArchiveRequest(), metadata=bearer(leaving), timeout=TIMEOUT_SECONDS
    )
    next(following)
    run("token", "revoke", "--tokens", file, "leaving")
    wait_until(lambda: calls(running, bearer(leaving)) == "NO_CREDENTIALS")
    start(running, token)

    with refused() as refusal:
        next(following)

    assert (refusal.reason, refusal.message) == ("NO_CREDENTIALS", "the token has been revoked")


def test_a_move_of_a_stream_whose_token_is_revoked_is_not_stored(
    server: tuple[Running, str], file: Path
) -> None:
    running, token = server
    leaving = new_token(file, "leaving", "recorder", "--owner", "admin")
    wait_until(lambda: calls(running, bearer(leaving)) == "")
    match = start(running, token)
    playing = Playing.of(running, leaving)
    playing.send(move(match, 0, "green Re8Re9"))
    assert next(playing.answers).HasField("appended")
    run("token", "revoke", "--tokens", file, "leaving")
    wait_until(lambda: calls(running, bearer(leaving)) == "NO_CREDENTIALS")
    playing.send(move(match, 1, "violet Yg8Bh8"))

    with refused() as refusal:
        next(playing.answers)

    assert refusal.reason == "NO_CREDENTIALS"
    request = pb.GetMatchRequest(match_id=match)
    assert running.stub.GetMatch(request, metadata=bearer(token), timeout=TIMEOUT_SECONDS).match.sequence == 1


def move(match: str, expected: int, text: str) -> pb.PlayRequest:
    return pb.PlayRequest(
        append=pb.AppendMoveRequest(
            match_id=match, expected_sequence=expected, request_id=text, move=entries.Move(text=text)
        )
    )


def test_an_expired_token_is_refused(server: tuple[Running, str], file: Path) -> None:
    running, token = server
    tokens = json.loads(file.read_text())
    tokens["tokens"][0]["expires"] = "2020-01-01T00:00:00Z"
    file.write_text(json.dumps(tokens))

    wait_until(lambda: calls(running, bearer(token)) == "NO_CREDENTIALS")


def test_a_damaged_token_file_is_not_used(tmp_path: Path, file: Path) -> None:
    token = new_token(file, "admin", "admin")
    log = tmp_path / "log"
    with log.open("w") as stream, serving(tmp_path / "shiji.db", "--tokens", file, log=stream) as running:
        file.write_text("damaged")

        wait_until(lambda: "cannot hold these tokens" in log.read_text())
        assert calls(running, bearer(token)) == ""


def start(server: Running, token: str) -> str:
    """Starts a match; returns its id."""
    request = pb.StartMatchRequest(request_id=str(uuid4()), game="qin", seats=["green", "violet"])
    return server.stub.StartMatch(request, metadata=bearer(token), timeout=TIMEOUT_SECONDS).match.match_id
