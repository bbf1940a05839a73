"""Who may make which entry: every actor, kind and content that the table does not have is named."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.entry import Entry, EntryKind, MatchHeader
from records.evidence.concealment import CHOICE, VIEW, Commitment, Part, PartHasher, Slot, format_concealed
from records.replay.entry_rules import actor_fault, entry_fault, hidden_fault, seats_fault
from records.replay.fold import CorruptRecord, check_parts
from rules.kernel.setup import Setup
from tests.records.log.making import entry
from tests.records.matches import header

CHANCE, ARBITER = -1, -2
SEATS = ("green", "violet", "blue")
V1 = replace(header(), setup=replace(header().setup, seats=SEATS), sharers=(1,), entry_version=1)
V2 = replace(V1, entry_version=2)
HASHER = PartHasher(entry("m", 1).match)

MADE_BY = {
    EntryKind.HEADER: {ARBITER},
    EntryKind.MOVE: {CHANCE, 0, 1, 2},
    EntryKind.RETRACT: {ARBITER, 0, 1, 2},
    EntryKind.ROTATE_KEY: {ARBITER, 0, 1, 2},
    EntryKind.SEAL: {CHANCE},
    EntryKind.REVEAL_SHARE: {1},
    EntryKind.UNSEAL: {CHANCE},
    EntryKind.OPEN_DISPUTE: {ARBITER, 0, 1, 2},
    EntryKind.RESOLVE_DISPUTE: {ARBITER},
    EntryKind.REQUEST_TAKEBACK: {0, 1, 2},
    EntryKind.GRANT_TAKEBACK: {0, 1, 2},
    EntryKind.COMMIT_SHARE: {1},
    EntryKind.CHOOSE: {0, 1, 2},
    EntryKind.OPEN_CHOICE: {0, 1, 2},
    EntryKind.REVEAL_CHOICES: {CHANCE},
    EntryKind.ANSWER_FOR: {ARBITER},
    EntryKind.CLOSE: {ARBITER},
}
CAUSES = {EntryKind.MOVE, EntryKind.CHOOSE, EntryKind.REVEAL_CHOICES}


def made(kind: int, actor: int, *parts: tuple[int, int], events: bytes = b"") -> Entry:
    """An entry of version 2 with parts of these kinds and audiences."""
    concealed = format_concealed([Commitment(which, audience, bytes(32)) for which, audience in parts])
    return structs.replace(entry("m", 1, kind=kind), actor=actor, events=events, concealed=concealed)


def proper(kind: int, actor: int) -> Entry:
    """The entry with the parts that it must have."""
    match kind:
        case EntryKind.CHOOSE:
            return made(kind, actor, (CHOICE, 1 << actor))
        case EntryKind.OPEN_CHOICE:
            return made(kind, actor, (VIEW, 1 << actor))
        case _:
            return made(kind, actor)


@pytest.mark.parametrize("kind", EntryKind)
def test_an_entry_is_made_by_its_actors_and_by_nobody_else(kind: EntryKind) -> None:
    allowed = {actor for actor in range(-5, 10) if actor_fault(V2, kind, actor) is None}

    assert allowed == MADE_BY[kind]
    assert all(entry_fault(V2, proper(kind, actor)) is None for actor in allowed)


@given(st.integers(0, 300), st.integers(-(2**40), 2**40))
def test_any_other_kind_or_actor_has_a_fault(kind: int, actor: int) -> None:
    allowed = kind in set(EntryKind) and actor in MADE_BY[EntryKind(kind)]

    assert (actor_fault(V2, kind, actor) is None) == allowed


@pytest.mark.parametrize("kind", [EntryKind.SEAL, EntryKind.UNSEAL])
def test_an_actor_that_may_not_learns_who_may(kind: EntryKind) -> None:
    assert actor_fault(V1, kind, ARBITER) == f"only chance makes {'a seal' if kind == 4 else 'an unsealing'}"
    assert actor_fault(V1, EntryKind.COMMIT_SHARE, 0) == (
        "only a seat that the header names as a sharer makes a commitment to a share"
    )


@pytest.mark.parametrize("kind", [EntryKind.SEAL, EntryKind.UNSEAL])
def test_a_seat_that_the_match_does_not_have_is_named(kind: EntryKind) -> None:
    assert actor_fault(V1, kind, 500) == "there is no seat 500: the match has seats 0 to 2"


@pytest.mark.parametrize("kind", [kind for kind in EntryKind if kind >= EntryKind.CHOOSE])
def test_a_match_of_version_1_has_no_entries_of_version_2(kind: EntryKind) -> None:
    assert actor_fault(V1, kind, min(MADE_BY[kind])) == f"no entry of this match is of kind {kind}"


@pytest.mark.parametrize("kind", EntryKind)
def test_only_what_the_table_says_causes_anything(kind: EntryKind) -> None:
    causing = structs.replace(proper(kind, max(MADE_BY[kind])), events=b"something")

    assert (entry_fault(V2, causing) is None) == (kind in CAUSES)


@pytest.mark.parametrize("kind", EntryKind)
def test_only_what_the_table_says_has_parts_or_a_secret(kind: EntryKind) -> None:
    actor = max(MADE_BY[kind])
    concealing = {EntryKind.MOVE, EntryKind.REVEAL_CHOICES}
    hiding = concealing | {EntryKind.CHOOSE, EntryKind.OPEN_CHOICE}

    assert (entry_fault(V2, made(kind, actor, (VIEW, 1), (VIEW, 2))) is None) == (kind in concealing)
    assert (entry_fault(V2, structs.replace(proper(kind, actor), secret=b"x")) is None) == (kind in hiding)


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([], None),
        ([(VIEW, 0)], None),
        ([(VIEW, 0b111)], None),
        ([(VIEW, 0b010), (VIEW, 0b100), (VIEW, 0b001)], None),
        ([(VIEW, 0b001), (VIEW, 0b110), (VIEW, 0)], None),
        ([(CHOICE, 0b010)], "part 0: a move conceals views, and no choice"),
        ([(VIEW, 0b1000)], "part 0 is for a seat that the match does not have"),
        ([(VIEW, 1 << 63)], "part 0 is for a seat that the match does not have"),
        ([(VIEW, 0b011), (VIEW, 0b110)], "part 1 is for a seat that another part is for"),
        ([(VIEW, 0b100), (VIEW, 0b010), (VIEW, 0)], "part 1: views are ordered by their lowest seat"),
        ([(VIEW, 0), (VIEW, 0b010)], "part 0: views are ordered by their lowest seat"),
    ],
)
def test_views_are_for_seats_of_the_match_each_once_and_in_order(
    parts: list[tuple[int, int]], why: str | None
) -> None:
    fault = entry_fault(V2, made(EntryKind.MOVE, CHANCE, *parts))

    assert fault == why if why is None else fault is not None and fault.startswith(why)


@pytest.mark.parametrize("kind", [EntryKind.CHOOSE, EntryKind.OPEN_CHOICE])
@pytest.mark.parametrize(
    "parts",
    [
        [],
        [(VIEW, 0b010)],
        [(CHOICE, 0b010)],
        [(VIEW, 0b001)],
        [(CHOICE, 0b011)],
        [(CHOICE, 0)],
        [(VIEW, 0)],
        [(CHOICE, 0b010), (CHOICE, 0b001)],
        [(CHOICE, 0b010), (VIEW, 0b001)],
    ],
)
def test_a_choice_has_one_part_for_the_seat_alone(kind: EntryKind, parts: list[tuple[int, int]]) -> None:
    right = [(CHOICE if kind == EntryKind.CHOOSE else VIEW, 0b010)]

    assert (entry_fault(V2, made(kind, 1, *parts)) is None) == (parts == right)


ANY_ENTRY = st.builds(
    made,
    st.sampled_from([EntryKind.MOVE, EntryKind.RETRACT, EntryKind.OPEN_DISPUTE]),
    st.integers(-2, 3),
    events=st.sampled_from([b"", b"events"]),
)


@given(st.lists(ANY_ENTRY, max_size=12))
def test_a_record_is_corrupt_at_its_first_entry_with_a_fault_whatever_came_before(
    entries: list[Entry],
) -> None:
    numbered = [structs.replace(each, sequence=sequence) for sequence, each in enumerate(entries, start=1)]
    faulty = [each.sequence for each in numbered if entry_fault(V2, each)]

    try:
        check_parts(V2, numbered)
        found = None
    except CorruptRecord as fault:
        found = fault.sequence

    assert found == (faulty[0] if faulty else None)


def test_no_match_mixes_versions() -> None:
    old, new = entry("m", 1), entry("m", 1, concealed=b"\x02")

    assert entry_fault(V1, old) is entry_fault(V2, new) is None
    assert entry_fault(V1, new) == "the entry is of version 2, and the match of version 1"
    assert entry_fault(V2, old) == "the entry is of version 1, and the match of version 2"


def test_what_is_concealed_must_be_readable() -> None:
    assert entry_fault(V2, entry("m", 1, concealed=b"\x02\x01")) == (
        "concealed has 1 byte and 41 for each part, and this one 2"
    )


@pytest.mark.parametrize(
    ("match", "actor", "fine"),
    [
        (V1, CHANCE, False),
        (replace(V1, pledge=bytes(32)), CHANCE, True),
        (replace(V1, pledge=bytes(32)), 0, False),
    ],
)
def test_in_version_1_only_a_draw_of_a_sealed_match_has_a_secret(
    match: MatchHeader,
    actor: int,
    fine: bool,  # noqa: FBT001 - a case of the table
) -> None:
    drawn = structs.replace(entry("m", 1, actor=actor), secret=b"x")

    assert (entry_fault(match, drawn) is None) == fine


def test_every_part_kept_beside_an_entry_must_be_one_that_it_commits_to() -> None:
    content, salt = b"content", bytes(range(32))
    digest = HASHER.digest(Slot(1, 0, VIEW, CHANCE, 2), salt, content)
    drawn = structs.replace(
        entry("m", 1, actor=CHANCE), concealed=format_concealed([Commitment(VIEW, 2, digest)])
    )
    part = Part(0, salt, content)

    assert hidden_fault(HASHER, drawn, ()) is hidden_fault(HASHER, drawn, (part,)) is None
    for wrong in (
        structs.replace(part, place=1),
        structs.replace(part, content=b"other"),
        structs.replace(part, salt=bytes(32)),
        structs.replace(part, salt=b""),
    ):
        assert hidden_fault(HASHER, drawn, (wrong,)) is not None
    for moved in (structs.replace(drawn, sequence=2), structs.replace(drawn, actor=0)):
        assert hidden_fault(HASHER, moved, (part,)) == f"part 0 is not what entry {moved.sequence} commits to"


@pytest.mark.parametrize(("seats", "fine"), [(64, True), (65, False)])
def test_a_match_of_version_2_has_at_most_sixty_four_seats(
    seats: int,
    fine: bool,  # noqa: FBT001 - a case of the table
) -> None:
    setup = Setup(V1.setup.edition, tuple(map(str, range(seats))), V1.setup.components)

    assert (seats_fault(replace(V2, setup=setup)) is None) == fine
    assert seats_fault(replace(V1, setup=setup)) is None
