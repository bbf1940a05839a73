"""Zhanguo's moves and events, one line each; docs/zhanguo.md lists the moves."""

from typing import Final

from rules.kernel.actors import Actor
from rules.kernel.language import Language
from rules.kernel.nouns import Flag
from rules.kernel.phrases import fact, phrase
from rules.kernel.statements import Statements
from rules.zhanguo import events as e
from rules.zhanguo import moves as m
from rules.zhanguo.names import (
    ACTION,
    ACTION_CARD,
    ASPECT,
    CARD,
    COMPONENT,
    COUNT,
    EMPEROR,
    FACE,
    FRAMES,
    GOVERNOR_TILE,
    MAUSOLEUM_TILE,
    OFFICIAL,
    REGION,
    ROW,
    SEAT,
    SECTION,
    SLOT,
    SOURCE,
    SPACE,
    SPOT,
    START_TILE,
    TARGET,
    TILE_KIND,
    TOKENS,
    UNIFICATION_CARD,
)
from rules.zhanguo.state import State, Table

MOVES: Final[Statements[Table, m.Move]] = Statements(
    m.Move,
    phrase("first", m.DrawFirstPlayer, SEAT, chance=True),
    phrase("deal", m.Deal, COMPONENT, chance=True),
    phrase("draw", m.DrawCard, UNIFICATION_CARD.or_unknown(), chance=True),
    phrase("start", m.ChooseStart, START_TILE),
    phrase("unify", m.Unify, UNIFICATION_CARD, REGION),
    phrase("court", m.PlayAtCourt, UNIFICATION_CARD),
    phrase("forfeit", m.Forfeit, UNIFICATION_CARD),
    phrase("recruit", m.Recruit, OFFICIAL, REGION),
    phrase("search", m.Search),
    phrase("install", m.Install, REGION, SPACE.or_word("area")),
    phrase("hire", m.Hire, REGION),
    phrase("palace", m.BuildPalace, REGION, REGION.or_nothing()),
    phrase("wall", m.BuildWall, SECTION, SLOT, REGION.several(canonical=True, optional=True)),
    phrase("unlock", m.UnlockSoldier),
    phrase("place", m.PlaceAlchemist, CARD, REGION),
    phrase("master", m.TakeMaster, CARD),
    phrase("move", m.MoveOfficial, OFFICIAL, REGION, REGION),
    phrase("move worker", m.MoveWorker, REGION, REGION),
    phrase("calm", m.Calm, REGION),
    phrase("reset", m.Reset, REGION),
    phrase("take", m.TakeToken, ASPECT),
    phrase("tile", m.TakePalaceTile, TILE_KIND),
    phrase("large", m.TakeLarge, ASPECT),
    phrase("emperor", m.PutEmperor, CARD),
    phrase("activate", m.Activate, CARD),
    phrase("soldier", m.PlaceSoldier, SPOT),
    phrase("accept", m.Accept),
    phrase("pass", m.Pass, arm="pass_offer"),
    phrase("pay", m.Pay, TOKENS),
    phrase("return", m.ReturnTokens, TOKENS),
    phrase("done", m.Done),
    phrase("reveal", m.Reveal, ACTION_CARD, chance=True),
    phrase("card", m.RevealCard, UNIFICATION_CARD, chance=True),
)

