"""Each law, as it is derived from what a game states, finds a game that breaks it."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

import pytest
from msgspec import structs

from records.games.plugins import bind_plugin
from rules.kernel.actors import Actor, Seat, Viewer
from rules.kernel.assembly import fold_of
from rules.kernel.display import SeatNote
from rules.kernel.game import Game, Outcome
from rules.kernel.plugin import OwnLaw, Plugin
from rules.kernel.rule import Illegal
from rules.kernel.setup import UNRECORDED, Setup
from tests.rules.kit.goofspiel import GOOFSPIEL, Bid, Card, Event, Move, State, evolve
from tests.rules.laws import seeded
from tools.laws.court import court
from tools.laws.derived import derived_trial
from tools.laws.trial import LawBroken

Goofspiel: TypeAlias = Game[State, Move, Event]

GAME: Final[Goofspiel] = GOOFSPIEL.game
ACE: Final = Card(0)

TRIES = 60


def broken_laws(plugin: Plugin[State, Setup, Move, Event], named: str = "", tries: int = TRIES) -> set[str]:
    """The laws that a few tries of each find broken."""
    laws = [law for law in court(derived_trial(bind_plugin(plugin))).laws if named in law.name]
    assert laws
    return {
        law.name.partition("-")[2]
        for law in laws
        if not all(_holds(law.holds, seed) for seed in range(tries))
    }


def _holds(law: Callable[[random.Random], None], seed: int) -> bool:
    try:
        law(seeded(seed))
    except (LawBroken, ValueError, LookupError, TypeError):
        return False
    return True


def test_the_game_itself_breaks_none() -> None:
    assert broken_laws(GOOFSPIEL, tries=10) == set()


# Games that break a law.


def one_less(state: State, actor: Actor) -> Iterator[Move]:
    """The last legal move is not listed, where there are others."""
    moves = list(GAME.legal_moves(state, actor))
    return iter(moves[:-1] or moves)


def without_effect(state: State, actor: Actor, move: Move) -> tuple[Event, ...] | Illegal:
    verdict = GAME.decide(state, actor, move)
    return verdict if isinstance(verdict, Illegal) or not isinstance(move, Bid) else ()


def no_third_prize(state: State) -> tuple[str, ...]:
    return (*GAME.problems(state), *(("a third prize was turned up",) if len(state.prizes) > 2 else ()))


def forgets_the_pot(line: str) -> State:
    return structs.replace(GAME.notation.read_position(line), pot=0)


def no_winner(state: State) -> Outcome | None:
    outcome = GAME.outcome(state)
    return None if outcome is None else replace(outcome, winners=())


def cannot_draw_the_end(state: State) -> str:
    return GAME.draw(state) if state.agenda else str(state.bids[9])


def says_all_in_one_word(state: State) -> tuple[SeatNote, ...]:
    notes = GAME.display.seats(state)
    return tuple(replace(note, facts=(("cards", "nine," * 20), *note.facts)) for note in notes)


def open_bids(state: State, viewer: Viewer) -> State:
    """Everybody sees what was bid."""
    return structs.replace(GAME.view(state, viewer), bids=state.bids)


def judged_by_all(state: State, actor: Actor, move: Move) -> tuple[Event, ...] | Illegal:
    """Nobody may bid anything but an ace while another holds one."""
    others = [hand for seat, hand in enumerate(state.hands) if seat != actor]
    barred = isinstance(move, Bid) and move.card != ACE and any(ACE in hand for hand in others)
    return GAME.decide(state, Seat(9) if barred else actor, move)


def listed_by_all(state: State, actor: Actor) -> Iterator[Move]:
    moves = GAME.legal_moves(state, actor)
    return (move for move in moves if not isinstance(judged_by_all(state, actor, move), Illegal))


def awaits_the_ace(state: State) -> tuple[Actor, ...]:
    """Who is awaited depends on a hidden card."""
    awaited = GAME.awaiting(state)
    holders = tuple(actor for actor in awaited if isinstance(actor, int) and ACE in state.hands[actor])
    return holders or awaited


def shows_less(_: State, events: tuple[Event, ...], __: Viewer) -> tuple[Event, ...]:
    return events[:-1]


@pytest.mark.parametrize(
    ("law", "game"),
    [
        ("law_1_", replace(GAME, legal_moves=one_less)),
        ("law_2_", replace(GAME, decide=without_effect)),
        ("law_3_", replace(GAME, problems=no_third_prize)),
        ("law_4_what", replace(GAME, notation=replace(GAME.notation, read_position=forgets_the_pot))),
        ("law_6_", replace(GAME, setup=lambda state: replace(GAME.setup(state), seats=("a", "b")))),
        ("law_7_", replace(GAME, max_entries=10)),
        ("law_7_", replace(GAME, outcome=no_winner)),
        ("law_10_", replace(GAME, draw=cannot_draw_the_end)),
        ("law_10_", replace(GAME, display=replace(GAME.display, seats=says_all_in_one_word))),
        ("law_11_secrets", replace(GAME, decide=judged_by_all, legal_moves=listed_by_all)),
        ("law_11_a_seat", replace(GAME, decide=judged_by_all, legal_moves=listed_by_all)),
        ("law_11_where", replace(GAME, has_secrets=lambda _: False)),
        ("law_what_is_legal", replace(GAME, view=lambda state, _: structs.replace(state, agenda=()))),
        ("law_the_events", replace(GAME, seen_events=shows_less)),
        ("law_outcomes", replace(GAME, seen_events=shows_less)),
        ("law_public", replace(GAME, awaiting=awaits_the_ace)),
        ("law_secrets", replace(GAME, secrets=())),
        ("law_sealed", replace(GAME, view=open_bids)),
        ("law_where_draws", replace(GAME, setup=lambda state: replace(GAME.setup(state), draws=UNRECORDED))),
        ("law_a_position", replace(GAME, problems=no_third_prize)),
        ("law_a_forged", replace(GAME, fold=fold_of(evolve))),
    ],
)
def test_a_game_that_breaks_a_law_is_found(law: str, game: Goofspiel) -> None:
    assert any(name.startswith(law) for name in broken_laws(replace(GOOFSPIEL, game=game), law))


def test_states_with_the_same_bytes_are_found() -> None:
    plugin = replace(GOOFSPIEL, apart=tuple(name for name in State.__struct_fields__ if name != "pot"))

    assert len(broken_laws(plugin, "law_5_")) == 1


def test_a_game_may_have_laws_of_its_own() -> None:
    def too_many(*entry: object) -> str | None:
        after = entry[-1]
        return "a third was turned up" if isinstance(after, State) and len(after.prizes) > 2 else None

    plugin = replace(GOOFSPIEL, laws=(OwnLaw("there are two prizes", too_many),))

    assert broken_laws(plugin, "there are two", tries=10) == {"there are two prizes"}
