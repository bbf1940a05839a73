"""A match survives whatever is asked of it, by anybody, in any order."""

import random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.kernel.actors import Actor
from rules.kernel.rule import Illegal
from rules.qin.game import QIN
from rules.qin.moves import Move, PlaceTile
from rules.qin.state import State
from tests.rules.laws import chances
from tests.rules.qin.strategies import random_actor, random_move, random_placement, random_setup


class Table(RuleBasedStateMachine):
    """One match, and people around it who ask for legal and for illegal things."""

    state: State
    entries = 0

    @initialize(chance=chances())
    def lay_out(self, chance: random.Random) -> None:
        self.state = QIN.start(random_setup(chance))

    @precondition(lambda self: bool(QIN.awaiting(self.state)))
    @rule(place=st.floats(0, 1, exclude_max=True))
    def play(self, place: float) -> None:
        """What is listed is accepted."""
        actor = QIN.awaiting(self.state)[0]
        listed = list(QIN.legal_moves(self.state, actor))

        assert listed
        assert self._ask(actor, listed[int(place * len(listed))])

    @rule(chance=chances())
    def ask_for_anything(self, chance: random.Random) -> None:
        self._ask(random_actor(chance, self.state), random_move(chance, self.state))

    @rule(chance=chances())
    def ask_for_a_tile_somewhere(self, chance: random.Random) -> None:
        move = random_placement(chance, self.state.table.board)
        self._ask((*QIN.awaiting(self.state), random_actor(chance, self.state))[0], move)

    def _ask(self, actor: Actor, move: Move) -> bool:
        """Whether it was legal. Then it is listed and done; else a rule is cited and nothing changes."""
        state, line = self.state, QIN.notation.write_position(self.state)
        listed = set(QIN.legal_moves(state, actor))
        canonical = move.canonical if isinstance(move, PlaceTile) else move

        verdict = QIN.decide(state, actor, move)

        assert QIN.notation.write_position(state) == line
        if isinstance(verdict, Illegal):
            assert canonical not in listed
            assert verdict.violations
            assert all(violation.why for violation in verdict.violations)
            return False

        assert canonical in listed

        self.state = QIN.fold(state, verdict)
        self.entries += 1
        return True

    @invariant()
    def nothing_is_wrong(self) -> None:
        assert QIN.problems(self.state) == ()

    @invariant()
    def the_end_is_the_end(self) -> None:
        assert self.entries <= QIN.max_entries
        assert (QIN.outcome(self.state) is None) == bool(QIN.awaiting(self.state))


TestAMatchSurvivesWhateverIsAskedOfIt = Table.TestCase
TestAMatchSurvivesWhateverIsAskedOfIt.settings = settings(stateful_step_count=60)
