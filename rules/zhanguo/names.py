"""Zhanguo's nouns, each stated once: what notation, messages and positions call them."""

from typing import Final

from typing_extensions import override

from rules.kernel.composed import Tally
from rules.kernel.nouns import Choice, Flag, Named, SeatNumber, Seats, Whole, number
from rules.kernel.pending import Tasks
from rules.kernel.phrases import phrase
from rules.kernel.statements import Statements
from rules.kernel.text import Word
from rules.zhanguo import frames as fr
from rules.zhanguo.dealt import COMPONENT_NAMES, Component
from rules.zhanguo.events import Source
from rules.zhanguo.evolve import ROWS
from rules.zhanguo.pieces import (
    ACTION_CARD_NAMES,
    ACTIONS,
    ASPECTS,
    CARD_NAMES,
    EMPEROR_NAMES,
    FACE_NAMES,
    GOVERNOR_NAMES,
    MAUSOLEUM_NAMES,
    OFFICIALS,
    REGIONS,
    SECTIONS,
    SPOT_NAMES,
    START_NAMES,
    TARGETS,
    TILE_KINDS,
    UNIFICATION_NAMES,
    ActionCard,
    Card,
    EmperorTile,
    Face,
    GovernorTile,
    MausoleumTile,
    Spot,
    StartTile,
)
from rules.zhanguo.state import Table


class _Ordinal(Whole[int]):
    """A number from 0 that texts count from 1."""

    @override
    def write(self, table: object, thing: int) -> str:
        return str(thing + 1)

    @override
    def read(self, table: object, word: Word) -> int:
        return word.whole_number(1, self.most + 1, self.what) - 1


SEAT: Final = Seats[Table](lambda table: table.names)
SEAT_NUMBER: Final = SeatNumber[Table](lambda table: table.names)
"""In positions seats are numbers from 1."""
CARD: Final = Named[object, Card]("card", lambda _: CARD_NAMES, too_many=True)
UNIFICATION_CARD: Final = Named[object, Card]("card", lambda _: UNIFICATION_NAMES, too_many=True)
REGION: Final = Choice("region", REGIONS, [each.word for each in REGIONS])
ASPECT: Final = Choice("aspect", ASPECTS, [each.word for each in ASPECTS])
OFFICIAL: Final = Choice("official", OFFICIALS, [each.word for each in OFFICIALS])
ACTION: Final = Choice("action", ACTIONS, [each.word for each in ACTIONS])
SECTION: Final = Choice("section", SECTIONS, [each.word for each in SECTIONS])
TARGET: Final = Choice("target", TARGETS, [each.word for each in TARGETS])
TILE_KIND: Final = Choice("tile kind", TILE_KINDS, [each.word for each in TILE_KINDS], "kind of palace tile")
SOURCE: Final = Choice("source", tuple(Source), [each.value.replace(" ", "-") for each in Source])
SPOT: Final = Named[object, Spot]("spot", lambda _: SPOT_NAMES)
MAUSOLEUM_TILE: Final = Named[object, MausoleumTile]("Mausoleum tile", lambda _: MAUSOLEUM_NAMES)
FACE: Final = Named[object, Face]("face", lambda _: FACE_NAMES)
EMPEROR: Final = Named[object, EmperorTile]("Emperor tile", lambda _: EMPEROR_NAMES)
GOVERNOR_TILE: Final = Named[object, GovernorTile]("governor tile", lambda _: GOVERNOR_NAMES)
START_TILE: Final = Named[object, StartTile]("start tile", lambda _: START_NAMES)
ACTION_CARD: Final = Named[object, ActionCard]("Action card", lambda _: ACTION_CARD_NAMES)
COMPONENT: Final = Named[object, Component]("component", lambda _: COMPONENT_NAMES, too_many=True)
COUNT: Final = number("count", 9_999)
SPACE: Final = number("space", 99)
SLOT: Final = number("slot", 99)
ROW: Final = _Ordinal("row", ROWS - 1, int)
TOKENS: Final = Tally("tokens", "WCLwcl", numbers=False)
WINDOW: Final = Choice("window", tuple(fr.Window), [each.value for each in fr.Window])

STATED_FRAMES: Final[Statements[Table, fr.Frame]] = Statements(
    fr.Frame,
    phrase("first", fr.FirstDue),
    phrase("deal", fr.DealDue),
    phrase("start", fr.StartDue, SEAT_NUMBER),
    phrase("draw", fr.DrawDue, SEAT_NUMBER),
    phrase("play", fr.PlayDue, SEAT_NUMBER),
    phrase("act", fr.ActDue, SEAT_NUMBER),
    phrase("step", fr.StepDue, SEAT_NUMBER, ACTION, Flag("test"), CARD.several()),
    phrase("soldiers", fr.SoldiersDue, SEAT_NUMBER, WINDOW),
    phrase("offer", fr.OfferDue, SEAT_NUMBER, ROW),
    phrase("reward", fr.RewardDue, SEAT_NUMBER, ROW),
    phrase("pay", fr.PayDue, SEAT_NUMBER, COUNT),
    phrase("return", fr.ReturnDue, SEAT_NUMBER),
    phrase("reveal", fr.RevealDue),
    phrase("rival", fr.RivalDue),
    phrase("turn", fr.TurnDue, SEAT_NUMBER.or_word("-")),
    phrase("row", fr.RowDue, COUNT, SEAT_NUMBER.or_word("-")),
    phrase("payment", fr.PaymentDue, SEAT_NUMBER.or_word("-")),
    phrase("limit", fr.LimitDue, SEAT_NUMBER.or_word("-")),
    phrase("round", fr.RoundDue),
    phrase("symbol", fr.SymbolDue),
    phrase("master", fr.MasterDue),
    phrase(
        "recruit",
        fr.RecruitDue,
        OFFICIAL.several(canonical=True, distinct=True),
        REGION.several(canonical=True, distinct=True),
        COUNT,
    ),
    phrase("hire", fr.HireDue, REGION.several(canonical=True, distinct=True), COUNT),
    phrase("officials", fr.OfficialsDue, COUNT),
    phrase("workers", fr.WorkersDue, COUNT, Flag("must", "must", "may")),
    phrase("calm", fr.CalmDue, COUNT, REGION.several()),
    phrase("reset", fr.ResetDue, COUNT),
    phrase("take", fr.TakeDue, COUNT),
    phrase(
        "place",
        fr.PlaceDue,
        COUNT,
        REGION.several(canonical=True, distinct=True),
        Flag("must", "must", "may"),
    ),
    phrase("install", fr.InstallDue, REGION.several(canonical=True, distinct=True)),
    phrase("palace", fr.PalaceDue),
    phrase("wall", fr.WallDue),
    phrase("soldier", fr.SoldierDue),
    phrase("tile", fr.TileDue, REGION),
    phrase("large", fr.LargeDue),
    phrase("emperor", fr.EmperorDue, EMPEROR),
    phrase("card", fr.CardDue),
    phrase("rival-alchemist", fr.RivalAlchemistDue),
    phrase("rival-master", fr.RivalMasterDue),
    phrase("rival-soldier", fr.RivalSoldierDue),
)
FRAMES: Final = Tasks(STATED_FRAMES)
