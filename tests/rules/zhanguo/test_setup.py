"""Set-up by chance, and what is left in the decks (sections 3, 4 and 19.1 of the digest)."""

import pytest

from rules.kernel.setup import RECORDED, Setup
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.moves import DrawCard
from rules.zhanguo.pieces import SPOT_NAMES, SPOTS, is_unification
from rules.zhanguo.queries import meets, seen_cards
from rules.zhanguo.rulebook import ZHANGUO_1
from rules.zhanguo.state import State
from tests.rules.laws import seeded
from tests.rules.zhanguo.positions import asked, played, rules_broken, seat, table
from tests.rules.zhanguo.strategies import NAMES, SET, records_cards

LAST_ROUND = 5


def test_scn_43_with_four_players_the_decks_are_empty_after_the_last_draw() -> None:
    state = ZHANGUO.start(Setup(ZHANGUO_1, NAMES, SET, RECORDED))
    chance, drawn = seeded(43), []
    while sum(is_unification(card) for card in seen_cards(state)) < 120:
        (actor,) = ZHANGUO.awaiting(state)
        moves = list(ZHANGUO.legal_moves(state, actor))
        move = records_cards(chance, state, moves)
        if isinstance(move, DrawCard):
            drawn.append((state.round, len(moves) - 1))
        verdict = ZHANGUO.decide(state, actor, move)
        assert isinstance(verdict, tuple)
        state = ZHANGUO.fold(state, verdict)

    assert len(drawn) == 120
    assert drawn[-1] == (LAST_ROUND, 1)


TOKENS = ("A", "elixir", "chu", "B", "yan", "zhao", "C", "qi", "wei")
"""Dealt to the spots a1, b1, c1, a2 and so on."""


def with_tokens() -> State:
    """An advanced set-up in which every token lies on its spot, and no tile yet."""
    start = ZHANGUO.start(Setup(ZHANGUO_1, NAMES[:3], SET, options=(("mausoleum", "tokens"),)))
    return played(start, "first green", *(f"deal {token}" for token in TOKENS))


def test_scn_45_a_tile_is_dealt_only_to_a_spot_whose_token_is_of_its_kind() -> None:
    regions = played(with_tokens(), *(f"deal MR{number}" for number in range(1, 6)))
    walls = played(regions, *(f"deal MW{number}" for number in range(1, 4)))
    after = played(walls, "deal ME1")
    lying = {SPOT_NAMES.names[at]: (spot.target, spot.tile) for at, spot in enumerate(after.mausoleum)}

    assert asked(with_tokens()) == [f"deal MR{number}" for number in range(1, 6)]
    assert rules_broken(with_tokens(), "deal MW1") == ["SET-05"]
    assert rules_broken(regions, "deal ME1") == ["SET-05"]
    assert [spot for spot in lying if lying[spot][1] in range(5)] == ["c1", "b2", "c2", "b3", "c3"]
    assert [spot for spot in lying if lying[spot][1] in range(5, 8)] == ["a1", "a2", "a3"]
    assert lying["b1"][1] == 8


@pytest.mark.parametrize(("region", "met"), [("chu", [False]), ("yan", [True])])
def test_scn_45_a_condition_is_asked_of_the_target_of_the_token(region: str, met: list[bool]) -> None:
    state = table(
        options=(("mausoleum", "tokens"),),
        spots={"a1": "yan=MR1:....", "c3": "chu=?"},
        regions={region: ";000;;200"},
    )

    assert [meets(state, seat(state, "green"), SPOTS[0])] == met
