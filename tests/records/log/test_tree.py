"""The tree over an archive: what it proves, and whether an archive keeps what a checkpoint promised."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.entry import MatchId
from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.evidence.ed25519 import SecretKey
from records.evidence.merkle import OutsideTree, check_consistency, check_inclusion, leaf_hash
from records.evidence.note import SignatureType, SignerKey, verified
from records.log.contract import Log, UnreadableEntry
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from tests.records.archives import damage, make, open_log
from tests.records.counting import CountingLog
from tests.records.evidence.trees import defined_root
from tests.records.log.making import RecordWriter

KEY = SignerKey("example.com/shiji", SignatureType.ED25519, SecretKey(b"l" * 32))
ENTRIES = 1100
"""More than four blocks, and not a whole number of them."""

LOG = MemoryLog()
RecordWriter("m").write(LOG, ENTRIES)
TREE = Tree(LOG)
LEAVES = tuple(leaf_hash(entry.hash) for entry in LOG.archive())

sizes = st.integers(0, ENTRIES)


@given(sizes)
def test_the_root_is_that_of_the_entries_hashes_in_order(size: int) -> None:
    assert TREE.root(size) == defined_root(LEAVES[:size])


@given(st.data(), st.integers(1, ENTRIES))
def test_every_entry_is_proven_to_be_in_a_log_of_any_size(data: st.DataObject, size: int) -> None:
    position = data.draw(st.integers(1, size))

    proof = TREE.inclusion(position, size)

    check_inclusion(LEAVES[position - 1], position - 1, size, proof, TREE.root(size))


@given(sizes, sizes)
def test_a_later_log_is_proven_to_extend_an_earlier_one(one: int, other: int) -> None:
    old, new = sorted((one, other))

    check_consistency(old, TREE.root(old), new, TREE.root(new), TREE.consistency(old, new))


@pytest.mark.parametrize("steps", [(1,), (255, 1, 1), (256,), (300, 10, 3), (300, 212, 1), (1024, 5, 600)])
def test_a_tree_that_grows_with_its_log_is_the_same_as_one_made_at_the_end(steps: tuple[int, ...]) -> None:
    log, writer = MemoryLog(), RecordWriter("m")
    tree = Tree(log)
    for count in steps:
        writer.write(log, count)

        assert tree.root(tree.size) == Tree(log).root(log.last_position())


def test_only_what_is_new_is_read_for_the_next_checkpoint() -> None:
    counting = CountingLog(MemoryLog())
    writer, tree = RecordWriter("m"), Tree(counting)
    writer.write(counting, 1024)
    tree.checkpoint(KEY)
    writer.write(counting, 256)
    counting.hashes_read.clear()

    tree.checkpoint(KEY)

    assert counting.hashes_read == [(1024, 256)]


def test_appending_computes_nothing() -> None:
    counting = CountingLog(MemoryLog())
    Tree(counting)

    RecordWriter("m").write(counting, 300)

    assert counting.hashes_read == []


@pytest.mark.parametrize("size", [-1, ENTRIES + 1])
def test_a_log_never_had_more_entries_than_it_has(size: int) -> None:
    with pytest.raises(OutsideTree):
        TREE.root(size)


@pytest.mark.parametrize(("position", "size"), [(0, ENTRIES), (11, 10), (1, ENTRIES + 1)])
def test_an_entry_outside_the_log_is_not_proven(position: int, size: int) -> None:
    with pytest.raises(OutsideTree):
        TREE.inclusion(position, size)


@pytest.mark.parametrize(("old", "new"), [(-1, 10), (11, 10), (1, ENTRIES + 1)])
def test_a_size_outside_the_log_is_not_proven(old: int, new: int) -> None:
    with pytest.raises(OutsideTree):
        TREE.consistency(old, new)


def test_a_checkpoint_is_signed_for_the_log_that_the_key_is_named_for_and_is_always_the_same() -> None:
    note = TREE.checkpoint(KEY, 500)

    assert verified(note, [KEY.verifier])
    assert parse_checkpoint(note.text) == Checkpoint(KEY.name, 500, defined_root(LEAVES[:500]))
    assert note == Tree(LOG).checkpoint(KEY, 500)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    """An archive in a file, of matches whose entries come in turn."""
    path = tmp_path_factory.mktemp("tree") / "archive.db"
    with SqliteLog.open(path) as log:
        writers = [RecordWriter(f"m{number}") for number in range(7)]
        for turn in range(60):
            for number, writer in enumerate(writers):
                writer.write(log, 1 + (turn * number) % 3)
        yield log


@given(data=st.data())
def test_an_entry_of_any_match_of_a_file_is_proven_at_any_later_size(
    stored: Log, data: st.DataObject
) -> None:
    tree = Tree(stored)
    match = data.draw(st.sampled_from([MatchId(f"m{number}") for number in range(7)]))
    head = stored.head(match)
    assert head is not None
    (entry,) = stored.read(match, data.draw(st.integers(0, head.sequence)), 1)
    size = data.draw(st.integers(entry.position, tree.size))

    proof = tree.inclusion(entry.position, size)

    check_inclusion(leaf_hash(entry.hash), entry.position - 1, size, proof, tree.root(size))


def cosigned(db: Path) -> Checkpoint:
    with open_log(db) as log:
        return parse_checkpoint(Tree(log).checkpoint(KEY).text)


def breach(db: Path, checkpoint: Checkpoint) -> str | None:
    with open_log(db) as log:
        return Tree(log).breach(checkpoint)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "archive.db"
    make(path)
    return path


def test_an_archive_that_grew_keeps_what_it_promised(db: Path) -> None:
    before = cosigned(db)
    with SqliteLog.open(db) as log:
        RecordWriter("more").write(log, 300)

    assert breach(db, before) is None


def test_an_archive_that_lost_its_end_breaks_its_promise(db: Path) -> None:
    before = cosigned(db)
    damage(db, "DELETE FROM entry WHERE position > 16")

    assert breach(db, before) == "the checkpoint promises 18 entries and the archive has 16: 2 are gone"


def test_two_entries_in_each_others_place_break_the_promise(db: Path) -> None:
    before = cosigned(db)
    damage(
        db,
        "UPDATE entry SET position = -4 WHERE position = 4",
        "UPDATE entry SET position = 4 WHERE position = 5",
        "UPDATE entry SET position = 5 WHERE position = -4",
    )

    assert "swapped" in (breach(db, before) or "")


def test_a_gap_is_reported_with_its_position(db: Path) -> None:
    before = cosigned(db)
    damage(db, "DELETE FROM entry WHERE position = 7")

    with pytest.raises(UnreadableEntry) as raised:
        breach(db, before)

    assert raised.value.position == 7
