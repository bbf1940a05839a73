"""What the page of two records shows: where they differ, as one sentence, and the evidence for each."""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.audit.compare import Branch, after_entry
from records.codec.shape import CorruptMove
from records.games.candidate import Candidate
from records.games.state import GameState
from records.replay.fold import BadRecord
from records.verdict import IllegalAt
from rules.kernel.display import Highlights
from rules.kernel.text import Unreadable
from service.authorization import Caller
from service.http.pages.board import BoardDrawing, board_drawing
from service.http.pages.dispute_view import VerdictView, verdict_view
from service.methods.compare import ComparedRecords, compared
from service.resources import Resources

_GOOD = frozenset({verdicts.VERDICT_VERIFIED, verdicts.VERDICT_AS_SHOWN})


class BranchView(Struct, frozen=True):
    """One of two records."""

    name: str
    """A or B, as the sentence calls it."""
    match_id: str
    stored: bool
    """Whether it is a match of this archive, so that it has a page."""
    form: str
    """What it is, in words: a transcript, a bundle."""
    verdict: VerdictView
    after_agreement: str
    """Its first entry after those in which the records agree; empty if there is none."""
    next_number: int | None
    """The number of that entry, as this record counts."""
    evidence: tuple[tuple[str, str], ...]
    """What speaks for it besides the rules, in words: signatures, and the logs that hold it."""
    signed: int
    """Entries that are signed."""
    in_log: int
    """Leading entries that this archive has identically."""


class ComparisonView(Struct, frozen=True):
    """The page of two records, in values."""

    word: str
    """The verdict that the page is coloured by."""
    sentence: str
    agreed: int
    """Entries after the header in which they agree."""
    settings: tuple[tuple[str, str, str], ...]
    """Settings in which the headers differ, with their values."""
    branches: tuple[BranchView, ...]


class RenderedComparison(Struct, frozen=True):
    """The page of two records, in values and in drawings."""

    view: ComparisonView
    drawings: tuple[BoardDrawing | None, ...]
    """Of each record, the position before its first entry that breaks a rule, or where the records part."""


async def comparison_page(
    resources: Resources, caller: Caller, *, request: pb.CompareRecordsRequest
) -> RenderedComparison:
    """The comparison of two records; raises CallError."""
    stored = tuple(each.WhichOneof("record") == "match_id" for each in (request.one, request.other))
    return await compared(resources, caller, request, partial(_rendered, stored=stored))


def _rendered(found: ComparedRecords, *, stored: tuple[bool, ...]) -> RenderedComparison:
    response = found.response
    branches, sides = (found.one, found.other), (response.one, response.other)
    view = ComparisonView(
        _word(response),
        response.sentence,
        response.agreed,
        tuple((each.name, each.one, each.other) for each in response.settings),
        tuple(map(_view, "AB", branches, sides, stored)),
    )
    contradicts = bool(response.one.after_agreement and response.other.after_agreement)
    drawings = map(partial(_drawing, contradicts=contradicts), branches, sides)
    return RenderedComparison(view, tuple(drawings))


def _view(name: str, branch: Branch, side: pb.ComparedBranch, stored: bool) -> BranchView:  # noqa: FBT001 - mapped
    return BranchView(
        name,
        side.report.match_id,
        stored,
        _form(branch, stored=stored),
        verdict_view(side.report),
        side.after_agreement,
        side.next_number if side.HasField("next_number") else None,
        tuple(_evidence(branch, side)),
        side.signed,
        side.in_log,
    )


def _form(branch: Branch, *, stored: bool) -> str:
    if stored:
        return "a match of this archive"
    if not branch.stored:
        return "a transcript"
    return "a record file" if branch.proven is None else "a bundle"


def _evidence(branch: Branch, side: pb.ComparedBranch) -> Iterator[tuple[str, str]]:
    if not branch.stored:
        yield "signed", "nothing: a transcript has no signatures"
        yield "in a log", "not shown: only a bundle proves that, or a record that this archive has too"
        return
    yield "signed", _signatures(branch, side.signed)
    if branch.proven is not None:
        yield "in a log", _proven_log(side)
    yield "in this archive", _archived(side.in_log, len(branch.stored))


def _signatures(branch: Branch, signed: int) -> str:
    must_sign = branch.report.header is not None and bool(branch.report.header.keys)
    if not must_sign and not signed:
        return "nothing, since the record promises no signatures"
    words = f"{signed} of {len(branch.stored) - 1} entries"
    fault = branch.proven.unsigned if branch.proven is not None else None
    return f"{words}; then: {fault}" if fault else words


def _proven_log(side: pb.ComparedBranch) -> str:
    if not side.HasField("proven_log"):
        return "not shown: the bundle has no valid proof"
    log = side.proven_log
    return f"{log.origin} holds every entry, in a log of {log.size}; signed by {', '.join(log.signers)}"


def _archived(in_log: int, entries: int) -> str:
    if in_log == entries:
        return "all of it"
    return f"only its beginning, up to entry {in_log - 1}" if in_log else "not at all"


def _word(response: pb.CompareRecordsResponse) -> str:
    if any(side.report.verdict not in _GOOD for side in (response.one, response.other)):
        return "illegal"
    agrees = not response.settings and not (response.one.after_agreement and response.other.after_agreement)
    return "verified" if agrees else "as-shown"


def _drawing(branch: Branch, side: pb.ComparedBranch, *, contradicts: bool) -> BoardDrawing | None:
    """The position before the first bad entry, with what is wrong; or the one where the records part."""
    state, verdict = branch.report.state, branch.report.verdict
    if state is not None and isinstance(verdict, IllegalAt):
        label = f"The position before entry {verdict.sequence}"
        return board_drawing(state, _refused(state, verdict), label)
    if branch.report.header is None or not contradicts or not side.HasField("next_number"):
        return None
    try:
        state, move = after_entry(branch, side.next_number)
    except (BadRecord, CorruptMove, Unreadable):
        return None
    return board_drawing(state, Highlights(last=move), f"The position after entry {side.next_number}")


def _refused(state: GameState, verdict: IllegalAt) -> Highlights[Candidate]:
    """The move that breaks the rules, and the cells that they name."""
    places = tuple(place for each in verdict.violations for place in each.places)
    try:
        return Highlights(refused=state.parse_text(verdict.move), places=places)
    except Unreadable:
        return Highlights(places=places)
