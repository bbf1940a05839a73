"""Archives are copied from engine to engine: records, checkpoints, people, and who owns which match."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from records.audit.archive import ArchiveAudit
from records.entry import MatchId
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.evidence.personal_commitment import Fact
from records.log.contract import BadCopy, Log
from records.log.copying import ArchiveParts, copy_archive
from records.log.memory import MemoryLog
from records.log.opening import open_log, open_owners, open_register
from records.log.owners import EVERYBODY, Owned, Owners, owners_path
from records.log.people import MemoryRegister
from records.log.postgres.connection import Target
from records.log.postgres.log import PostgresLog
from records.log.postgres.owners import PostgresOwners
from records.log.tree import Tree
from tests.postgres import shared_cluster
from tests.records.log.making import RecordWriter

SIGNER = SignerKey("a.example/log", SignatureType.ED25519, SecretKey(bytes(32)))


class NoOwners:
    """Owners of no match at all."""

    def everything(self) -> Iterable[Owned]:
        return ()

    def restore(self, owners: Iterable[Owned]) -> None:
        assert not list(owners)

    def close(self) -> None:
        pass


@contextmanager
def whole_archive(address: str, *, read_only: bool = False) -> Iterator[ArchiveParts]:
    with (
        open_log(address, read_only=read_only) as log,
        closing(open_register(address)) as people,
        closing(open_owners(address, log)) as owners,
    ):
        yield ArchiveParts(log, people, owners)


def in_memory(log: Log) -> ArchiveParts:
    """An archive of which only the log is stored."""
    return ArchiveParts(log, MemoryRegister(), NoOwners())


def test_an_archive_copied_through_all_engines_has_the_same_root_and_findings(
    target: Target, tmp_path: Path
) -> None:
    first, last = str(tmp_path / "first.db"), str(tmp_path / "last.db")
    with open_log(first) as log:
        for name in ("b", "a"):
            RecordWriter(name).write(log, 150)
        RecordWriter("c").write(log, 3)
        notes = [Tree(log).checkpoint(SIGNER, size) for size in (150, 303)]
        log.keep_checkpoints(notes)
    with closing(open_register(first)) as register:
        (commitment,) = register.remember([Fact("p", "name", "Ann")])
    Owners(owners_path(Path(first)), [MatchId("b")]).claim(MatchId("a"), "club")

    roots = set()
    places = (first, shared_cluster().address(target.url.rsplit("/", 1)[1]), last)
    for source, place in pairwise(places):
        with whole_archive(source, read_only=True) as old_parts, whole_archive(place) as new_parts:
            result = copy_archive(old_parts, new_parts)
            (old, _, _), (new, people_there, owners_there) = old_parts, new_parts
            roots.add(result.root)
            assert result.checkpoints == 2
            assert list(new.checkpoints()) == list(old.checkpoints()) == notes
            assert list(new.archive()) == list(old.archive())
            assert list(new.listing()) == list(old.listing())
            assert people_there.recall(commitment) == Fact("p", "name", "Ann")
            assert result.owned == 1
            assert dict(owners_there.everything()) == {"a": "club", "b": EVERYBODY}
            assert copy_archive(old_parts, new_parts).copied == 0

    assert len(roots) == 1
    findings = []
    for place in places:
        audit = ArchiveAudit(partial(open_log, place, read_only=True), jobs=1)
        findings.append([(report.match, str(report.verdict)) for report in audit.reports()])
        assert audit.summary.flaws == []
    assert findings[0] == findings[1] == findings[2]


def test_a_copy_does_not_mix_the_checkpoints_of_two_logs(target: Target) -> None:
    with MemoryLog() as source, PostgresLog.open(target) as there:
        RecordWriter("m").write(source, 3)
        source.keep_checkpoints([Tree(source).checkpoint(SIGNER, 2)])
        another = SignerKey("b.example/log", SignatureType.ED25519, SecretKey(bytes(32)))
        there.keep_checkpoints([Tree(source).checkpoint(another, 2)])

        with pytest.raises(BadCopy, match="has another checkpoint"):
            copy_archive(in_memory(source), in_memory(there))


def test_a_copy_goes_on_where_it_was_interrupted(target: Target) -> None:
    with MemoryLog() as source, PostgresLog.open(target) as there:
        RecordWriter("m").write(source, 100)
        there.copy_in(list(source.archive(0, 40)), ())

        result = copy_archive(in_memory(source), in_memory(there))

        assert (result.entries, result.copied) == (100, 60)
        assert list(there.archive()) == list(source.archive())


def test_something_else_is_not_copied_over(target: Target) -> None:
    with MemoryLog() as source, PostgresLog.open(target) as there:
        RecordWriter("m").write(source, 3)
        RecordWriter("other").write(there)
        there.wait(0, 10)

        with pytest.raises(BadCopy, match="begins with 1 entries that the other does not have"):
            copy_archive(in_memory(source), in_memory(there))


def test_a_copy_gives_no_match_to_another_owner(target: Target, tmp_path: Path) -> None:
    file = tmp_path / "archive.db"
    with open_log(str(file)) as log:
        RecordWriter("a").write(log)
    Owners(owners_path(file), ()).claim(MatchId("a"), "club")
    with closing(open_owners(target.url, MemoryLog())) as owners:
        owners.restore([(MatchId("a"), "rival")])

    with (
        whole_archive(str(file), read_only=True) as source,
        whole_archive(target.url) as there,
        pytest.raises(BadCopy, match="a has another owner"),
    ):
        copy_archive(source, there)


def test_matches_of_a_file_without_owners_belong_to_everybody_in_its_copies(
    target: Target, tmp_path: Path
) -> None:
    first, last = tmp_path / "first.db", tmp_path / "last.db"
    with open_log(str(first)) as log:
        RecordWriter("a").write(log)
    for source, place in pairwise((str(first), target.url, str(last))):
        with whole_archive(source, read_only=True) as old, whole_archive(place) as new:
            assert copy_archive(old, new).owned == 0

    with closing(PostgresOwners(target)) as owners:
        assert owners.owned(MatchId("a"), "club")
        assert owners.owner_of(MatchId("a")) is None
    assert not owners_path(first).exists()
    assert not owners_path(last).exists()
