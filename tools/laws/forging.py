"""Events as a forger would write them: they can be read, whatever they claim to have happened."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias, TypeVar

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message

from records.codec.shape import CorruptEvents
from rules.kernel.actors import Actor
from rules.kernel.display import Highlights, TerminalSize
from rules.kernel.game import Game
from rules.kernel.text import Unreadable
from tools.laws.trial import Step, Trial, actors, random_match, require, viewers

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

NUMBERS = (0, 1, 2, 3, 4, 5, 12, 24, 72, 127, 128, 255, 256, 2**31 - 1)
"""Seats, counts, and the sizes at which a byte or a word overflows."""

MANY = 300
"""More than a byte counts."""


def forged(
    own: Sequence[str], elsewhere: Sequence[str], chance: random.Random, message: Callable[[], Message]
) -> bytes | None:
    """The events of one entry with a few changes, as bytes; None where no message can hold them.

    The entry's own events come as JSON. What is borrowed comes from elsewhere in the match.
    """
    events: list[Json] = [json.loads(event) for event in own]
    borrowed: list[Json] = [json.loads(event) for event in elsewhere]
    known = [
        tuple(value.name for value in enum.values)
        for enum in message().DESCRIPTOR.file.enum_types_by_name.values()
    ]
    for _ in range(chance.choice((1, 1, 2, 3))):
        events = _changed(events, borrowed, known, chance)
    try:
        return ParseDict({"events": events}, message()).SerializeToString()
    except ParseError:
        return None


def _changed(
    events: list[Json], borrowed: list[Json], known: list[tuple[str, ...]], chance: random.Random
) -> list[Json]:
    """One event more, fewer, again, elsewhere, or with another field."""
    place = chance.randrange(len(events) + 1)
    here = events[place : place + 1]
    match chance.randrange(6):
        case 0:
            return events[:place] + events[place + 1 :]
        case 1:
            kind = chance.choice(sorted({_kind(event) for event in borrowed}))
            new = chance.choice([event for event in borrowed if _kind(event) == kind])
            new = _with_other(new, "", [], known, chance) if chance.randrange(2) else new
            return [*events[:place], new, *events[place:]]
        case 2:
            return events + here * chance.choice((1, 2, MANY))
        case 3:
            return chance.sample(events, len(events))
        case _:
            parts = [leaf for event in borrowed for leaf in _leaves(event, "")]
            changed = [_with_other(event, "", parts, known, chance) for event in here]
            return events[:place] + changed + events[place + 1 :]


def _kind(event: Json) -> str:
    return next(iter(event)) if isinstance(event, dict) else ""


def _leaves(value: Json, key: str) -> Iterator[tuple[str, Json]]:
    """The values that have no parts, each with the name of its field."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part, key)
    else:
        yield key, value


def _with_other(
    value: Json,
    key: str,
    parts: list[tuple[str, Json]],
    known: list[tuple[str, ...]],
    chance: random.Random,
) -> Json:
    """The value, one of its leaves changed: as that field has it elsewhere, or out of bounds."""
    if isinstance(value, dict) and value:
        name = chance.choice(list(value))
        return value | {name: _with_other(value[name], name, parts, known, chance)}
    if isinstance(value, list):
        return _with_other_part(value, key, parts, known, chance)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice(NUMBERS)
    names = [name for enum in known if value in enum for name in enum]
    return chance.choice(names or [part for name, part in parts if name == key] or [value])


def _with_other_part(
    values: list[Json],
    key: str,
    parts: list[tuple[str, Json]],
    known: list[tuple[str, ...]],
    chance: random.Random,
) -> Json:
    """One more, one fewer, one twice, or one changed."""
    change, place = chance.randrange(4) if values else 0, chance.randrange(len(values) or 1)
    match change:
        case 0:
            return values + [part for name, part in chance.sample(parts, min(9, len(parts))) if name == key]
        case 1:
            return values[:place] + values[place + 1 :]
        case 2:
            return values + values[place : place + 1]
        case _:
            other = _with_other(values[place], key, parts, known, chance)
            return [*values[:place], other, *values[place + 1 :]]


# The law.


def law_a_forged_record_is_reported_and_never_a_crash(
    trial: Trial[State, Move, Event], chance: random.Random
) -> None:
    """Events that can be read either cannot be folded, or lead to a state that can be asked anything."""
    game, codec = trial.game, trial.codec
    match = random_match(trial, chance)
    sampled = chance.sample(match.steps, min(len(match.steps), 30))
    elsewhere = [event for step in (*sampled, *match.steps[-3:]) for event in _as_json(trial, step)]
    for step in chance.sample(match.steps, min(len(match.steps), 16)):
        state = step.before
        for _ in range(chance.choice((1, 1, 3))):
            data = forged(_as_json(trial, step), elsewhere, chance, codec.events_message)
            try:
                events = codec.decode_events(state, data or b"")
                after = game.fold(state, events)
            except (CorruptEvents, ValueError, IndexError):
                continue  # refused
            _describe(game, state, events)
            for viewer in viewers(game, state):
                game.seen_events(state, events, viewer)
            state = after
            ask_everything(trial, state, chance)


def _as_json(trial: Trial[State, Move, Event], step: Step[State, Move, Event]) -> tuple[str, ...]:
    return trial.codec.events_as_json(trial.codec.encode_events(step.before, step.events))


def _describe(game: Game[State, Move, Event], state: State, events: tuple[Event, ...]) -> None:
    for event in events:
        text = game.display.describe(state, event).text
        require(text.isprintable(), f"{text!r} cannot be printed")
        state = game.evolve(state, event)


def ask_everything(trial: Trial[State, Move, Event], state: State, chance: random.Random) -> None:
    """Whatever can be asked of a state; none of it raises."""
    game = trial.game
    game.outcome(state)
    game.problems(state)
    game.setup(state)
    game.draw(state)
    game.display.turn(state)
    trial.codec.state_bytes(state)
    game.display.seats(state)
    game.display.styled_lines(state, Highlights(), TerminalSize(80))
    game.display.picture(state, Highlights())
    for deck in game.chance.decks:
        game.chance.fits(state, deck, game.chance.stock(state, deck))
    takes = [(take, game.chance.stock(state, take.deck)) for take in game.chance.due(state)]
    places = [(stock, take.places(len(stock))) for take, stock in takes]
    if places and all(due.start >= 0 and due.stop <= len(stock) for stock, due in places):
        game.chance.bring(state, tuple(stock[place] for stock, due in places for place in due))
    for viewer in viewers(game, state):
        game.view(state, viewer)
    with suppress(Unreadable):
        game.notation.read_position(game.notation.write_position(state))
    game.awaiting(state)
    for actor in actors(game, state):
        for move in list(game.legal_moves(state, actor))[:20]:
            _play_on(trial, state, actor, move)
    candidates = list(trial.candidates(state, chance)) if not chance.randrange(8) else []
    for actor, move in chance.sample(candidates, min(len(candidates), 50)):
        _play_on(trial, state, actor, move)


def _play_on(trial: Trial[State, Move, Event], state: State, actor: Actor, move: Move) -> None:
    game = trial.game
    game.decide(state, actor, move)
    game.display.explain(state, move)
    game.outcomes(state, actor, move)
    for viewer in viewers(game, state):
        game.seen_move(state, actor, move, viewer)
