"""Remembers what states answered, so that what the mutants of a record have in common is computed once."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Concatenate, ParamSpec, TypeVar
from unittest.mock import patch

from records.evidence.ed25519 import PublicKey
from records.games.bound import BoundGame
from records.games.candidate import Candidate
from records.games.state import GameState

MOST_ANSWERS = 50_000
"""Answers of one method that are kept at a time, with the states that they belong to."""

OF_STATES = (
    "digest",
    "fold",
    "is_canonical",
    "judge",
    "judge_shown",
    "outcomes",
    "parse_bytes",
    "position",
    "problems",
    "shown",
    "tell_events",
    "view",
    "write_move",
)
"""Methods of a state whose answers depend on nothing but the state and the arguments."""

Owner = TypeVar("Owner")
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


@contextmanager
def remembering() -> Iterator[None]:
    """Within this, the same state answers a question once, and a signature is checked once.

    A state is known by its identity, as comparing states takes longer than most answers. States of records
    that begin alike are the same ones, because the state that a match starts with is remembered too.
    """
    with ExitStack() as stack:
        for name in OF_STATES:
            stack.enter_context(patch.object(GameState, name, _once(getattr(GameState, name))))
        stack.enter_context(patch.object(BoundGame, "start", _once(BoundGame.start)))
        stack.enter_context(patch.object(PublicKey, "verify", _once(PublicKey.verify)))
        yield


def _once(method: Callable[Concatenate[Owner, Asked], Answer]) -> Callable[Concatenate[Owner, Asked], Answer]:
    kept: dict[object, tuple[Owner, Answer]] = {}

    def answer(owner: Owner, /, *arguments: Asked.args, **named: Asked.kwargs) -> Answer:
        name = owner.raw if isinstance(owner, PublicKey) else id(owner)
        key = (name, *map(_key, arguments))
        found = kept.get(key)
        if found is None or named:
            if len(kept) >= MOST_ANSWERS:
                kept.clear()
            found = kept[key] = owner, method(owner, *arguments, **named)
        return found[1]

    return answer


def _key(argument: object) -> object:
    """What stands for an argument: a move and its bytes are the same thing."""
    return (argument.actor, argument.data) if isinstance(argument, Candidate) else argument
