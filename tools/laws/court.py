"""A game before all laws at once."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tools.laws import forging, garbling, playing, secrecy
from tools.laws.hash_seeds import digest
from tools.laws.trial import Trial

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Law:
    """A law of one game, ready to be tried."""

    name: str
    """'qin-law_3_no_invariant_is_broken_in_a_reachable_state'."""
    holds: Callable[[random.Random], None]
    """Tries it once; raises LawBroken where it does not hold, and what the game raises if it does."""


@dataclass(frozen=True, slots=True)
class Court:
    """One game before the law, its types closed over."""

    laws: tuple[Law, ...]
    """Those that are about one process."""
    digest: Callable[[], str]
    """For law 8, which compares two."""


def court(trial: Trial[State, Move, Event]) -> Court:
    """Every law, for one game."""
    checks = (
        playing.law_1_a_move_is_listed_exactly_when_decide_accepts_it,
        playing.law_2_evolve_accepts_every_event_decide_emits,
        playing.law_3_no_invariant_is_broken_in_a_reachable_state,
        playing.law_4_what_is_written_reads_the_same,
        playing.law_4_a_text_reads_the_same_at_every_state_unless_it_depends_on_the_turn,
        playing.law_5_what_is_encoded_decodes_the_same,
        playing.law_6_folding_the_whole_equals_folding_step_by_step,
        playing.law_6_options_and_rulings_are_kept_apart,
        playing.law_7_a_match_ends_within_its_bound,
        playing.law_10_rendering_never_raises,
        secrecy.law_11_secrets_of_others_change_nothing_that_a_seat_is_shown,
        secrecy.law_11_a_seat_is_judged_by_its_own_view,
        secrecy.law_11_where_nothing_is_secret_everybody_sees_everything,
        secrecy.law_what_is_legal_in_full_is_legal_in_every_view,
        secrecy.law_the_events_that_a_viewer_sees_lead_to_their_next_view,
        secrecy.law_outcomes_are_what_some_completion_of_a_view_causes,
        secrecy.law_public_facts_are_the_same_in_every_view,
        secrecy.law_secrets_are_declared_with_those_who_may_see_them,
        secrecy.law_where_draws_are_not_recorded_only_sealed_answers_are_secret,
        secrecy.law_sealed_answers_show_only_that_they_were_given,
        secrecy.law_sealed_answers_lead_to_the_same_as_open_ones,
        garbling.law_a_position_that_is_read_can_be_played_from,
        forging.law_a_forged_record_is_reported_and_never_a_crash,
    )
    laws = [_law(trial, check.__name__, check) for check in checks]
    laws += [_law(trial, own.name, playing.own_law(own)) for own in trial.own_laws]
    return Court(tuple(laws), lambda: digest(trial))


def _law(
    trial: Trial[State, Move, Event],
    name: str,
    check: Callable[[Trial[State, Move, Event], random.Random], None],
) -> Law:
    return Law(f"{trial.game.about.key}-{name}", lambda chance: check(trial, chance))
