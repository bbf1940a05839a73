"""Sealed matches with several decks: each has orders of its own, whatever is drawn first."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Final

import pytest
from msgspec import structs

from records.audit.record import audit_record
from records.codec.concealment import Hidden, encode_hidden
from records.codec.evidence import Sealed, decode_seal
from records.entry import Dealer, Entry, EntryKind, MatchHeader
from records.evidence.sealing import deck_key, shuffle
from records.games import registry
from records.games.bound import bind
from records.games.known_games import KnownGames
from records.games.plugins import codec_of
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.replay.disclosure import for_viewer, hidden_of
from records.replay.fold import rebuild
from records.verdict import DivergedAt, Verdict, Verified, VerifiedAsShown
from rules.kernel.actors import CHANCE, SPECTATOR
from rules.kernel.chance import Chance, Take
from rules.kernel.game import Game
from rules.kernel.setup import RECORDED, GameKey, Setup
from tests.records.concealed import play_on, stripped
from tests.records.matches import forged
from tests.rules.kit.goofspiel import CARDS, GOOFSPIEL, Event, Move, State
from tests.rules.kit.goofspiel_records import EDITION, MATCH, SEATS

SECRET = b"e" * 32
Goofspiel = Game[State, Move, Event]
DECKS_IN_ORDER: Final = ("suit-1", "suit-2", "suit-3", "prizes")
"""As they are drawn from first."""


def drawn_with_backs(chance: Chance[State, Move]) -> Chance[State, Move]:
    """Every draw also reads the next place of its deck, whose back is public."""

    def due(state: State) -> tuple[Take, ...]:
        return tuple(
            each
            for take in chance.due(state)
            for each in (take, replace(take, first=take.first + 1, opened=False))
        )

    def bring(state: State, tokens: tuple[str, ...]) -> Move:
        return chance.bring(state, tokens[:1])

    return replace(chance, due=due, bring=bring)


DECKS: Goofspiel = GOOFSPIEL.game
WITH_BACKS: Goofspiel = replace(DECKS, chance=drawn_with_backs(DECKS.chance))
Played = Callable[[Goofspiel, int], list[Entry]]
SOME: Final = 8
"""Moves after the hands are drawn."""


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    def play(game: Goofspiel, moves: int) -> list[Entry]:
        monkeypatch.setattr(registry, "GAMES", KnownGames({}, [bind(game, codec_of(GOOFSPIEL))]))
        log, times = MemoryLog(), count(1)
        ledger = Ledger(log, secrets=lambda _: SECRET, new_id=lambda: MATCH, clock=lambda: next(times))
        setup = Setup(EDITION, SEATS, CARDS.source, RECORDED)
        header = MatchHeader(GameKey("goofspiel"), setup, dealer=Dealer.SERVICE)
        ledger.start(header, "start")
        play_on(ledger, MATCH, moves)
        return list(log.read(MATCH))

    return play


def audited(entries: list[Entry], *, complete: bool = True) -> Verdict:
    return audit_record(MATCH, entries, complete=complete).verdict


def seals(entries: list[Entry]) -> list[Sealed]:
    return [decode_seal(entry.move) for entry in entries if entry.kind == EntryKind.SEAL]


def test_each_deck_is_sealed_under_its_name_before_its_first_draw(played: Played) -> None:
    entries = played(DECKS, SOME)
    kinds = [EntryKind(entry.kind) for entry in entries[1:7]]

    assert kinds == [EntryKind.SEAL, EntryKind.MOVE] * 3
    assert [(each.deck, each.number) for each in seals(entries)] == [(deck, 0) for deck in DECKS_IN_ORDER]
    assert audited(entries) == Verified()


def test_an_order_follows_from_the_name_of_its_deck_and_its_round(played: Played) -> None:
    entries = played(DECKS, SOME)
    sealing = rebuild(entries).guards.sealing
    assert sealing is not None
    seed = sealing.seed(SECRET)

    for each in seals(entries):
        tokens = shuffle(deck_key(seed, MATCH, each.deck), each.number, each.stock)
        assert sealing.order(each, seed).tokens == tokens


@pytest.mark.parametrize("game", [DECKS, WITH_BACKS], ids=["opened", "with backs"])
def test_a_match_is_judged_in_full_from_what_a_spectator_saw_once_it_is_unsealed(
    played: Played, game: Goofspiel
) -> None:
    entries = played(game, 1000)

    assert entries[-1].kind == EntryKind.UNSEAL
    assert audited(entries) == Verified()
    assert audited(stripped(entries), complete=False) == Verified()


def test_places_that_are_only_read_are_not_opened(played: Played) -> None:
    entries = played(WITH_BACKS, 0)
    draws = [entry for entry in entries if entry.kind == EntryKind.MOVE and entry.secret]

    assert draws
    opened = [[opening.index for opening in hidden_of(entry).openings] for entry in draws]
    assert opened == [*[[0]] * 3, *[[1]] * 3, *[[2]] * 3, *[[3]] * 3, [0]]
    assert audited(entries) == Verified()


@pytest.mark.parametrize("game", [DECKS, WITH_BACKS], ids=["opened", "with backs"])
def test_the_opening_of_another_deck_proves_nothing(played: Played, game: Goofspiel) -> None:
    entries = played(game, SOME)
    one, other = (entry for entry in entries[:5] if entry.kind == EntryKind.MOVE)
    swapped = encode_hidden(Hidden(hidden_of(one).parts, hidden_of(other).openings))
    entries[one.sequence] = structs.replace(one, secret=swapped)

    verdict = audited(entries)

    assert isinstance(verdict, DivergedAt)
    assert verdict.sequence == one.sequence


def test_an_order_of_another_deck_does_not_serve_a_draw(played: Played) -> None:
    """Who draws first chooses no order: each deck has its own."""
    entries = played(DECKS, SOME)
    verdict = audited(forged(entries, 1, move=entries[3].move))

    assert isinstance(verdict, DivergedAt)
    assert verdict.sequence == 1


def test_while_a_match_is_under_way_a_spectator_checks_what_is_public(played: Played) -> None:
    entries = played(DECKS, 0)
    state = rebuild(entries[:1]).state
    seen = [for_viewer(state, CHANCE, entry, SPECTATOR) for entry in entries]

    verdict = audited(seen, complete=False)

    assert isinstance(verdict, VerifiedAsShown)
    assert [each.sequence for each in verdict.unjudged] == [2, 4, *range(6, 16)]
