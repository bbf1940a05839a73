"""What a move would change on the board and beside it, drawn before it is played."""

from functools import partial

from msgspec import Struct
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.ledger.ledger import Ledger
from records.replay.choices import answers_in_secret
from records.replay.policies import may_not_deal
from rules.kernel.actors import Actor
from rules.kernel.display import Highlights
from rules.kernel.rule import Illegal
from service.authorization import Caller
from service.errors import bad_field
from service.http.pages.board import board_drawing
from service.messages import Viewpoint, state_for
from service.methods.append import candidate_of
from service.methods.query import judged_by, stored_subject
from service.requests import match_id
from service.resources import Resources
from service.work_queue import lane_for


class MovePreview(Struct, frozen=True):
    """The drawings of a position that a move would lead to, as HTML; nothing for one that is not legal."""

    board: str = ""
    """The board after the move; empty where the game has none."""
    panels: tuple[str, ...] = ()
    """What would be different beside the board."""


async def move_preview(resources: Resources, caller: Caller, *, request: pb.CheckMoveRequest) -> MovePreview:
    """The drawings of what a move would lead to, as its actor would see it; raises CallError."""
    if request.WhichOneof("subject") != "stored":
        raise bad_field("subject", "give the id of a stored match")

    def judged() -> tuple[int, Actor, Viewpoint]:
        subject = stored_subject(resources, caller, request.stored)
        actor = candidate_of(request.move, subject.state).actor
        return subject.sequence, actor, subject.viewpoint(actor)

    sequence, actor, viewpoint = await resources.off_loop(judged)
    match = match_id(request.stored.match_id)
    work = partial(
        _preview, match=match, sequence=sequence, actor=actor, viewpoint=viewpoint, move=request.move
    )
    return await resources.workers.run(caller.account, work, lane_for(sequence))


def _preview(  # noqa: PLR0913 - what a worker needs to judge a move again
    ledger: Ledger, *, match: MatchId, sequence: int, actor: Actor, viewpoint: Viewpoint, move: entries.Move
) -> MovePreview:
    before = judged_by(viewpoint, ledger.state_at(match, sequence), actor)
    if answers_in_secret(viewpoint.header, before, actor):
        return MovePreview()  # what it causes depends on what the others choose
    if may_not_deal(viewpoint.header, actor) is not None:
        return MovePreview()
    candidate = candidate_of(move, before)
    verdict = before.judge(candidate)
    if isinstance(verdict, Illegal):
        return MovePreview()
    label = "The board after this move"
    now = board_drawing(before, Highlights(), label)
    then = board_drawing(state_for(viewpoint, verdict.after), Highlights(last=candidate), label)
    return MovePreview(str(then.board), tuple(str(each) for each in then.beside if each not in now.beside))
