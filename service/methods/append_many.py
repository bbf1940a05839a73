"""AppendMoves: several moves, judged and stored together."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import SERVICE, MatchHeader, MatchId
from records.games.candidate import Candidate
from records.games.state import GameState
from records.ledger.batches import playing
from records.ledger.builder import PreparedAppend, require_no_draw
from records.ledger.repeats import asked_by_moves
from records.ledger.results import Appended, IllegalAmong
from records.replay.steps import Steps, at_once
from rules.kernel.actors import Actor
from rules.kernel.rule import Illegal
from service.authorization import Caller
from service.bounds import MAX_MOVES_PER_REQUEST
from service.error_mapping import broken_rules
from service.errors import bad_field
from service.messages import Viewpoint, fill_entries, fill_last_state
from service.methods.append import Appending, candidate_of, subject
from service.pending import Pending
from service.resources import Resources

MOST_MOVES_AT_ONCE: Final = 16
"""Moves that are judged in a batch with other requests; more are judged in steps, between which the event
loop answers others."""

_FILLED_PER_STEP: Final = 8
"""Entries that are encoded in one step: less than a millisecond."""


class _JudgedBatch(NamedTuple):
    """A request whose moves are legal, and what its response is made of."""

    viewpoint: Viewpoint
    before: GameState
    candidates: Sequence[Candidate]
    outcome: PreparedAppend | tuple[Appended, ...]
    """What is to be stored, or what was stored when the same request came before."""


def append_moves(
    resources: Resources, caller: Caller, request: pb.AppendMovesRequest
) -> pb.AppendMovesResponse | Pending[pb.AppendMovesResponse]:
    """Judge some moves and store them together."""
    judged = at_once(_judging(resources, caller, request))
    if isinstance(judged.outcome, PreparedAppend):
        return _pending(resources, request, judged, judged.outcome)
    return at_once(_answering(resources, request, judged, judged.outcome))


def append_long_batch(
    resources: Resources, caller: Caller, request: pb.AppendMovesRequest
) -> Awaitable[pb.AppendMovesResponse] | None:
    """Judge many moves and store them together, in slices of the event loop's time; None for fewer."""
    return _append_in_slices(resources, caller, request) if len(request.moves) > MOST_MOVES_AT_ONCE else None


async def _append_in_slices(
    resources: Resources, caller: Caller, request: pb.AppendMovesRequest
) -> pb.AppendMovesResponse:
    account, share = caller.account, resources.loop_share
    await resources.intake.turn(account)
    judged = await share.run(account, _judging(resources, caller, request))
    appended = judged.outcome
    if isinstance(appended, PreparedAppend):
        states = _pending(resources, request, judged, appended).known_states
        result = await resources.intake.commit(appended.append, states)
        appended = await share.load(account, partial(resources.ledger.settle, appended, result))
    return await share.run(account, _answering(resources, request, judged, appended))


def _pending(
    resources: Resources, request: pb.AppendMovesRequest, judged: _JudgedBatch, prepared: PreparedAppend
) -> Appending[pb.AppendMovesResponse]:
    viewpoint, before, candidates, _ = judged
    response = pb.AppendMovesResponse()
    return Appending(resources.ledger, prepared, viewpoint, before, candidates, response, brief=request.brief)


def _judging(resources: Resources, caller: Caller, request: pb.AppendMovesRequest) -> Steps[_JudgedBatch]:
    """Judge the moves; raises CallError where one is illegal."""
    if not request.moves:
        raise bad_field("moves", f"must have 1 to {MAX_MOVES_PER_REQUEST} moves, not 0")
    known, before = subject(resources, caller, request)
    ledger, match, request_id = resources.ledger, MatchId(request.match_id), request.request_id
    acting = partial(resources.access.acting, caller, match, known)
    candidates, viewpoint = yield from _reading(known.header, before, request.moves, acting)
    if ledger.known(match).sequence != request.expected_sequence:
        stored = yield from ledger.repeating(match, request_id, asked_by_moves(candidates))
        if stored:
            return _JudgedBatch(viewpoint, before, candidates, stored)
    run = ledger.append_builder(match, request.expected_sequence, request_id, candidates)
    if isinstance(run, tuple):
        return _JudgedBatch(viewpoint, before, candidates, run)
    illegal = yield from playing(run, candidates, request.signature)
    if illegal is None:
        if run.header.dealer is SERVICE:
            run.deal()
        return _JudgedBatch(viewpoint, before, candidates, run.ready())
    outcome = ledger.illegal(match, request_id, candidates, illegal)
    if isinstance(outcome, IllegalAmong):
        raise broken_rules(known.header, outcome)
    return _JudgedBatch(viewpoint, before, candidates, outcome)


def _answering(
    resources: Resources,
    request: pb.AppendMovesRequest,
    judged: _JudgedBatch,
    appended: tuple[Appended, ...],
) -> Steps[pb.AppendMovesResponse]:
    """The response to moves that are stored."""
    viewpoint, state, candidates, _ = judged
    response = pb.AppendMovesResponse()
    for first in range(0, len(appended), _FILLED_PER_STEP):
        part = slice(first, first + _FILLED_PER_STEP)
        state = fill_entries(
            response.appended, viewpoint, state, appended[part], brief=request.brief, asked=candidates[part]
        )
        yield
    current = None if state.awaiting() else resources.ledger.known(MatchId(request.match_id))
    fill_last_state(response.appended, viewpoint, state, current, brief=request.brief)
    return response


def _reading(
    header: MatchHeader,
    state: GameState,
    moves: Iterable[entries.Move],
    acting: Callable[[Actor], Viewpoint],
) -> Steps[tuple[list[Candidate], Viewpoint]]:
    """The moves, by actors that the caller may act as, and the viewpoint of the last of these.

    All are parsed before any is judged, except for texts that depend on whose turn it is.
    Where a move before such a text is illegal, the list ends before the text. Raises BatchCrossesDraw where
    the service would have to deal before it.
    """
    candidates: list[Candidate] = []
    viewpoints: list[Viewpoint] = []
    played = 0
    for index, move in enumerate(moves):
        if index and move.WhichOneof("form") == "text" and state.depends_on_turn(move.text):
            for each in candidates[played:]:
                verdict = state.judge(each)
                if isinstance(verdict, Illegal):
                    return candidates, viewpoints[-1]  # the ledger judges it again and reports it
                state = verdict.after
                require_no_draw(header, state, index)
                yield
            played = index
        candidate = candidate_of(move, state, f"moves[{index}]")
        viewpoints.append(acting(candidate.actor))
        candidates.append(candidate)
        yield
    return candidates, viewpoints[-1]
