"""Events in words, with the rules that caused them; whose turn it is; what a match cautions of."""

from collections.abc import Callable
from typing import Final, Protocol

from rules.kernel.rule import Rule
from rules.kernel.sentences import sentences
from rules.kernel.text import listed
from rules.zhanguo import events as e
from rules.zhanguo import rulebook as r
from rules.zhanguo.awaited import awaited
from rules.zhanguo.components import REFERENCE_LABEL
from rules.zhanguo.frames import OfferDue, SymbolDue
from rules.zhanguo.notation import EVENTS
from rules.zhanguo.outcome import outcome
from rules.zhanguo.pieces import Official, Region
from rules.zhanguo.rulebook_facts import FACTS
from rules.zhanguo.state import State

_FACT: Final = {rule.id.removeprefix("ZHG-"): rule for rule in FACTS}


def turn(state: State) -> str:
    """Whose turn it is, or who won."""
    ended = outcome(state)
    if ended is None:
        return awaited(state)
    names = listed([state.table.names[seat] for seat in ended.winners])
    return f"{names} won: {ended.reason}"


def caution(state: State) -> str:
    """That the components are invented, where they are."""
    return REFERENCE_LABEL if state.table.printed.invented else ""


# Sentences that depend on the event


class _InRegion(Protocol):
    """An event that happens in a region."""

    @property
    def region(self) -> Region:
        """The region."""
        ...


def _there(template: str) -> Callable[[State, _InRegion], str]:
    """A sentence that names the region of an event as a title."""
    return lambda _, event: template.replace("{region}", event.region.title)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _drawn(_: State, event: e.CardDrawn) -> str:
    return "{seat} drew a card that is not shown" if event.card is None else "{seat} drew {card}"


def _action(_: State, event: e.ActionTaken) -> str:
    test = "passes" if event.test else "fails"
    return f"{{seat}} took the action {{action}}, and the number {test} the test"


def _recruited(_: State, event: e.OfficialsRecruited) -> str:
    return f"{{seat}} recruited {_plural(event.count, event.official.word)} in {event.region.title}"


def _returned(_: State, event: e.OfficialReturned) -> str:
    article = "a" if event.official is Official.GENERAL else "an"
    return f"{article} {event.official.word} of {{seat}} went back to the reserve from {event.region.title}"


def _official_moved(_: State, event: e.OfficialMoved) -> str:
    return f"{{seat}} moved the {event.official.word} from {event.origin.title} to {event.to.title}"


def _hired(_: State, event: e.WorkersHired) -> str:
    return f"{{seat}} hired {_plural(event.count, 'worker')} in {event.region.title}"


def _spent(_: State, event: e.WorkersSpent) -> str:
    return f"{{seat}} paid {_plural(event.count, 'worker')} from {event.region.title}"


def _worker_moved(_: State, event: e.WorkerMoved) -> str:
    return f"{{seat}} moved a worker from {event.origin.title} to {event.to.title}"


def _gained(_: State, event: e.TokensGained) -> str:
    return f"{{seat}} gained {_plural(event.count, 'token')} of {{aspect}}"


def _given_back(_: State, event: e.TokensReturned) -> str:
    return f"{{seat}} returned {_plural(event.count, 'token')} of {{aspect}}"


def _scored(_: State, event: e.PointsScored) -> str:
    return f"{{seat}} scored {_plural(event.vp, 'point')} for {event.source.value}"


def _installed(_: State, event: e.GovernorInstalled) -> str:
    where = "in the governor area" if event.space is None else f"on space {event.space}"
    return f"{{seat}} installed a governor {where} of {event.region.title}"


def _unlocked(_: State, event: e.SoldiersUnlocked) -> str:
    return f"{{seat}} unlocked {_plural(event.count, 'soldier')}"


def _choice_rule(state: State, _: e.ChoiceLapsed) -> Rule:
    top = state.agenda[0] if state.agenda else None
    return _FACT["CRT-26"] if isinstance(top, SymbolDue) else _FACT["STM-02"]


def _passed(_: State, event: e.RewardPassed) -> str:
    return "{seat} cannot take the reward in full" if event.forced else "{seat} passed"


def _accepted_rule(state: State, event: e.RewardAccepted) -> Rule:
    top = state.agenda[0] if state.agenda else None
    by_rival = isinstance(top, OfferDue) and event.seat == state.table.rival
    return _FACT["SOL-13"] if by_rival else _FACT["REW-06"]


def _ordered(state: State, event: e.TurnOrderSet) -> str:
    return f"the turn order is now {listed([state.table.names[seat] for seat in event.order])}"


def _ended(state: State, event: e.MatchEnded) -> str:
    points = [f"{name} {total}" for name, total in zip(state.table.names, event.totals, strict=False)]
    winners = listed([state.table.names[seat] for seat in event.winners])
    return f"{winners} won: {', '.join(points)}"


