"""States, legal moves and matches as messages, with only what the viewer may see (messages.py)."""

from collections.abc import Iterable, Iterator, Sequence

from shiji.record.v1 import entry_pb2 as pb
from shiji.record.v1 import record_service_pb2 as service
from shiji.record.v1.header_pb2 import MatchHeader as HeaderMessage

from records.codec.header import encode_header
from records.entry import Entry, MatchHeader
from records.games.candidate import Candidate
from records.games.picture import svg
from records.games.state import Applied, GameState
from records.ledger.redaction import redacted
from records.log.people import Register
from records.replay.disclosure import public_digest
from records.replay.fold import MatchSnapshot
from rules.kernel.display import Highlights
from service.messages import (
    Viewpoint,
    actor_messages,
    awaited,
    fill_time,
    hides_hashes,
    outcome_message,
    state_for,
)


def record_for(viewpoint: Viewpoint, entries: Sequence[Entry]) -> list[Entry]:
    """The record itself, without what the viewer may not have of it; raises BadRecord or CorruptEvidence."""
    return redacted(entries, viewpoint.parts)


def state_message(
    viewpoint: Viewpoint,
    match: str,
    current: MatchSnapshot,
    sequence: int,
    state: GameState,
) -> service.GetStateResponse:
    """The state of a match after an entry, as the viewer may see it, without pictures."""
    header, visible, outcome = viewpoint.header, state_for(viewpoint, state), state.outcome()
    return service.GetStateResponse(
        match_id=match,
        sequence=sequence,
        position=visible.position(),
        awaiting=actor_messages(
            header, awaited(current, state) if sequence == current.sequence else state.awaiting()
        ),
        outcome=None if outcome is None else outcome_message(header.setup.seats, outcome),
        turn=visible.display.turn(),
        state_digest=b"" if hides_hashes(viewpoint, state) else public_digest(header, state),
        caution=visible.display.caution(),
    )


def fill_state_after(
    into: service.FollowRecordResponse, viewpoint: Viewpoint, current: MatchSnapshot, after: GameState
) -> None:
    """Fill the state after the entry of the response, as the viewer may see it."""
    visible, outcome = state_for(viewpoint, after), after.outcome()
    into.position = visible.position()
    into.turn = visible.display.turn()
    is_last = into.entry.sequence == current.sequence
    who = awaited(current, after) if is_last else after.awaiting()
    into.awaiting.extend(actor_messages(viewpoint.header, who))
    if outcome is not None:
        into.outcome.CopyFrom(outcome_message(viewpoint.header.setup.seats, outcome))


def position_of(viewpoint: Viewpoint, state: GameState) -> str:
    """The position as one line of text, as the viewer may see it."""
    return state_for(viewpoint, state).position()


def drawing_of(viewpoint: Viewpoint, state: GameState) -> str:
    """The picture of a state in plain text with its caution, as the viewer may see it."""
    display = state_for(viewpoint, state).display
    return "\n\n".join(filter(None, (display.draw(), display.caution())))


def svg_of(viewpoint: Viewpoint, state: GameState, sequence: int) -> str:
    """The picture of a state after an entry as SVG, as the viewer may see it."""
    title = f"{viewpoint.header.game}, after entry {sequence}"
    return svg(state_for(viewpoint, state), Highlights(), title)


def legal_message(viewpoint: Viewpoint, before: GameState, applied: Applied) -> service.CheckMoveResponse:
    """The verdict on a legal move, as its actor may see what it would cause."""
    after = applied.after
    outcome = after.outcome()
    return service.CheckMoveResponse(
        legal=True,
        events=[event.text for event in before.display.describe(applied.events)],
        position=state_for(viewpoint, after).position(),
        awaiting=actor_messages(viewpoint.header, after.awaiting()),
        outcome=None if outcome is None else outcome_message(viewpoint.header.setup.seats, outcome),
    )


def legal_move_messages(before: GameState, moves: Iterable[Candidate]) -> list[service.LegalMove]:
    """Moves of an actor that the caller may act as."""
    return [service.LegalMove(text=before.write_move(each), data=each.data) for each in moves]


def described_move_message(before: GameState, move: Candidate) -> service.LegalMove:
    """A move of an actor that the caller may act as, with its kind, its places and its explanation."""
    display = before.display
    return service.LegalMove(
        text=before.write_move(move),
        data=move.data,
        kind=display.kind(move),
        places=display.touches(move),
        explanation=display.explain(move),
    )


def words_of_move(before: GameState, move: Candidate) -> str:
    """The text and the explanation of a move of an actor that the caller may act as, to search in."""
    return f"{before.write_move(move)} {before.display.explain(move)}"


def match_message(match: str, current: MatchSnapshot, started: int, register: Register) -> pb.Match:
    """A match with its header and current state, as GetMatch returns it."""
    state = current.state
    outcome = state.outcome()
    message = pb.Match(
        match_id=match,
        header=HeaderMessage.FromString(encode_header(current.header)),
        sequence=current.sequence,
        awaiting=actor_messages(current.header, awaited(current, state)),
        outcome=None if outcome is None else outcome_message(current.header.setup.seats, outcome),
        copy=current.copy,
        closed=current.guards.closed,
        people=known_people(current.header, register),
        caution=state.display.caution(),
    )
    fill_time(message.start_time, started)
    return message


def known_people(header: MatchHeader, register: Register) -> Iterator[pb.KnownPerson]:
    """The personal data of the match that has not been deleted."""
    for each in header.people:
        fact = register.recall(each.commitment)
        if fact is not None:
            yield pb.KnownPerson(seat=each.seat, field=fact.field, value=fact.value)
