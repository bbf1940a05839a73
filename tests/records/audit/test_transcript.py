"""Audits of transcripts."""

import pytest

from records.audit.transcript import IllegalMove, transcript_of, winners
from records.files.transcript import Tag, UnreadableTranscript, read_transcript, write_transcript
from records.games.registry import find_game
from records.verdict import DivergedAt, IllegalAt, Verified
from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Setup
from tests.records.texts import TAGS, text, transcript
from tests.records.transcripts import verify_transcript

TWO_SEATS = Setup(EditionKey("qin/1"), ("green", "violet"), "map:R..")
FIRST_ENTRY = len(TAGS) + 2


def test_legal_entries_are_verified() -> None:
    report = verify_transcript(transcript("green Re8Re9", "violet Yg8Bh8", "green pass"))

    assert report.verdict == Verified()
    assert (report.entries, report.good) == (3, 3)
    assert report.reached.awaiting() == (Seat(1),)


def test_a_record_without_entries_is_verified() -> None:
    report = verify_transcript(transcript())

    assert (report.verdict, report.entries) == (Verified(), 0)


def test_a_bad_record_yields_its_longest_legal_prefix() -> None:
    good = verify_transcript(transcript("green Re8Re9", "violet Yg8Bh8"))
    report = verify_transcript(transcript("green Re8Re9", "violet Yg8Bh8", "violet pass", "green pass"))

    assert isinstance(report.verdict, IllegalAt)
    assert (report.verdict.sequence, report.verdict.move) == (3, "violet pass")
    assert [violation.rule.id for violation in report.verdict.violations] == ["QIN-TURN-1"]
    assert (report.entries, report.good, report.state) == (4, 2, good.state)


def test_an_entry_after_the_end_breaks_the_rules_of_the_game() -> None:
    report = verify_transcript(transcript("green Rb1Rc1", "violet pass", Board="map:R.."))

    assert isinstance(report.verdict, IllegalAt)
    assert report.verdict.sequence == 2
    assert [violation.rule.id for violation in report.verdict.violations] == ["QIN-TURN-1"]


def test_either_half_may_come_first() -> None:
    one = verify_transcript(transcript("green Re8Be9"))
    other = verify_transcript(transcript("green Be9Re8"))

    assert one.state == other.state


def test_a_draw_may_name_its_seat() -> None:
    deals = ("deal green RR YY BB", "deal violet RR YY BB")
    named = verify_transcript(transcript(*deals, "green Re8Re9", "green draw RB", Draws="recorded"))
    plain = verify_transcript(transcript(*deals, "green Re8Re9", "draw RB", Draws="recorded"))
    wrong = verify_transcript(transcript(*deals, "green Re8Re9", "violet draw RB", Draws="recorded"))

    assert named.state == plain.state
    assert isinstance(wrong.verdict, IllegalAt)


def test_a_ruling_of_the_header_is_the_one_that_judges() -> None:
    moves = ("green Rb2Rc2", "white Rg2Rh2", "green Rd2Re2", "white Rf3Be3", "green Yf1Rf2")
    tags = {"Board": "map:........./R.......R/........./.....R...", "Seats": "green white"}

    default = verify_transcript(transcript(*moves, **tags))
    keeps = verify_transcript(transcript(*moves, **tags, Rulings="major-conflict=major-keeps"))

    assert isinstance(default.verdict, IllegalAt)
    assert [violation.rule.id for violation in default.verdict.violations] == ["QIN-ABSORB-6"]
    assert keeps.verdict == Verified()


@pytest.mark.parametrize(
    ("move", "column"),
    [
        ("green", 9),
        ("green Ge8Re9", 10),
        ("green Re8", 13),
        ("green Re8Re9 now", 17),
        ("green Re0Re1", 12),
        ("green Re8Re100", 15),
        ("white pass", 4),
        ("pass", 4),
        ("draw", 8),
        ("draw GR", 9),
        ("deal nobody RR RR RR", 9),
    ],
)
def test_a_move_that_cannot_be_read_is_refused_at_its_column(move: str, column: int) -> None:
    with pytest.raises(UnreadableTranscript) as raised:
        verify_transcript(transcript(move))

    assert (raised.value.line, raised.value.column) == (FIRST_ENTRY, column)


def test_a_record_is_unreadable_as_a_whole_even_after_an_illegal_entry() -> None:
    with pytest.raises(UnreadableTranscript, match=f"^line {FIRST_ENTRY + 1},"):
        verify_transcript(transcript("violet pass", "green jump"))


def test_more_entries_than_a_match_can_have_are_refused_before_any_is_judged() -> None:
    max_entries = find_game("qin").max_entries
    most = verify_transcript(transcript(*["green pass"] * max_entries))

    assert isinstance(most.verdict, IllegalAt)
    with pytest.raises(UnreadableTranscript, match=f"has {max_entries + 1} entries; no match of this game"):
        verify_transcript(transcript(*["green pass"] * (max_entries + 1)))


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        ("*", Verified()),
        ("green", Verified()),
        ("violet", DivergedAt(1, "the record states that violet won, but by the rules it was green")),
        (
            "violet green",
            DivergedAt(1, "the record states that green and violet won, but by the rules it was green"),
        ),
    ],
)
def test_a_stated_result_is_compared_with_the_one_that_comes_out(
    result: str, verdict: Verified | DivergedAt
) -> None:
    report = verify_transcript(transcript("green Rb1Rc1", Board="map:R..", Result=result))

    assert report.verdict == verdict
    assert winners(report.reached) == ("green",)


def test_winners_may_be_stated_in_any_order() -> None:
    moves = ("green Rb1Rc1", "violet Bb2Bc2")
    tags = {"Board": "map:R../B..", "Result": "violet green"}

    assert verify_transcript(transcript(*moves, **tags)).verdict == Verified()


def test_a_result_of_a_match_under_way_is_a_divergence_at_the_last_entry() -> None:
    report = verify_transcript(transcript("green Re8Re9", "violet pass", Result="green"))

    assert report.verdict == DivergedAt(
        2, "the record states that green won, but by the rules the match is not over"
    )
    assert report.good == 2


def test_an_illegal_entry_comes_before_a_divergence() -> None:
    report = verify_transcript(transcript("violet pass", Result="green"))

    assert isinstance(report.verdict, IllegalAt)


def test_a_played_match_is_written_as_a_transcript() -> None:
    game = find_game("qin")
    placed = game.start(TWO_SEATS).parse_text("green Rc1Rb1")

    written = transcript_of(game, TWO_SEATS, [(placed.actor, placed.data)], [Tag("Event", "Cup")])

    assert write_transcript(written) == text("green Rb1Rc1", Board="map:R..", Result="green", Event="Cup")
    assert verify_transcript(read_transcript(write_transcript(written))).verdict == Verified()


def test_a_match_with_an_illegal_move_is_not_written() -> None:
    game = find_game("qin")
    passed = game.start(TWO_SEATS).parse_text("violet pass")

    with pytest.raises(IllegalMove, match="entry 1 breaks QIN-TURN-1"):
        transcript_of(game, TWO_SEATS, [(passed.actor, passed.data)])
