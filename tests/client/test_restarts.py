"""A server that is killed and restarted under its clients: nothing is lost, nothing stored twice."""

import asyncio
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from shiji import Accepted, AsyncClient, Client, Entry, Summary, Unavailable

from tests.apart import run_apart
from tests.client.restarting import Server, restarting

PLAYERS = 4
MOVES = 30
RESTARTS = 3
ALIVE = 0.3
"""Seconds until the server is killed; long enough for each client to make some moves."""
SEATS = ("green", "violet")


def _restart_again_and_again(server: Server) -> None:
    for _ in range(RESTARTS):
        time.sleep(ALIVE)
        server.restart()


def _play(client: Client, seed: int) -> list[Entry]:
    """Play a match and return the entries that the server reported as stored."""
    choose = random.Random(seed)  # noqa: S311 - a match to play, not a secret
    match = client.start_match("qin", SEATS).match
    stored: list[Entry] = []
    while len(stored) < MOVES:
        move = choose.choice(list(client.legal_moves(match.id)))
        verdict = client.append(match.id, move.text, after=len(stored))
        assert isinstance(verdict, Accepted)
        stored.extend(verdict.entries)
        if verdict.outcome is not None:
            break
    return stored


def _clean(client: Client) -> Summary:
    *_, summary = client.audit_archive()
    assert isinstance(summary, Summary)
    assert summary.clean
    return summary


@pytest.fixture(scope="module")
def moves(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A match that can be played again."""
    with (
        restarting(tmp_path_factory.mktemp("moves") / "archive.db") as server,
        Client(server.target) as client,
    ):
        return [entry.text for entry in _play(client, 0)]


def test_every_move_is_stored_once(tmp_path: Path) -> None:
    with restarting(tmp_path / "archive.db") as server, Client(server.target, timeout=60) as client:
        with ThreadPoolExecutor() as pool:
            restarted = pool.submit(_restart_again_and_again, server)
            played = list(pool.map(_play, [client] * PLAYERS, range(PLAYERS)))
            restarted.result()

        for stored in played:
            assert list(client.read(stored[0].match_id, from_sequence=1)) == stored
        assert _clean(client).entries == sum(map(len, played))
        assert len(list(client.matches())) == PLAYERS


def test_a_stream_of_moves_continues(tmp_path: Path, moves: list[str]) -> None:
    with restarting(tmp_path / "archive.db") as server, Client(server.target, timeout=60) as client:
        match = client.start_match("qin", SEATS).match
        with client.play() as play:
            for after, text in enumerate(moves[:10]):
                play.send(match.id, text, after=after)
            answers = [play.receive() for _ in range(5)]
            server.kill()
            for after, text in enumerate(moves[10:], 10):
                play.send(match.id, text, after=after)
            server.start()
            answers += [play.receive() for _ in moves[5:]]

        stored = [entry for answer in answers if isinstance(answer, Accepted) for entry in answer.entries]
        assert [entry.text for entry in stored] == moves
        assert list(client.read(match.id, from_sequence=1)) == stored
        _clean(client)


def test_a_follower_misses_nothing_and_sees_nothing_twice(tmp_path: Path, moves: list[str]) -> None:
    with restarting(tmp_path / "archive.db") as server, Client(server.target, timeout=60) as client:
        match = client.start_match("qin", SEATS).match
        of_match, of_archive = client.follow(match.id), client.follow_archive()
        followed = [[next(of_match)], [next(of_archive)]]
        for after, move in enumerate(moves[:3]):
            server.restart()
            client.append(match.id, move, after=after)
            followed[0].append(next(of_match))
            followed[1].append(next(of_archive))

        assert followed == [list(client.read(match.id))] * 2


def test_a_follower_resumes_after_a_server_that_shut_down_by_itself(tmp_path: Path) -> None:
    with restarting(tmp_path / "archive.db") as server, Client(server.target) as client:
        match = client.start_match("qin", SEATS).match
        followed = client.follow(match.id)
        first = next(followed)
        server.stop()
        server.start()
        client.append(match.id, "green pass", after=0)

        assert [first.sequence, next(followed).sequence] == [0, 1]


def test_with_asyncio_too_every_move_is_stored_once_and_followed_once(
    tmp_path: Path, moves: list[str]
) -> None:
    half = len(moves) // 2

    async def follow(client: AsyncClient, match_id: str) -> list[Entry]:
        entries: list[Entry] = []
        async for entry in client.follow(match_id):
            entries.append(entry)
            if len(entries) == len(moves) + 1:
                break
        return entries

    async def play(server: Server) -> None:
        async with AsyncClient(server.target, timeout=60) as client:
            match = (await client.start_match("qin", SEATS)).match
            following = asyncio.create_task(follow(client, match.id))
            async with client.play() as stream:
                for after, move in enumerate(moves[:half]):
                    stream.send(match.id, move, after=after)
                restarting = asyncio.create_task(asyncio.to_thread(server.restart))
                answers = [await stream.receive() for _ in moves[:half]]
                await restarting
            restarting = asyncio.create_task(asyncio.to_thread(server.restart))
            answers += [
                await client.append(match.id, move, after=after)
                for after, move in enumerate(moves[half:], half)
            ]

            stored = [entry for answer in answers if isinstance(answer, Accepted) for entry in answer.entries]
            followed = await following
            await restarting
            assert followed[1:] == stored
            assert [entry.sequence for entry in followed] == list(range(len(moves) + 1))
            assert [entry async for entry in client.read(match.id)] == followed
            assert (await client.audit_match(match.id)).entries == len(moves)

    with restarting(tmp_path / "archive.db") as server:
        run_apart(play(server))


def test_an_unreachable_server_is_reported_after_the_timeout(tmp_path: Path) -> None:
    with restarting(tmp_path / "archive.db") as server:
        target = server.target

    with Client(target, timeout=0.3) as client:
        with pytest.raises(Unavailable, match="Connection refused") as read:
            client.match("any")
        with pytest.raises(Unavailable) as followed:
            next(client.follow("any"))
        with pytest.raises(Unavailable) as written:
            client.append("any", "green pass", after=0, request_id="mine")
        with pytest.raises(Unavailable) as streamed, client.play() as play:
            play.append("any", "green pass", after=0)

    check = "Check the address and that the server runs. Then "
    again = "repeat the call with request_id={!r}: it is stored only once."
    assert [read.value.advice, followed.value.advice] == [f"{check}call again."] * 2
    assert written.value.advice == check + again.format("mine")
    assert streamed.value.request_id
    assert streamed.value.advice == check + again.format(streamed.value.request_id)


def test_with_asyncio_a_cancelled_wait_loses_no_answer(tmp_path: Path, moves: list[str]) -> None:
    async def play(server: Server) -> None:
        async with AsyncClient(server.target) as client:
            match = (await client.start_match("qin", SEATS)).match
            async with client.play() as stream:
                stream.send(match.id, moves[0], after=0)
                waiting = asyncio.create_task(stream.receive())
                await asyncio.sleep(0)
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                answer = await stream.receive()

            assert isinstance(answer, Accepted)
            assert [entry.text for entry in answer.entries] == moves[:1]

    with restarting(tmp_path / "archive.db") as server:
        run_apart(play(server))
