"""Starts a match over gRPC, plays it with one illegal move, follows and audits it.

Start a server with `make run`, then: python examples/python/match.py [HOST:PORT]
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from shiji import LOCAL, Accepted, Client, Illegal

MOVES = ("green Re6Be5", "violet Rg8Rg9", "green Re8Rf8", "green Rd7Yd8", "violet Re8Rf8")
"""The third joins two against two, which is illegal; one tile later the same join is three against two."""


def say(line: str) -> None:
    """Print a line in one piece, since two threads print."""
    sys.stdout.write(f"{line}\n")


def play(client: Client, match_id: str) -> int:
    """Play the legal moves and explain why the others are illegal; returns the last sequence."""
    sequence = 0
    for move in MOVES:
        verdict = client.append(match_id, move, after=sequence)
        match verdict:
            case Accepted():
                sequence = verdict.sequence
            case Illegal():
                explain(move, verdict)
    return sequence


def explain(move: str, verdict: Illegal) -> None:
    """Print which rules a move breaks, and why."""
    say(f"{move} is illegal:")
    for violation in verdict.violations:
        say(f"  {violation.rule} {violation.title}: {violation.why} ({', '.join(violation.places)})")
        say(f"  rule    {violation.text}")
        say(f"  source  {violation.source}")
        for ruling in violation.rulings:
            say(f"  ruling  {ruling.name}={ruling.value}: {ruling.meaning}")


def follow(client: Client, match_id: str) -> None:
    """Print every entry as it arrives, until the last move has been played."""
    for entry in client.follow(match_id, from_sequence=1):
        say(f"followed: {entry.sequence}. {entry.text}")
        if entry.sequence == len(MOVES) - 1:
            return


def main(target: str) -> None:
    """Run the example against a server."""
    with Client(target) as client, ThreadPoolExecutor(1) as pool:
        match = client.start_match("qin", ["green", "violet"]).match
        following = pool.submit(follow, client, match.id)
        sequence = play(client, match.id)
        following.result()

        print(client.state(match.id, drawing=True).drawing)
        report = client.audit_match(match.id)
        print(f"audit: {report.verdict.value}, {report.good} of {sequence} entries")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else LOCAL)
