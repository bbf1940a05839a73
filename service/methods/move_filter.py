"""The legal moves that pass a filter, with the kinds and places that are left to choose from."""

from collections import Counter
from collections.abc import Iterable

from shiji.record.v1 import record_service_pb2 as pb

from records.games.candidate import Candidate
from records.games.state import GameState
from rules.kernel.actors import Actor
from service.messages import actor_message
from service.state_messages import described_move_message, words_of_move


def filtered_moves(
    state: GameState, actor: Actor, legal: Iterable[Candidate], wanted: pb.MoveFilter, page: range
) -> pb.ListLegalMovesResponse:
    """Of the legal moves of an actor that pass the filter, those at the places of the page."""
    display, places = state.display, frozenset(wanted.places)
    words = wanted.text.casefold().split()
    kinds, left, found = Counter[str](), dict[str, None](), list[Candidate]()
    for move in legal:
        touched = display.touches(move)
        if not places <= frozenset(touched):
            continue
        if words:
            text = words_of_move(state, move).casefold()
            if not all(word in text for word in words):
                continue
        kind = display.kind(move)
        kinds[kind] += 1
        if wanted.kind in {"", kind}:
            left.update(dict.fromkeys(touched))
            found.append(move)
    return pb.ListLegalMovesResponse(
        moves=[described_move_message(state, move) for move in found[page.start : page.stop]],
        next_page_token=str(page.stop) if page.stop < len(found) else "",
        actor=actor_message(actor, state.setup.seats),
        total_size=len(found),
        kinds=[pb.MoveKind(name=name, count=count) for name, count in kinds.items()],
        places=left,
    )
