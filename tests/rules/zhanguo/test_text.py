"""Moves and positions as text: what is read, and how faults are reported."""

import pytest

from rules.kernel.edition import UnknownOption, UnknownRuling
from rules.kernel.rule import Illegal
from rules.kernel.setup import BadSetup, Setup
from rules.kernel.text import Unreadable
from rules.zhanguo import moves as m
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.pieces import Region, Section
from rules.zhanguo.rulebook import ZHANGUO_1
from tests.rules.zhanguo.strategies import NAMES, SET, SOLO

STATE = ZHANGUO.start(Setup(ZHANGUO_1, NAMES, SET))
LINE = (
    "zhg-ref-1 T1.2 21|--- 1,119,5,70,110,39,23 chu=MR5:..../A=MW3:..../wei=MR3:..../B=MW1:..../"
    "elixir=ME1:..../zhao=MR4:..../qi=MR2:..../C=MW2:..../yan=MR1:.... "
    "W5b:../W3b:../W6a:../W1b:.2/W2a:../W4a:.. -/E4/E6E5 "
    "uu;00;G0:..;00/lu;00;G1:..;00/ww;00;G4:..;00/la;00;G7:..;00/aa;00;G0:..;00 M3M5 "
    "green:0:12:6.3:0.1.0:38,43,68,83,84:A1A2A3A4:A5;arr;0;0/47;g;0;0/97;;0;0/;;0;1/20;;0;0 "
    "violet:0:6:6.3:1.0.1:40,59,64,90,107:A1A2A3A4A5:;ggg;0;1/;;0;0/22;;0;0/103*E3,57;;0;2/74;;1;2 "
    "master>step:1:elixir:yes:- draws=recorded"
)
"""The example of the digest."""
DRAWING = (
    "zhg-ref-1 T1.3 21|--- 79 chu=MR4:..../A=MW2:..../wei=MR5:..../B=MW3:..../elixir=ME1:..../"
    "zhao=MR3:..../qi=MR1:..../C=MW1:..../yan=MR2:.... W1a:../W6a:../W5b:../W4b:../W2a:../W3b:.. E1/E3E4/E6 "
    "cu;00;G0:..;00/la;00;G6:..;00/al;00;G3:..;00/lu;00;G10:..;00/ca;00;G0:..;00 M4M5 "
    "green:0:0:6.3:0.2.0:16,25:A2A3A4A5:"
    "56,12;arr;0;1/24,35,49;g;2;3/40,A1;;0;0/116,63,114;g;0;3/109,103;;0;1 "
    "violet:0:0:6.3:4.0.1:19,39,46,80,92,l?:A1A2A3A4A5:"
    "115,58,90;aggg;0;3/29,45,72;;0;3/33,30;;0;1/101;;0;1/62,98,28;;0;3 draw:1 draws=recorded"
)
"""Violet has drawn six cards of round 3, and green two."""
RIVAL = (
    "zhg-ref-1 T1.1 12|--- - chu=MR2:..../A=MW3:..../wei=MR3:..../B=MW1:..../elixir=ME1:..../zhao=MR4:..../"
    "qi=MR5:..../C=MW2:..../yan=MR1:.... W5a:../W2b:../W3b:../W7b:../W6a:../W4b:.. E2/E4E3/E6 "
    "cu;00;G5:..;00/w;01;G9:..;00/wc;00;G8:..;00/uw;00;G0:..;00/ac;01;G0:..;00 M4M5 "
    "green:0:0:8.1:0.1.2:3,10,54:A1A2A3A4A5:;gg;0;0/97;;0;0/;;0;0/109;;0;0/72;;0;0 "
    "li-si:12:0:8.1:0.1.0WL::A1A2A3A4A5:73;;0;0/;;0;0/;;0;0/;;0;0/;;0;0 play:1 draws=recorded "
    "actions=1,2,6,10,14,20/3,15 kept=-/a/-/-/- deck=wwcll rival=li-si-1"
)
"""Li Si has had three turns: a Unification card and two palaces."""
DEALING = (
    "zhg-ref-1 T1.0 12|--- - chu=MR4:..../A=?/wei=MR5:..../B=?/elixir=?/zhao=MR3:..../qi=?/C=?/yan=? "
    "?:../?:../?:../?:../?:../?:.. -/-/- ;00;;00/;00;;00/;00;;00/;00;;00/;00;;00 - "
    "green:0:0:8.1:0.0.0::A1A2A3A4A5:;;0;0/;;0;0/;;0;0/;;0;0/;;0;0 "
    "violet:0:0:8.1:0.0.0::A1A2A3A4A5:;;0;0/;;0;0/;;0;0/;;0;0/;;0;0 deal"
)


