"""Remembers what states, entries and lines answered, so that what mutants have in common is computed once."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from typing import ParamSpec, TypeVar
from unittest.mock import patch

from records.audit.choices import ChoiceContext, judge_choice
from records.audit.move import SealedContext, judge_sealed
from records.audit.parts import PartsContext, judge_parts
from records.codec.concealment import decode_hidden
from records.entry import Entry, MatchHeader
from records.evidence.concealment import parse_concealed
from records.evidence.ed25519 import PublicKey
from records.files.entry_line import read_line_1, read_line_2, write_line_2
from records.games.bound import BoundGame
from records.games.candidate import Candidate
from records.games.display import StateDisplay
from records.games.state import GameState
from records.replay.choices import Choices
from records.replay.disclosure import in_full
from records.replay.entry_rules import entry_fault
from records.replay.fold import open_record
from records.replay.guards import Guards
from records.replay.seals import Sealing
from records.replay.wording import describe_entry

MOST_ANSWERS = 20_000
"""Answers of one function that are kept at a time, with what they were made of."""

METHODS = {
    GameState: (
        "answered",
        "asked_in_secret",
        "digest",
        "fold",
        "has_secrets",
        "is_canonical",
        "judge",
        "judge_answer",
        "judge_shown",
        "outcome",
        "outcomes",
        "parse_bytes",
        "position",
        "problems",
        "reveal",
        "shown",
        "events_as_json",
        "view",
        "write_move",
    ),
    StateDisplay: ("describe",),
    BoundGame: ("start",),
    Guards: ("after", "without_disputes"),
    PublicKey: ("verify",),
}
"""Methods whose answers depend on nothing but a value that never changes and the arguments."""

FUNCTIONS = (
    decode_hidden,
    describe_entry,
    entry_fault,
    in_full,
    judge_choice,
    judge_parts,
    judge_sealed,
    open_record,
    parse_concealed,
    read_line_1,
    read_line_2,
    write_line_2,
)
"""Functions whose answers depend on nothing but their arguments, which never change."""

_KNOWN_BY_IDENTITY = (BoundGame, Choices, GameState, Guards, MatchHeader, Sealing)
"""Values that take longer to compare than most answers take to compute.

Records that begin alike have the same ones, because what they begin with is remembered too.
"""

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


@contextmanager
def remembering() -> Iterator[None]:
    """Within this, the same question is answered once; a question that raises is asked again."""
    with ExitStack() as stack:
        for owner, names in METHODS.items():
            for name in names:
                stack.enter_context(patch.object(owner, name, _once(getattr(owner, name))))
        for function in FUNCTIONS:
            name, once = function.__name__, _once(function)
            for module in list(sys.modules.values()):
                if module.__name__ != __name__ and getattr(module, name, None) is function:
                    stack.enter_context(patch.object(module, name, once))
        yield


def _once(ask: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    kept: dict[object, tuple[object, Answer]] = {}

    def answer(*arguments: Asked.args, **named: Asked.kwargs) -> Answer:
        key = (*map(_key, arguments), *((name, _key(value)) for name, value in named.items()))
        found = kept.get(key)
        if found is None:
            if len(kept) >= MOST_ANSWERS:
                kept.clear()
            # The arguments are kept with it, so that no other value takes the identity of one of them.
            found = kept[key] = (arguments, named), ask(*arguments, **named)
        return found[1]

    return answer


def _key(argument: object) -> object:
    """What stands for an argument: a move and its bytes are the same thing."""
    match argument:
        case Entry() | bytes() | str() | int():
            return argument
        case Candidate():
            return argument.actor, argument.data
        case StateDisplay():
            return id(argument._state)  # noqa: SLF001 - a display is made anew each time, of the same state
        case PublicKey():
            return argument.raw
        case PartsContext() | SealedContext() | ChoiceContext():
            return tuple(_key(getattr(argument, field.name)) for field in fields(argument))
        case list() | tuple():
            return tuple(map(_key, argument))
        case _:
            return id(argument) if isinstance(argument, _KNOWN_BY_IDENTITY) else argument
