"""Records of every form from which mutants are made: who deals, signs and seals, how they end, who looks."""

import enum
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import count

from records.audit.bundle import write_bundle
from records.entry import (
    ENTRY_VERSION_1,
    ENTRY_VERSION_2,
    ChoicePolicy,
    Dealer,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    TakebackPolicy,
)
from records.evidence.ed25519 import SecretKey
from records.games.candidate import Candidate
from records.games.registry import find_game
from records.ledger.ledger import Ledger
from records.ledger.redaction import redacted
from records.log.memory import MemoryLog
from records.log.tree import Tree
from rules.kernel.actors import ARBITER, AUDITOR, SPECTATOR, Actor, Seat, Viewer
from rules.kernel.setup import Draws, GameKey, Setup
from tests.records.bundles import cosigned
from tests.records.log.making import RecordWriter
from tests.records.replay.test_policies import secrets
from tests.tools.sealing_seats import SealingMatch
from tools.dev.staged import StagedMatch
from tools.dev.version_1 import Version1Ledger

MOVES = {None: 8, Dealer.SERVICE: 8, Dealer.RECORDER: 24}
"""Moves of a match by who deals: where a recorder does, deals are moves too."""
MOST_MOVES = 200
"""Moves after which a match is left as it is, though it has not every kind of entry of its form."""
KEPT_PLAYS = 140
"""Matches that are kept at a time: as many as there are forms of all games, and some more."""
SMALL = "map:R....R/..aa../Y....Y/..b.../B....B"
"""A board of Qin on which a match is soon over."""

GREEN, VIOLET = Seat(0), Seat(1)
NAMES = ("green", "violet", "white")

OF_VERSION_1 = {"qin", "khan"}
"""The games of which there are matches of version 1: those that were released before version 2."""


class Ending(enum.Enum):
    """How far a match goes."""

    UNDER_WAY = enum.auto()
    CLOSED = enum.auto()
    """The arbiter ends it."""
    PLAYED = enum.auto()
    """It has a result."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a record is like: who deals and signs, how far it goes, and what is left out of it."""

    name: str
    version: int = ENTRY_VERSION_2
    dealer: Dealer | None = Dealer.SERVICE
    """None if draws are not recorded."""
    signed: bool = False
    """Seats and arbiter sign, seats share in the shuffle, change a key and take back."""
    ending: Ending = Ending.UNDER_WAY
    viewer: Viewer = AUDITOR
    bundled: bool = False
    seats: int = 2
    seals: bool = False
    """Seats seal what they choose on their own, open it later, and the arbiter answers for some of them."""

    @property
    def ended(self) -> bool:
        return self.ending is not Ending.UNDER_WAY

    @property
    def shows_all(self) -> bool:
        return self.viewer is AUDITOR or self.ended

    @property
    def every_seat(self) -> tuple[Seat, ...]:
        return tuple(map(Seat, range(self.seats)))


CLOSED, PLAYED = Ending.CLOSED, Ending.PLAYED

FORMS = (
    Form("version 1, draws unrecorded", ENTRY_VERSION_1, None),
    Form("version 1, sealed", ENTRY_VERSION_1),
    Form("version 1, sealed, for a spectator", ENTRY_VERSION_1, viewer=SPECTATOR),
    Form("version 1, signed", ENTRY_VERSION_1, signed=True),
    Form("version 1, signed, for a seat", ENTRY_VERSION_1, signed=True, viewer=GREEN),
    Form("version 1, bundled", ENTRY_VERSION_1, signed=True, bundled=True),
    Form("draws unrecorded", dealer=None),
    Form("recorder deals", dealer=Dealer.RECORDER),
    Form("recorder deals, for a seat", dealer=Dealer.RECORDER, viewer=GREEN),
    Form("recorder deals to three, played", dealer=Dealer.RECORDER, seats=3, ending=PLAYED),
    Form("sealed"),
    Form("sealed, for a spectator", viewer=SPECTATOR),
    Form("sealed, for a seat", viewer=VIOLET),
    Form("signed", signed=True),
    Form("signed, for a spectator", signed=True, viewer=SPECTATOR),
    Form("signed by three, for a seat", signed=True, seats=3, viewer=VIOLET),
    Form("unsealed", ending=CLOSED),
    Form("unsealed, for a spectator", signed=True, ending=CLOSED, viewer=SPECTATOR),
    Form("played", ending=PLAYED, seats=3),
    Form("played, for a spectator", signed=True, ending=PLAYED, viewer=SPECTATOR),
    Form("bundled", signed=True, bundled=True),
    Form("unsealed and bundled", ending=CLOSED, bundled=True),
    Form("seats seal", seals=True, signed=True),
    Form("seats seal, for a seat", seals=True, viewer=GREEN, seats=3),
    Form("seats seal, draws unrecorded", seals=True, dealer=None, signed=True),
    Form("seats seal, played, for a spectator", seals=True, signed=True, ending=PLAYED, viewer=SPECTATOR),
)


