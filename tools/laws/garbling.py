"""Position lines with parts changed: refused where they are wrong, or positions that can be played."""

import random
import re
from typing import TypeVar

from rules.kernel.game import Game
from rules.kernel.text import Unreadable
from tools.laws.forging import ask_everything
from tools.laws.trial import Trial, random_match, require, require_same, some, viewers

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

_PARTS = re.compile(r"[A-Za-z?~#_-]+|[0-9]+|[^A-Za-z0-9]")
"""Names, numbers and the signs between them."""


def garbled(line: str, other: str, chance: random.Random) -> str:
    """The line with some of its parts changed, left out, doubled or taken from another line."""
    words, others = line.split(" "), other.split(" ")
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        place = chance.randrange(len(words))
        match chance.randrange(8):
            case 0:
                words[place] = chance.choice(others)
            case 1:
                words.append(chance.choice(others[-6:]))
            case 2 if len(words) > 1:
                del words[place]
            case 3:
                words[place] = words[place].replace("?", "", 1)
            case _:
                words[place] = _with_other_part(words[place], " ".join(others), chance)
    return " ".join(words)


def _with_other_part(word: str, elsewhere: str, chance: random.Random) -> str:
    parts = _PARTS.findall(word)
    if not parts:
        return word
    place = chance.randrange(len(parts))
    part = parts[place]
    if chance.randrange(2):
        at = chance.randrange(len(part))
        parts[place] = part[:at] + chance.choice(re.sub(r"\s", "", elsewhere)) + part[at + 1 :]
    else:
        parts[place] = chance.choice([found for found in _PARTS.findall(elsewhere) if found != " "])
    return "".join(parts)


def law_a_position_that_is_read_can_be_played_from(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """A line is refused at one of its columns, or its position keeps the invariants and reads the same."""
    game, notation = trial.game, trial.game.notation
    states = some(random_match(trial, chance).states, chance, 60)
    views = [game.view(state, chance.choice(viewers(game, state))) for state in states]
    lines = [notation.write_position(view) for view in views]
    # Those with many options have the most that can be wrong.
    for line in (*chance.sample(lines, min(len(lines), 3)), *sorted(lines, key=_options)[-3:]):
        for _ in range(20):
            text = garbled(line, chance.choice(lines), chance)
            state = _read(game, text)
            if state is None:
                continue

            problems = [problem for problem in game.problems(state) if not notation.tolerates(problem)]
            require_same(f"problems of {text!r}, which is read, and none", problems, [])
            again = notation.read_position(notation.write_position(state))
            require_same(f"{text!r} read, and read, written and read", state, again)
            ask_everything(trial, state, chance)
            for actor in game.awaiting(state):
                able = next(game.legal_moves(state, actor), None) is not None
                require(able, f"{actor} is awaited and has no legal move: {text!r}")


def _options(line: str) -> int:
    return line.count("=")


def _read(game: Game[State, Move, Event], text: str) -> State | None:
    """The position, or nothing if it is refused as it should be."""
    try:
        return game.notation.read_position(text)
    except Unreadable as fault:
        if 1 <= fault.column <= len(text) + 1:
            return None
        raise
