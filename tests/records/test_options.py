"""Options of a match: variants that its rulebook offers, apart from the rulings."""

from dataclasses import replace

import pytest
from msgspec import structs
from shiji.record.v1 import header_pb2 as pb

from records.audit.bundle import read_bundle
from records.audit.compare import Branch, Setting, compare
from records.audit.record import audit_record
from records.codec.header import decode_header, encode_header
from records.entry import MatchHeader, with_hash
from records.files.tags import read_header, write_header
from records.files.transcript import Tag, Transcript, UnreadableTranscript, read_transcript
from records.games.registry import find_game
from records.ledger.ledger import Ledger
from records.ledger.transfer import VerifiedImport, as_transcript, judge
from records.log.memory import MemoryLog
from records.replay.fold import UnknownEntry, open_record
from records.verdict import CorruptAt, IllegalAt, Verified
from rules.kernel.edition import UnknownOption
from rules.kernel.setup import BadSetup, GameKey, Setup
from rules.kernel.text import Unreadable
from tests.records.bundles import bundle_of, judged
from tests.records.matches import header
from tests.records.texts import transcript
from tests.records.transcripts import verify_transcript
from tests.rules.kit.dike.game import COMPONENTS
from tests.rules.kit.dike.records import DRY, alone, register
from tests.rules.kit.dike.values import DIKE_1

FAST_AND_LONG = (("current", "fast"), ("length", "5"))
SETUP = Setup(DIKE_1, ("green",), COMPONENTS.name, rulings=(("level-water", "flood"),), options=FAST_AND_LONG)


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def started(setup: Setup) -> MatchHeader:
    ledger = Ledger(MemoryLog())
    begun = ledger.start(MatchHeader(GameKey("dike"), setup), "start")
    return ledger.current(begun.entry.match).header


def why(**tags: str | None) -> str:
    with pytest.raises(UnreadableTranscript) as raised:
        read_header(read_transcript(alone(**tags)))
    return raised.value.why


def test_options_change_the_match() -> None:
    slow, fast = (
        verify_transcript(read_transcript(alone(*DRY, Options=said))) for said in ("", "current=fast")
    )

    assert slow.verdict == Verified()
    assert isinstance(fast.verdict, IllegalAt)
    assert fast.good == 2


def test_options_and_rulings_are_kept_apart_and_in_order() -> None:
    written = write_header(find_game("dike"), SETUP)

    assert [(tag.name, tag.value) for tag in written[2:5]] == [
        ("Edition", "dike/1"),
        ("Options", "current=fast length=5"),
        ("Rulings", "level-water=flood"),
    ]
    assert read_header(Transcript(written)).start.setup == SETUP


def test_a_match_without_options_has_no_tag_for_them_and_no_bytes_in_its_header() -> None:
    plain = replace(SETUP, options=())

    assert "Options" not in [tag.name for tag in write_header(find_game("dike"), plain)]
    assert not pb.MatchHeader.FromString(encode_header(MatchHeader(GameKey("dike"), plain))).options


@pytest.mark.parametrize("said", ["length=3", "", "length=3 current=slow", None])
def test_an_option_at_its_default_is_left_out(said: str | None) -> None:
    assert read_header(read_transcript(alone(Options=said))).start.setup.options == ()
    assert started(replace(SETUP, options=(("length", "3"), ("current", "fast")))).setup.options == (
        ("current", "fast"),
    )


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("length", "'length' is no option; expected NAME=VALUE, as in mausoleum=tokens"),
        ("luck=good", "no option is called 'luck'; known: length, current"),
        ("level-water=flood", "no option is called 'level-water'; known: length, current"),
        ("length=4", "option length has no value '4'; it takes 3 or 5"),
        ("length=5 length=5", "option length is given twice"),
    ],
)
def test_an_option_that_the_game_does_not_know_is_refused_at_its_tag(said: str, fault: str) -> None:
    assert why(Options=said) == fault


def test_an_option_is_no_ruling() -> None:
    assert why(Rulings="length=5") == "no ruling is called 'length'; known: level-water"


@pytest.mark.parametrize("name", ["Option", "options"])
def test_a_misspelt_tag_is_not_ignored(name: str) -> None:
    assert why(**{name: "length=5"}) == f"there is no tag {name}; it is written Options"


def test_a_game_without_options_takes_none() -> None:
    with pytest.raises(UnreadableTranscript, match="no option is called 'table': the game has no options"):
        read_header(transcript(Options="table=T2"))
    with pytest.raises(UnknownOption):
        Ledger(MemoryLog()).start(
            replace(header(), setup=replace(header().setup, options=(("a", "b"),))), "r"
        )


def test_a_header_keeps_its_options() -> None:
    assert started(SETUP).setup == SETUP
    assert decode_header(encode_header(MatchHeader(GameKey("dike"), SETUP))).setup == SETUP


def test_a_further_tag_cannot_pretend_to_be_the_options() -> None:
    pretending = MatchHeader(GameKey("dike"), replace(SETUP, options=()), tags=(("Options", "length=5"),))

    with pytest.raises(BadSetup, match="Options is no further tag"):
        Ledger(MemoryLog()).start(pretending, "start")


def test_a_record_with_an_option_that_this_build_does_not_know_is_not_guessed_at() -> None:
    record = judge(alone(*DRY).encode())
    assert isinstance(record, VerifiedImport)
    message = pb.MatchHeader.FromString(record.entries[0].move)
    message.options.add(name="tide", value="high")
    first = with_hash(structs.replace(record.entries[0], move=message.SerializeToString()))

    with pytest.raises(UnknownEntry, match="no option is called 'tide'"):
        open_record(first)
    assert audit_record(first.match, [first]).verdict == CorruptAt(
        0, "no option is called 'tide'; known: length, current"
    )


def test_a_stored_match_is_exported_with_its_options() -> None:
    record = judge(alone("green build", Options="length=5").encode())
    assert isinstance(record, VerifiedImport)

    assert Tag("Options", "length=5") in as_transcript(record.entries).tags


def test_two_records_with_other_options_are_of_other_matches() -> None:
    one, other = (
        Branch(verify_transcript(read_transcript(alone(Options=said)))) for said in ("length=5", "")
    )

    assert compare(one, other).settings == (Setting("options", "length=5", ""),)


def test_a_bundle_says_which_options_the_match_has() -> None:
    plain, long = bundle_of(alone(*DRY)), bundle_of(alone(*DRY, Options="length=5"))

    assert b'"options"' not in plain.partition(b"\n")[0]
    about = read_bundle(long).envelope.about
    assert about is not None
    assert about.options == {"length": "5"}
    assert judged(long).report.verdict == Verified()
    tampered = judged(long.replace(b'"options":{"length":"5"}', b'"options":{"length":"3"}'))
    assert isinstance(tampered.report.verdict, CorruptAt)


def test_a_position_has_the_options_among_the_rulings() -> None:
    game = find_game("dike")
    line = game.start(SETUP).position()

    assert line.endswith(" current=fast length=5 level-water=flood")
    assert game.read_position(line).setup == SETUP
    with pytest.raises(Unreadable, match="option length has no value '7'"):
        game.read_position(line.replace("length=5", "length=7"))