EVENTS: Final[Statements[Table, e.Event]] = Statements(
    e.Event,
    fact(e.FirstPlayerDrawn, SEAT),
    fact(e.TargetDealt, SPOT, TARGET),
    fact(e.MausoleumTileDealt, SPOT, MAUSOLEUM_TILE),
    fact(e.WallTileDealt, SECTION, FACE),
    fact(e.EmperorTileDealt, EMPEROR),
    fact(e.PalaceTileDealt, REGION, TILE_KIND),
    fact(e.GovernorTileDealt, REGION, GOVERNOR_TILE),
    fact(e.MasterDealt, CARD),
    fact(e.StartTileDealt, SEAT, START_TILE),
    fact(e.StartTileChosen, SEAT, START_TILE),
    fact(e.StartTileSettled, SEAT),
    fact(e.RoundBegan, COUNT),
    fact(e.HandsDealt),
    fact(e.CardDrawn, SEAT, UNIFICATION_CARD.or_unknown()),
    fact(e.TurnBegan, SEAT),
    fact(e.WindowClosed, SEAT),
    fact(e.RoundEnded),
    fact(e.CardUnified, SEAT, CARD, REGION),
    fact(e.CardPlayedAtCourt, SEAT, CARD),
    fact(e.PlayForfeited, SEAT, CARD),
    fact(e.ActionTaken, SEAT, ACTION, Flag("test")),
    fact(e.AbilityActivated, SEAT, CARD),
    fact(e.ActivationEnded, SEAT),
    fact(e.UnrestRaised, SEAT, REGION, COUNT),
    fact(e.UnrestLowered, SEAT, REGION, COUNT),
    fact(e.OfficialsRecruited, SEAT, OFFICIAL, REGION, COUNT),
    fact(e.OfficialReturned, SEAT, OFFICIAL, REGION),
    fact(e.OfficialMoved, SEAT, OFFICIAL, REGION, REGION),
    fact(e.WorkersHired, SEAT, REGION, COUNT),
    fact(e.WorkersSpent, SEAT, REGION, COUNT),
    fact(e.WorkerMoved, SEAT, REGION, REGION),
    fact(e.AlchemistPlaced, SEAT, CARD, REGION),
    fact(e.MasterTaken, SEAT, CARD),
    fact(e.EmperorTileTaken, SEAT, EMPEROR),
    fact(e.EmperorTilePlaced, SEAT, EMPEROR, CARD),
    fact(e.TokensGained, SEAT, ASPECT, COUNT),
    fact(e.TokensReturned, SEAT, ASPECT, COUNT),
    fact(e.LargeTaken, SEAT, ASPECT),
    fact(e.LargeReturned, SEAT, ASPECT),
    fact(e.PointsScored, SEAT, COUNT, SOURCE),
    fact(e.BoatMoved, SEAT, COUNT, COUNT),
    fact(e.GovernorInstalled, SEAT, REGION, COUNT.or_word("area")),
    fact(e.PalaceBuilt, SEAT, REGION),
    fact(e.PalaceTileTaken, SEAT, REGION, TILE_KIND),
    fact(e.WallBuilt, SEAT, SECTION, COUNT),
    fact(e.SoldiersUnlocked, SEAT, COUNT),
    fact(e.SoldierPlaced, SEAT, SPOT, COUNT),
    fact(e.ChoicesDue, FRAMES),
    fact(e.ChoiceMade, FRAMES),
    fact(e.ChoiceLapsed),
    fact(e.RewardsBegan),
    fact(e.RewardOffered, SEAT, ROW),
    fact(e.RewardPassed, SEAT, ROW, Flag("forced")),
    fact(e.RewardAccepted, SEAT, ROW),
    fact(e.MarkerMoved, SEAT, ROW),
    fact(e.RowClosed, ROW),
    fact(e.TurnOrderSet, SEAT.several()),
    fact(e.PaymentOpened, SEAT),
    fact(e.SoldierPaid, SEAT),
    fact(e.PaymentClosed, SEAT),
    fact(e.LimitsBegan),
    fact(e.ReturnAsked, SEAT),
    fact(e.LimitKept, SEAT),
    fact(e.RivalTurnBegan),
    fact(e.ActionRevealed, ACTION_CARD),
    fact(e.RivalCardUnified, SEAT, CARD, REGION),
    fact(e.RivalCardAtCourt, SEAT, CARD),
    fact(e.RivalTileKept, SEAT, REGION, TILE_KIND),
    fact(e.EmperorTileRemoved, SEAT, EMPEROR),
    fact(e.RivalTurnEnded, SEAT),
    fact(e.ActionDeckRebuilt),
    fact(e.MatchEnded, COUNT.several(), SEAT.several()),
)

TEXT: Final = Language(MOVES, lambda table: table.names, lambda table: table.names)


def write_move(state: State, actor: Actor, move: m.Move) -> str:
    """The move as a transcript has it, its actor included."""
    return TEXT.write(state.table, actor, move)


def read_move(state: State, text: str) -> tuple[Actor, m.Move]:
    """The actor and the move of a transcript's line."""
    return TEXT.read(state.table, text)
