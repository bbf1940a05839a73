"""Whether a record whose entries are all good ends in a possible state, with the result that it states."""

from collections.abc import Sequence

from records.audit.transcript import judge_result
from records.entry import MatchHeader
from records.files.comments import RESULT
from records.files.tags import read_result
from records.files.transcript import Tag, UnreadableTranscript
from records.games.state import GameState
from records.verdict import DivergedAt, Verdict, Verified


def end_fault(header: MatchHeader, state: GameState, problems: Sequence[str], last: int) -> Verdict | None:
    """The verdict on the last entry, if its state or the stated result is wrong; None if all is well."""
    if problems:
        return DivergedAt(last, f"the match cannot be in this state: {'; '.join(problems)}")
    stated = dict(header.tags).get(RESULT)
    if stated is None:
        return None
    try:
        result = read_result(Tag(RESULT, stated), header.setup.seats)
    except UnreadableTranscript as fault:
        return DivergedAt(last, fault.why)
    judged = judge_result(result, state, last)
    return None if isinstance(judged, Verified) else judged
