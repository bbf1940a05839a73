"""Each leak that the service once had, put back, is found by the search of test_noninterference.py."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.entry import SERVICE, Concealment, MatchHeader, MatchId
from records.games.candidate import Candidate
from records.games.state import GameState
from records.ledger import notices
from records.ledger.builder import EntryBuilder
from records.ledger.results import IllegalAmong
from records.replay.fold import MatchSnapshot
from records.verdict import AuditReport, Verified
from rules.kernel.actors import AUDITOR, CHANCE, Actor, Seat, Viewer
from rules.kernel.setup import Draws
from rules.khan import checks, tasks
from rules.khan.cards import UNKNOWN, CardKind
from rules.khan.state import State as KhanState
from service import messages, method_table, rpc
from service.access import Access, open_viewpoint
from service.authorization import Caller
from service.errors import CallError
from service.http import connect
from service.http.pages import match_view
from service.messages import Viewpoint
from service.methods import append, audit, compare, listing, query, read
from service.resources import Resources
from service.verdict_messages import report_message
from tests.service import direct
from tests.service.test_noninterference import PAIRS, search
from tests.service.twin_services import World, two_worlds

Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Leak:
    """A leak: what it was, how it is put back, and the seed of a pair that shows it."""

    name: str
    put_back: Callable[[Patch], None]
    seed: int


def batches_that_deal(patch: Patch) -> None:
    def deal_between(
        builder: EntryBuilder, moves: Sequence[Candidate], signature: bytes, first: int = 0
    ) -> IllegalAmong | None:
        for index, candidate in enumerate(moves, first):
            illegal = builder.play(candidate, b"" if index else signature)
            if illegal is not None:
                return IllegalAmong(index, illegal)
            builder.deal()
        return None

    patch.setattr(EntryBuilder, "play_part", deal_between)


def derived_request_ids(patch: Patch) -> None:
    def acting(
        self: Access, caller: Caller, match: MatchId, current: MatchSnapshot, actor: Actor
    ) -> Viewpoint:
        if actor is CHANCE and current.header.dealer is SERVICE:
            return open_viewpoint(current.header)
        return act(self, caller, match, current, actor)

    act = Access.acting
    patch.setattr("records.ledger.repeats._derived", lambda *_: False)
    patch.setattr(Access, "acting", acting)


def streams_whose_permission_is_checked_once(patch: Patch) -> None:
    def once(resources: Resources, caller: Caller, match: MatchId, viewer: Viewer) -> Viewpoint:
        allowed = (caller, match, viewer)
        if allowed not in kept:
            kept[allowed] = looking_now(resources, caller, match, viewer)
        return kept[allowed]

    kept = dict[tuple[Caller, MatchId, Viewer], Viewpoint]()
    looking_now = read._looking_now  # noqa: SLF001 - the leak is inside of it
    patch.setattr(read, "_looking_now", once)


def comparisons_that_confirm_a_guess(patch: Patch) -> None:
    patch.setattr(compare, "_require_may_compare", lambda *_: None)


def proofs_that_confirm_a_guess(patch: Patch) -> None:
    patch.setattr(Access, "require_hashes", lambda *_: None)


def takebacks_past_a_draw(patch: Patch) -> None:
    patch.setattr(notices, "crosses_draw", lambda *_: None)


def request_ids_of_other_owners(patch: Patch) -> None:
    patch.setattr(append, "_start_request", lambda _resources, _caller, request: request)

    def claim(self: Access, caller: Caller, match: MatchId) -> None:
        with suppress(CallError):
            claim_own(self, caller, match)

    claim_own = Access.claim
    patch.setattr(Access, "claim", claim)


def archive_audits_that_explain(patch: Patch) -> None:
    patch.setattr(audit, "_shows_nothing_hidden", lambda _: True)


def audits_that_ask_how_draws_are_recorded(patch: Patch) -> None:
    """The Great Wall has secrets also where draws are not recorded."""

    def public(report: AuditReport) -> verdicts.AuditReport:
        if isinstance(report.verdict, Verified) or report.header is None:
            return public_now(report)
        return report_message(report, whole=report.header.setup.draws is not Draws.RECORDED)

    public_now = audit._public  # noqa: SLF001 - the leak is inside of it
    patch.setattr(audit, "_public", public)


def parts_for_everybody(patch: Patch) -> None:
    patch.setattr(Access, "_parts", lambda *_: AUDITOR)


def secrets_of_drawn_cards_only(patch: Patch) -> None:
    """The Great Wall has secret choices also where nothing is drawn by anybody."""

    def has_secrets(header: MatchHeader, state: GameState) -> bool:
        return header.concealment is not Concealment.OPEN and state.setup.draws is Draws.RECORDED

    patch.setattr(messages, "has_secrets", has_secrets)


def own_cards_that_are_not_known(patch: Patch) -> None:
    """Two layers hold this: rules ask nothing of other hands, and a seat is judged by its own view."""

    def may_hold(state: KhanState, seat: Seat, card: CardKind) -> bool:
        hand = state.hands[seat]
        return card in hand or (UNKNOWN in hand and state.unseen(card) > 0)

    for module in (checks, tasks):
        patch.setattr(module, "may_hold", may_hold)
    patch.setattr(query, "state_for", lambda _, state: state)


def pages_that_show_the_whole_state(patch: Patch) -> None:
    patch.setattr(match_view, "state_for", lambda _, state: state)
    patch.setattr(match_view, "position_of", lambda _, state: state.position())


def totals_by_what_is_hidden(patch: Patch) -> None:
    """As where matches were counted by the cards that are left in hands."""

    async def list_all(
        resources: Resources, caller: Caller, request: pb.ListMatchesRequest
    ) -> pb.ListMatchesResponse:
        response = await list_now(resources, caller, request)
        for row in response.matches:
            if not row.damage:
                state = resources.ledger.current(MatchId(row.match_id)).state
                response.total_size += state.digest()[0]
        return response

    list_now = listing.list_matches
    methods = {**method_table.METHODS, "ListMatches": rpc.unary(list_all)}
    for module in (direct, connect):
        patch.setattr(module, "METHODS", methods)


LEAKS = [
    Leak("batches that deal", batches_that_deal, 21),
    Leak("derived request ids", derived_request_ids, 3),
    Leak("streams", streams_whose_permission_is_checked_once, 6),
    Leak("comparisons", comparisons_that_confirm_a_guess, 34),
    Leak("proofs", proofs_that_confirm_a_guess, 34),
    Leak("takebacks", takebacks_past_a_draw, 10),
    Leak("request ids of other owners", request_ids_of_other_owners, 2),
    Leak("parts for everybody", parts_for_everybody, 0),
    Leak("archive audits", archive_audits_that_explain, 50),
    Leak("audits of unrecorded draws", audits_that_ask_how_draws_are_recorded, 40),
    Leak("secrets of drawn cards only", secrets_of_drawn_cards_only, 17),
    Leak("own cards that are not known", own_cards_that_are_not_known, 54),
    Leak("pages", pages_that_show_the_whole_state, 4),
    Leak("totals", totals_by_what_is_hidden, 2),
]


def find(worlds: tuple[World, World], seed: int) -> object:
    """The first leak that the short search finds, if this pair does not show it at once."""
    for each in dict.fromkeys((seed, *range(PAIRS))):
        found = search(worlds, each)
        if found.leak is not None:
            return found.leak
    return None


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.name)
def test_the_short_search_finds_the_leak(leak: Leak, tmp_path: Path, monkeypatch: Patch) -> None:
    leak.put_back(monkeypatch)

    with two_worlds(tmp_path, directly=True) as worlds:
        assert find(worlds, leak.seed) is not None
