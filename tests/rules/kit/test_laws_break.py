"""Each law, as it is derived from what a game states, finds a game that breaks it."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

import pytest
from msgspec import structs

from records.games.plugins import bind_plugin
from rules.kernel.actors import Actor, Seat, Viewer
from rules.kernel.display import SeatNote
from rules.kernel.game import Game, Outcome
from rules.kernel.plugin import OwnLaw, Plugin
from rules.kernel.rule import Illegal
from tests.rules.kit.caravans import values as v
from tests.rules.kit.caravans.game import CARAVANS, PLUGIN
from tests.rules.laws import seeded
from tools.laws.court import court
from tools.laws.derived import derived_trial
from tools.laws.trial import LawBroken

Caravans: TypeAlias = Game[v.State, v.Move, v.Event]
CaravansPlugin: TypeAlias = Plugin[v.State, v.Table, v.Move, v.Event]

TRIES = 60


def broken_laws(plugin: CaravansPlugin, named: str = "", tries: int = TRIES) -> set[str]:
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
    assert broken_laws(PLUGIN, tries=10) == set()


# Games that break a law.


def one_less(state: v.State, actor: Actor) -> Iterator[v.Move]:
    """The last legal move is not listed, where there are others."""
    moves = list(CARAVANS.legal_moves(state, actor))
    return iter(moves[:-1] or moves)


def without_effect(state: v.State, actor: Actor, move: v.Move) -> tuple[v.Event, ...] | Illegal:
    verdict = CARAVANS.decide(state, actor, move)
    return verdict if isinstance(verdict, Illegal) or not isinstance(move, v.Done) else ()


def no_year_three(state: v.State) -> tuple[str, ...]:
    return (*CARAVANS.problems(state), *(("the third year has come",) if state.year > 2 else ()))


def forgets_fame(line: str) -> v.State:
    state = CARAVANS.notation.read_position(line)
    return structs.replace(state, guild=0)


def no_winner(state: v.State) -> Outcome | None:
    outcome = CARAVANS.outcome(state)
    return None if outcome is None else replace(outcome, winners=())


def cannot_draw_the_end(state: v.State) -> str:
    return CARAVANS.draw(state) if state.agenda else str(state.track[0])


def says_all_in_one_word(state: v.State) -> tuple[SeatNote, ...]:
    notes = CARAVANS.display.seats(state)
    return tuple(replace(note, facts=(("goods", "tea," * 20), *note.facts)) for note in notes)


def open_picks(state: v.State, viewer: Viewer) -> v.State:
    """Everybody sees what was picked."""
    seen = CARAVANS.view(state, viewer)
    both = zip(seen.players, state.players, strict=True)
    return structs.replace(
        seen, players=tuple(structs.replace(shown, pick=full.pick) for shown, full in both)
    )


def judged_by_all(state: v.State, actor: Actor, move: v.Move) -> tuple[v.Event, ...] | Illegal:
    """Nobody may upgrade while another holds the first favour."""
    others = [player.favours for seat, player in enumerate(state.players) if seat != actor]
    barred = isinstance(move, v.Upgrade) and any(favours[:1] == (0,) for favours in others)
    return CARAVANS.decide(state, Seat(9) if barred else actor, move)


def listed_by_all(state: v.State, actor: Actor) -> Iterator[v.Move]:
    moves = CARAVANS.legal_moves(state, actor)
    return (move for move in moves if not isinstance(judged_by_all(state, actor, move), Illegal))


def awaits_the_rich(state: v.State) -> tuple[Actor, ...]:
    """Who is awaited depends on a hidden total."""
    awaited = CARAVANS.awaiting(state)
    rich = tuple(actor for actor in awaited if not isinstance(actor, int) or state.players[actor].silver == 3)
    return rich or awaited


def shows_less(_: v.State, events: tuple[v.Event, ...], __: Viewer) -> tuple[v.Event, ...]:
    return events[:-1]


@pytest.mark.parametrize(
    ("law", "game"),
    [
        ("law_1_", replace(CARAVANS, legal_moves=one_less)),
        ("law_2_", replace(CARAVANS, decide=without_effect)),
        ("law_3_", replace(CARAVANS, problems=no_year_three)),
        ("law_4_what", replace(CARAVANS, notation=replace(CARAVANS.notation, read_position=forgets_fame))),
        ("law_6_", replace(CARAVANS, setup=lambda state: replace(CARAVANS.setup(state), seats=("a", "b")))),
        ("law_7_", replace(CARAVANS, max_entries=10)),
        ("law_7_", replace(CARAVANS, outcome=no_winner)),
        ("law_10_", replace(CARAVANS, draw=cannot_draw_the_end)),
        ("law_10_", replace(CARAVANS, display=replace(CARAVANS.display, seats=says_all_in_one_word))),
        ("law_11_secrets", replace(CARAVANS, decide=judged_by_all, legal_moves=listed_by_all)),
        ("law_11_a_seat", replace(CARAVANS, decide=judged_by_all, legal_moves=listed_by_all)),
        ("law_11_where", replace(CARAVANS, has_secrets=lambda _: False)),
        ("law_what_is_legal", replace(CARAVANS, view=lambda state, _: structs.replace(state, agenda=()))),
        ("law_the_events", replace(CARAVANS, seen_events=shows_less)),
        ("law_outcomes", replace(CARAVANS, seen_events=shows_less)),
        ("law_public", replace(CARAVANS, awaiting=awaits_the_rich)),
        ("law_secrets", replace(CARAVANS, secrets=())),
        ("law_sealed", replace(CARAVANS, view=open_picks)),
        ("law_a_position", replace(CARAVANS, problems=no_year_three)),
        ("law_a_forged", replace(CARAVANS, fold=v.fold)),
    ],
)
def test_a_game_that_breaks_a_law_is_found(law: str, game: Caravans) -> None:
    assert any(name.startswith(law) for name in broken_laws(replace(PLUGIN, game=game), law))


def test_states_with_the_same_bytes_are_found() -> None:
    plugin = replace(PLUGIN, apart=("table", "road", "guild", "players", "agenda", "played", "track"))

    assert len(broken_laws(plugin, "law_5_")) == 1


def test_a_game_may_have_laws_of_its_own() -> None:
    def too_long(*entry: object) -> str | None:
        return "the third year has come" if isinstance(entry[-1], v.State) and entry[-1].year > 2 else None

    plugin = replace(PLUGIN, laws=(OwnLaw("there are two years", too_long),))

    assert broken_laws(plugin, tries=10) == {"there are two years"}