@pytest.mark.parametrize(
    "text",
    [
        "first green",
        "deal W3b",
        "draw 57",
        "draw ?",
        "green start S4",
        "green unify 57 zhao",
        "green court 57",
        "green forfeit 57",
        "green recruit general wei",
        "green search",
        "green install wei 2",
        "green install wei area",
        "green hire zhao",
        "green palace qi chu",
        "green palace qi",
        "green wall AL 1 chu+wei+qi",
        "green wall AL 1",
        "green unlock",
        "green place A3 wei",
        "green master M2",
        "green move general wei zhao",
        "green move worker wei zhao",
        "green calm wei",
        "green reset wei",
        "green take laws",
        "green tile writing",
        "green large laws",
        "green emperor 57",
        "green activate 57",
        "green soldier b2",
        "green accept",
        "green pass",
        "green pay Ww",
        "green pay wcl",
        "green return wwc",
        "green done",
        "reveal 14",
        "card 57",
    ],
)
def test_every_move_is_written_as_it_is_read(text: str) -> None:
    actor, move = ZHANGUO.notation.read_move(STATE, text)

    assert ZHANGUO.notation.write_move(STATE, actor, move) == text


def test_regions_and_tokens_of_a_payment_come_in_any_order() -> None:
    assert ZHANGUO.notation.read_move(STATE, "green wall AL 1 qi+chu+wei")[1] == m.BuildWall(
        Section.AL, 1, (Region.CHU, Region.WEI, Region.QI)
    )
    assert ZHANGUO.notation.read_move(STATE, "green pay wL") == ZHANGUO.notation.read_move(
        STATE, "green pay Lw"
    )


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("green", 6),
        ("green fly", 7),
        ("blue search", 1),
        ("green unify 121 wei", 13),
        ("green unify 12 han", 16),
        ("green unify 12", 15),
        ("green pay xyz", 11),
        ("green search twice", 14),
        ("deal W9z", 6),
    ],
)
def test_what_cannot_be_read_is_reported_at_its_column(text: str, column: int) -> None:
    with pytest.raises(Unreadable) as refused:
        ZHANGUO.notation.read_move(STATE, text)

    assert refused.value.column == column


# Positions.


def test_the_example_of_the_digest_is_read_and_written_and_asks_for_a_master() -> None:
    state = ZHANGUO.notation.read_position(LINE)
    moves = ZHANGUO.legal_moves(state, ZHANGUO.awaiting(state)[0])

    assert ZHANGUO.notation.write_position(state) == LINE
    assert [ZHANGUO.notation.write_move(state, state.table.seats[0], move) for move in moves] == [
        "green master M3",
        "green master M5",
    ]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("T1.2", "T4.2", "expected T1, T2, T3"),
        ("T1.2", "T1.9", "no round"),
        ("21|---", "22|---", "marker"),
        ("1,119,5", "1,1,5", "twice"),
        ("chu=MR5", "chu=MR3", "twice"),
        ("W5b:..", "W5b:...", "2"),
        ("-/E4/E6E5", "E3/E4/E6E5", "Emperor"),
        ("uu;00;G0", "uu;00;G1", "governor tile"),
        ("M3M5", "M3", "Masters"),
        ("6.3:0.1.0", "6.4:0.1.0", "soldiers"),
        ("0.1.0:38", "9.1.0:38", "tokens"),
        ("38,43,68,83,84", "38,43,68,83", "cards"),
        (";ggg;0;1", ";ggggg;0;1", "officials"),
        (";ggg;0;1", ";ggg;0;4", "unrest"),
        ("master>step:1:elixir:yes:-", "soldiers:1:turn", "happens"),
        ("master>step:1:elixir:yes:-", "rival-soldier>step:1:elixir:yes:-", "Li Si"),
        ("master>step:1:elixir:yes:-", "first", "marker"),
        ("draws=recorded", "draws=maybe", "way to draw"),
        ("draws=recorded", "draws=recorded table=T2", "no ruling"),
        (" draws=recorded", "", "draws are not recorded"),
    ],
)
def test_a_line_that_no_match_can_reach_is_refused(old: str, new: str, why: str) -> None:
    assert old in LINE
    with pytest.raises(Unreadable) as refused:
        ZHANGUO.notation.read_position(LINE.replace(old, new, 1))

    assert why in refused.value.why


