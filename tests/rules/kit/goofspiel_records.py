"""Records of Goofspiel, the game of docs/your-own-game.md, whose seats bid in secret."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Final

import pytest

from records.entry import (
    ChoicePolicy,
    Concealment,
    Dealer,
    Entry,
    MatchHeader,
    MatchId,
    RetractPolicy,
    TakebackPolicy,
)
from records.evidence.concealment import SALT_SIZE
from records.games import registry
from records.games.candidate import Candidate
from records.games.plugins import bind_plugin
from records.ledger import choices
from records.ledger.builder import PreparedAppend
from records.ledger.choices import At, JudgedChoice
from records.ledger.ledger import Ledger
from records.ledger.results import Appended
from records.log.memory import MemoryLog
from records.replay.choices import OpenedChoice, digest_of
from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Illegal
from rules.kernel.setup import Draws, GameKey, Setup
from tests.rules.kit.goofspiel import CARDS, GOOFSPIEL

MATCH = MatchId("goofspiel")
EDITION: Final = EditionKey("goofspiel/1")
SEATS: Final = ("green", "red", "blue")
GREEN, RED, BLUE = (Seat(at) for at in range(3))
SALT = b"\x63" * SALT_SIZE
DEAL: Final = (*("draw ?",) * 12, "draw 5")
"""Four cards to each of three seats, unseen, and the first prize."""
DEALT: Final = len(DEAL)
"""The sequence of the entry after which three seats bid."""
NEXT_PRIZE: Final = "draw 7"


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds Goofspiel to the games that this build knows, until the test is over."""
    monkeypatch.setattr(registry, "GAMES", registry.GAMES.and_also(bind_plugin(GOOFSPIEL)))


def goofspiel_header(
    draws: Draws = Draws.UNRECORDED,
    dealer: Dealer = Dealer.RECORDER,
    policy: ChoicePolicy = ChoicePolicy.WAIT,
    takebacks: TakebackPolicy = TakebackPolicy.HIDDEN_ONLY,
    concealment: Concealment = Concealment.SECRETS,
) -> MatchHeader:
    """Three seats, each of which may take back."""
    return MatchHeader(
        GameKey("goofspiel"),
        Setup(EDITION, SEATS, CARDS.source, draws),
        RetractPolicy.ANY_SEAT,
        dealer=dealer,
        choices=policy,
        takebacks=takebacks,
        concealment=concealment,
        entry_version=2,
    )


def numbered_salts() -> Callable[[], bytes]:
    """A source of salts that gives each of them once, the same in every run."""
    numbers = count(1)
    return lambda: next(numbers).to_bytes(SALT_SIZE)


@dataclass
class Table:
    """A match that is being played; where the recorder deals unseen hands, the first bids are due."""

    header: MatchHeader = field(default_factory=goofspiel_header)
    log: MemoryLog = field(default_factory=MemoryLog)
    salts: Callable[[], bytes] = field(default_factory=numbered_salts)

    def __post_init__(self) -> None:
        times = count(1_700_000_000_000_000)
        self.ledger = Ledger(
            self.log,
            secrets=lambda _: b"S" * 32,
            new_id=lambda: MATCH,
            clock=lambda: next(times),
            salts=self.salts,
        )
        self.ledger.start(self.header, "start")
        if self.header.setup.draws is Draws.UNRECORDED:
            self.play(*DEAL)

    @property
    def entries(self) -> list[Entry]:
        return list(self.log.read(MATCH))

    @property
    def last(self) -> int:
        return self.ledger.current(MATCH).sequence

    def read(self, text: str) -> Candidate:
        return self.ledger.current(MATCH).state.parse_text(text)

    def play(self, *texts: str) -> Appended:
        """Play open moves, and choices that the service seals; returns the last entry of each request."""
        appended: Appended | None = None
        for text in texts:
            answer = self.ledger.append_many(MATCH, self.last, f"r{self.last}", [self.read(text)])
            assert isinstance(answer, tuple), answer
            appended = answer[0]
        assert appended is not None
        return appended

    def at(self) -> At:
        return At(MATCH, self.last, f"r{self.last}")

    def store(self, judged: JudgedChoice) -> Illegal | None:
        if isinstance(judged, PreparedAppend):
            self.ledger.store(judged)
        return judged if isinstance(judged, Illegal) else None

    def seal(self, text: str, salt: bytes = SALT) -> None:
        """A choice that a seat seals itself."""
        asked = self.read(text)
        assert isinstance(asked.actor, int)
        digest = digest_of(MATCH, asked.actor, self.last + 1, OpenedChoice(salt, asked.data))
        self.store(choices.judge_choose_sealed(self.ledger, self.at(), asked.actor, digest))

    def open(self, text: str, salt: bytes = SALT) -> Illegal | None:
        return self.store(choices.judge_open_choice(self.ledger, self.at(), self.read(text), salt))

    def answer_for(self, text: str) -> Illegal | None:
        return self.store(choices.judge_answer_for(self.ledger, self.at(), self.read(text)))
