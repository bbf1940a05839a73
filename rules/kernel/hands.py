"""Hands and secret answers: tuples of things, of which those that are unknown are None."""

from typing import TypeVar

Thing = TypeVar("Thing", bound=int)
Part = TypeVar("Part")


def added(hand: tuple[Thing | None, ...], thing: Thing | None) -> tuple[Thing | None, ...]:
    """The hand with one more, in order; unknown things come last."""
    held = [each for each in (*hand, thing) if each is not None]
    return (*sorted(held), *(None,) * (len(hand) + 1 - len(held)))


def removed(hand: tuple[Thing | None, ...], thing: Thing) -> tuple[Thing | None, ...]:
    """The hand without a thing that was in it, or could be; raises ValueError for any other."""
    at = hand.index(thing if thing in hand else None)
    return hand[:at] + hand[at + 1 :]


def face_down(hand: tuple[Thing | None, ...]) -> tuple[None, ...]:
    """As those see it who may not know what is in it."""
    return (None,) * len(hand)


def with_at(parts: tuple[Part, ...], at: int, part: Part) -> tuple[Part, ...]:
    """The parts with another one at this place; raises IndexError if there is no such place."""
    if not 0 <= at < len(parts):
        raise IndexError(f"there is no place {at} among {len(parts)}")
    return (*parts[:at], part, *parts[at + 1 :])


def all_known(answers: tuple[tuple[Thing | None, ...], ...]) -> tuple[Thing, ...] | None:
    """What all seats have answered, one thing each; None as long as an answer is missing or unknown."""
    known = tuple(each for answer in answers for each in answer if each is not None)
    return known if len(known) == len(answers) else None