def forms_of(game: GameKey) -> list[Form]:
    """The forms that records of a game have."""
    asks_in_secret = find_game(game).game.choices is not None
    return [
        form
        for form in FORMS
        if (form.version == ENTRY_VERSION_2 or game in OF_VERSION_1) and (asks_in_secret or not form.seals)
    ]


def form_named(name: str) -> Form:
    return next(form for form in FORMS if form.name == name)


def header(game: GameKey, form: Form) -> MatchHeader:
    about = find_game(game).about
    small = form.ending is PLAYED and game == "qin"
    components = SMALL if small else about.components[0].name
    setup = Setup(about.editions[-1].key, NAMES[: form.seats], components)
    choices = ChoicePolicy.ARBITER if form.seals else ChoicePolicy.WAIT
    if form.dealer is None:
        return MatchHeader(game, setup, choices=choices)
    return MatchHeader(
        game,
        replace(setup, draws=Draws.RECORDED),
        dealer=form.dealer,
        sharers=form.every_seat if form.signed else (),
        choices=choices,
        takebacks=TakebackPolicy.PAST_REVEALED
        if form.version == ENTRY_VERSION_2
        else TakebackPolicy.HIDDEN_ONLY,
    )


@lru_cache(KEPT_PLAYS)
def staged(game: GameKey, form: Form, play: int = 0) -> StagedMatch:
    """A match with every kind of entry that one of this form has, in a log among others.

    Each play of the same form is another match.
    """
    log = MemoryLog()
    RecordWriter("before").write(log, 20)
    salts = map(partial(int.to_bytes, length=32), count(1))
    ledger = (Version1Ledger if form.version == ENTRY_VERSION_1 else Ledger)(
        log,
        secrets=secrets,
        new_id=lambda: MatchId("mutant"),
        clock=lambda: 0,
        salts=lambda: next(salts),
    )
    names: tuple[Actor, ...] = (*form.every_seat, ARBITER) if form.signed else ()
    keys = {name: SecretKey(bytes([65 + number]) * 32) for number, name in enumerate(names)}
    dice = random.Random(f"{form.name} {play}" if play else form.name)  # noqa: S311 - the same match again
    opening = header(game, form)
    match = SealingMatch(ledger, opening, keys, dice) if form.seals else StagedMatch(ledger, opening, keys)
    if opening.sharers:
        match.share({seat: bytes([103 + seat]) * 32 for seat in form.every_seat})
    stage(match, form, dice.choice)
    return match


def stage(match: StagedMatch, form: Form, choose: Callable[[list[Candidate]], Candidate]) -> None:
    """Play, with a dispute and a takeback on the way."""
    number = 0
    while number < MOST_MOVES and (number < MOVES[form.dealer] or lacks(match, form)) and match.play(choose):
        if number == MOVES[form.dealer] // 2:
            further(match, form)
        number += 1
    if form.ending is CLOSED:
        match.close("it is late")
    elif form.ending is PLAYED:
        while match.play(choose):
            pass


def lacks(match: StagedMatch, form: Form) -> bool:
    """Whether a kind of entry is still missing: a draw with a concealed part, or one that a seat sealed."""
    if form.seals:
        kinds = {entry.kind for entry in match.entries}
        return not kinds >= {EntryKind.OPEN_CHOICE, EntryKind.ANSWER_FOR, EntryKind.REVEAL_CHOICES}
    hides = form.dealer is Dealer.RECORDER and match.current.state.has_secrets()
    return hides and sum(len(entry.concealed) > 1 for entry in match.entries) < CONCEALED_DRAWS


CONCEALED_DRAWS = 5
"""Draws with concealed parts that a match has where a recorder deals: in Zhanguo the first come late."""


def further(match: StagedMatch, form: Form) -> None:
    """A dispute, its settlement and a takeback, by agreement or by the arbiter."""
    kept = match.outside_questions(match.last)
    match.dispute(GREEN, min(2, match.last), "no", "it stays")
    if form.signed and form.version == ENTRY_VERSION_2:
        others = tuple(seat for seat in form.every_seat if seat != VIOLET)
        match.agree_on_takeback(VIOLET, others, kept)
        match.go_back(VIOLET, kept)
    else:
        match.go_back(ARBITER, match.outside_questions(kept - 1))
    if form.signed:
        match.rotate(GREEN, SecretKey(b"N" * 32))


@lru_cache(KEPT_PLAYS)
def original(game: GameKey, form: Form, play: int = 0) -> tuple[Entry, ...]:
    """The record of such a match, as its viewer has it."""
    return tuple(redacted(staged(game, form, play).entries, form.viewer))


@lru_cache(KEPT_PLAYS)
def envelope(game: GameKey, form: Form, play: int = 0) -> bytes | None:
    """The first line of the bundle, which proves that a log holds the record; None if it is no bundle."""
    if not form.bundled:
        return None
    tree = Tree(staged(game, form, play).ledger.log)
    return write_bundle(original(game, form, play), cosigned(tree), tree.together).partition(b"\n")[0]