@pytest.mark.parametrize(
    ("line", "old", "new", "why"),
    [
        (DRAWING, "T1.3", "T1.2", "those of round 3"),
        (DRAWING, "T1.3", "T1.5", "those of round 3"),
        (DRAWING, "79", "-", "cards of currency at Court: 0, not 1"),
        (DRAWING, "19,39,46,80,92,l?", "19,39,81,82,92,l?", "more than 2 of an aspect"),
        (DRAWING, "16,25:", "16,47:", "not drawn in the order of the decks"),
        (DRAWING, "6.3:4.0.1:", "6.3:4.0.2:", "violet has more than 5 tokens"),
        (DRAWING, "6.3:4.0.1:", "6.3:4.0.1W:", "violet has a large token"),
        (LINE, "40,59,64,90,107", "40,59,64,107", "violet has 4 cards in hand"),
        (RIVAL, "73;;0;0/;;0;0/;;0;0/;;0;0/", ";;0;0/;;0;0/;;0;0/;;0;0/73", "cards in Yan before its round"),
        (RIVAL, "73;;0;0", "73;a;0;0", "unrest, workers or officials"),
        (RIVAL, "T1.1", "T1.4", "those of round 1"),
        (RIVAL, "-", "99", "at Court that would be Li Si's: 1"),
        (RIVAL, "14,20/3,15", "15,20/3,14", "one-shot"),
        (RIVAL, "1,2,6,10,14,20/3,15", "1,2,3,6,10,14,15,20/-", "Li Si has had 3 turns"),
        (RIVAL, "14,20/3,15", "14,18,20/3,15", "Li Si has had 3 turns"),
        (RIVAL, "deck=wwcll", "deck=-", "0 of Li Si's six cards are left"),
        (RIVAL, "deck=wwcll", "deck=wwccl", "2 of Li Si's cards of currency are left"),
        (RIVAL, "kept=-/a", "kept=-/wwwwa", "more palace tiles of Wei"),
        (RIVAL, "kept=-/a/-", "kept=a/-/-", "more palace tiles of Chu"),
        (RIVAL, "E2/E4E3/E6", "-/-/-", "more Emperor tiles left the game"),
        (DEALING, "?:../?:..", "?:.1/?:..", "a wall is in AL before the first turn"),
        (DEALING, ";00;;00/", ";10;;00/", "a palace or a governor is on the map"),
        (DEALING, "/;00;;00", "/;00;;01", "a palace or a governor is on the map"),
        (DEALING, "MR4:....", "MR4:2...", "a soldier is in the Mausoleum"),
        (DEALING, "-", "57", "cards of currency at Court: 1, not 0"),
        (DEALING, "violet:0:0:", "violet:7:5:", "violet has gained something"),
    ],
)
def test_a_line_that_the_counts_rule_out_is_refused_at_the_word_that_is_wrong(
    line: str, old: str, new: str, why: str
) -> None:
    words = line.split(" ")
    place = next(at for at, word in enumerate(words) if old in word and "|" not in word and "zhg" not in word)
    changed = [*words[:place], words[place].replace(old, new, 1), *words[place + 1 :]]

    with pytest.raises(Unreadable) as refused:
        ZHANGUO.notation.read_position(" ".join(changed))

    before = " ".join(changed)[: refused.value.column - 1]
    assert why in refused.value.why
    assert before.count(" ") == place


@pytest.mark.parametrize("key", ["actions", "kept"])
def test_a_word_that_only_matches_against_li_si_have_is_missed_at_the_end(key: str) -> None:
    words = [word for word in RIVAL.split(" ") if not word.startswith(f"{key}=")]
    line = " ".join(words)
    assert line != RIVAL

    with pytest.raises(Unreadable, match=f"expected {key}=.* after this") as refused:
        ZHANGUO.notation.read_position(line)

    assert refused.value.column == len(line) + 1


def test_an_emperor_tile_on_a_card_asks_for_a_wall_of_its_owner_on_the_site() -> None:
    with pytest.raises(Unreadable) as refused:
        ZHANGUO.notation.read_position(LINE.replace("W1b:.2", "W1b:1."))

    assert "violet has an Emperor tile of site B" in refused.value.why
    built = LINE.replace("W1b:.2", "W1b:2.")
    assert ZHANGUO.notation.write_position(ZHANGUO.notation.read_position(built)) == built


@pytest.mark.parametrize("line", [LINE, DRAWING, RIVAL, DEALING])
def test_a_line_that_a_match_can_reach_is_read(line: str) -> None:
    assert ZHANGUO.notation.write_position(ZHANGUO.notation.read_position(line)) == line


def test_every_torn_line_is_refused_without_a_fault_of_ours() -> None:
    words = LINE.split(" ")
    for at in range(len(words)):
        with pytest.raises(Unreadable):
            ZHANGUO.notation.read_position(" ".join(words[:at]))


# Accounts.


def test_an_account_says_what_happened_and_leaves_bookkeeping_out() -> None:
    state = ZHANGUO.notation.read_position(LINE)
    result = ZHANGUO.decide(state, *ZHANGUO.notation.read_move(state, "green master M3"))
    assert not isinstance(result, Illegal)
    texts = [ZHANGUO.display.describe(state, event).text for event in result]

    assert [text for text in texts if text] == ["green took M3"]
    assert "" in texts


# Set-ups.


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (("green",), ()),
        ((*NAMES, "black"), ()),
        (("green", "green"), ()),
        (("green", "deal"), ()),
        (SOLO[0], ()),
        (NAMES[:2], (("rival", "li-si-1"),)),
        (("green", "violet", "li-si"), (("rival", "li-si-1"),)),
    ],
)
def test_seats_that_no_match_can_have_are_refused(
    seats: tuple[str, ...], options: tuple[tuple[str, str], ...]
) -> None:
    with pytest.raises(BadSetup):
        ZHANGUO.start(Setup(ZHANGUO_1, seats, SET, options=options))


def test_unknown_options_and_rulings_are_refused_by_name() -> None:
    with pytest.raises(UnknownOption, match="table"):
        ZHANGUO.start(Setup(ZHANGUO_1, NAMES, SET, options=(("table", "T4"),)))
    with pytest.raises(UnknownRuling, match="emperor"):
        ZHANGUO.start(Setup(ZHANGUO_1, NAMES, SET, rulings=(("emperor", "of-china"),)))