describe: Final = (
    sentences(State)
    .on(e.FirstPlayerDrawn, "{seat} is first in turn order", r.SET_19)
    .on(e.TargetDealt, "the token {target} lies on {spot}", r.SET_05)
    .on(e.MausoleumTileDealt, "{tile} lies on {spot}", r.SET_04)
    .on(e.WallTileDealt, "{face} lies on {section}", r.SET_06)
    .on(e.EmperorTileDealt, "{tile} lies on its site", r.SET_08)
    .on(e.PalaceTileDealt, _there("a palace tile, {kind}, lies in {region}"), r.SET_09)
    .on(e.GovernorTileDealt, _there("{tile} lies in {region}"), r.SET_10)
    .on(e.MasterDealt, "{card} lies beside the board", r.SET_11)
    .on(e.StartTileDealt, "{seat} was dealt {tile}", r.SET_20)
    .on(e.StartTileChosen, "{seat} chose {tile}", r.SET_20)
    .unsaid(e.StartTileSettled)
    .on(e.RoundBegan, "round {round} began", _FACT["RND-01"])
    .on(e.HandsDealt, "everybody drew six cards that are not shown", r.RND_02)
    .on(e.CardDrawn, _drawn, r.RND_02)
    .on(e.TurnBegan, "the turn of {seat} began", _FACT["RND-03"])
    .on(e.WindowClosed, "{seat} places no more soldiers", _FACT["MAU-05"])
    .on(e.RoundEnded, "the round is over", _FACT["RND-05"])
    .on(e.CardUnified, _there("{seat} placed {card} in {region}"), _FACT["UNI-02"])
    .on(e.CardPlayedAtCourt, "{seat} played {card} at Court", _FACT["CRT-01"])
    .on(e.PlayForfeited, "{seat} could do nothing and laid {card} at Court", r.PLY_02)
    .on(e.ActionTaken, _action, r.CRT_02, r.ACT_01)
    .on(e.AbilityActivated, "{seat} activated {card}", r.ACT_01)
    .on(e.ActivationEnded, "{seat} activates nothing more", _FACT["ACT-08"])
    .on(e.UnrestRaised, _there("unrest of {seat} in {region} rose by {by}"), _FACT["UNR-04"])
    .on(e.UnrestLowered, _there("unrest of {seat} in {region} fell by {by}"), _FACT["UNR-04"])
    .on(e.OfficialsRecruited, _recruited, _FACT["CRT-11"])
    .on(e.OfficialReturned, _returned, _FACT["CRT-31"])
    .on(e.OfficialMoved, _official_moved, r.ABL_22)
    .on(e.WorkersHired, _hired, _FACT["CRT-41"])
    .on(e.WorkersSpent, _spent, r.CRT_62)
    .on(e.WorkerMoved, _worker_moved, r.ABL_22)
    .on(e.AlchemistPlaced, _there("{seat} placed {card} in {region}"), _FACT["ABL-21"])
    .on(e.MasterTaken, "{seat} took {card}", r.CRT_25)
    .on(e.EmperorTileTaken, "{seat} took {tile}", r.CRT_64)
    .on(e.EmperorTilePlaced, "{seat} put {tile} on {card}", r.CRT_65)
    .on(e.TokensGained, _gained, r.UNI_05)
    .on(e.TokensReturned, _given_back, _FACT["REW-21"])
    .on(e.LargeTaken, "{seat} took the large token of {aspect}", r.CRT_54)
    .on(e.LargeReturned, "the large token of {aspect} is on the board again", _FACT["REW-30"])
    .on(e.PointsScored, _scored, _FACT["END-01"])
    .on(e.BoatMoved, "the boat of {seat} went from space {origin} to {to}", _FACT["CRT-21"])
    .on(e.GovernorInstalled, _installed, r.CRT_32)
    .on(e.PalaceBuilt, _there("{seat} built a palace in {region}"), _FACT["CRT-52"])
    .on(e.PalaceTileTaken, _there("{seat} took a palace tile, {kind}, from {region}"), r.CRT_53)
    .on(e.WallBuilt, "{seat} built a wall on slot {slot} of {section}", r.CRT_63)
    .on(e.SoldiersUnlocked, _unlocked, _FACT["MAU-02"])
    .on(e.SoldierPlaced, "{seat} placed a soldier on slot {slot} of {spot}", r.MAU_03)
    .unsaid(e.ChoicesDue)
    .unsaid(e.ChoiceMade)
    .on(e.ChoiceLapsed, "nothing could be chosen", _choice_rule)
    .on(e.RewardsBegan, "all hands are empty: rewards are offered", _FACT["RND-04"])
    .on(e.RewardOffered, "{seat} is offered the reward of row {row}", _FACT["REW-04"])
    .on(e.RewardPassed, _passed, _FACT["REW-07"])
    .on(e.RewardAccepted, "{seat} takes the reward of row {row}", _accepted_rule)
    .on(e.MarkerMoved, "the marker of {seat} stands in row {row}", _FACT["REW-08"])
    .on(e.RowClosed, "the reward of row {row} is offered to nobody else", _FACT["REW-03"])
    .on(e.TurnOrderSet, _ordered, _FACT["REW-10"])
    .on(e.PaymentOpened, "{seat} may pay for soldiers", r.REW_20)
    .on(e.SoldierPaid, "{seat} paid for a soldier", r.REW_20)
    .on(e.PaymentClosed, "{seat} pays no more", r.REW_20)
    .unsaid(e.LimitsBegan)
    .on(e.ReturnAsked, "{seat} has more than five tokens", r.REW_31)
    .on(e.LimitKept, "{seat} has five tokens left", r.REW_31)
    .on(e.RivalTurnBegan, "the turn of Li Si began", r.SOL_11)
    .on(e.ActionRevealed, "Li Si's Action card {card} was revealed", r.SOL_11)
    .on(e.RivalCardUnified, _there("Li Si placed {card} in {region}"), r.SOL_20)
    .on(e.RivalCardAtCourt, "Li Si played {card} at Court", _FACT["SOL-21"])
    .on(e.RivalTileKept, _there("Li Si keeps a palace tile, {kind}, of {region}"), _FACT["SOL-51"])
    .on(e.EmperorTileRemoved, "Li Si removed {tile} from the game", _FACT["SOL-62"])
    .unsaid(e.RivalTurnEnded)
    .on(e.ActionDeckRebuilt, "Li Si's discarded Action cards are in his deck again", _FACT["SOL-15"])
    .on(e.MatchEnded, _ended, _FACT["END-07"])
    .of(EVENTS, lambda state: state.table)
)
