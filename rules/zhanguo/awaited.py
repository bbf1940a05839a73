"""What is awaited, in words."""

from typing import Final

from rules.zhanguo import frames as fr
from rules.zhanguo.state import State

_ASKED: Final[dict[type[object], str]] = {
    fr.FirstDue: "the first player is drawn",
    fr.DealDue: "a component is dealt",
    fr.StartDue: "chooses a start tile",
    fr.DrawDue: "draws a card",
    fr.PlayDue: "plays a card",
    fr.ActDue: "takes a Court action",
    fr.StepDue: "activates abilities, moves an official or is done",
    fr.SoldiersDue: "places soldiers or is done",
    fr.OfferDue: "accepts a reward or passes",
    fr.PayDue: "pays for a soldier or is done",
    fr.ReturnDue: "returns tokens",
    fr.RevealDue: "Li Si's Action card is revealed",
    fr.SymbolDue: "unlocks a soldier or places an Alchemist card",
    fr.MasterDue: "takes a Master",
    fr.RecruitDue: "recruits an official",
    fr.HireDue: "hires workers",
    fr.OfficialsDue: "moves officials or is done",
    fr.WorkersDue: "moves workers",
    fr.CalmDue: "lowers unrest",
    fr.ResetDue: "lowers unrest to 0 or is done",
    fr.TakeDue: "takes a token",
    fr.PlaceDue: "places an Alchemist card",
    fr.InstallDue: "installs a governor",
    fr.PalaceDue: "builds a palace",
    fr.WallDue: "builds a wall",
    fr.SoldierDue: "places a soldier",
    fr.TileDue: "takes a palace tile",
    fr.LargeDue: "takes a large token",
    fr.EmperorDue: "puts an Emperor tile on a card",
    fr.CardDue: "a card of Li Si's is revealed",
    fr.RivalAlchemistDue: "an Alchemist card of Li Si's is drawn",
    fr.RivalMasterDue: "a Master for Li Si is drawn",
    fr.RivalSoldierDue: "chooses where Li Si's soldier goes",
}
_BY_CHANCE: Final = (
    fr.FirstDue,
    fr.DealDue,
    fr.RevealDue,
    fr.CardDue,
    fr.RivalAlchemistDue,
    fr.RivalMasterDue,
)


def awaited(state: State) -> str:
    """What is awaited, and of whom."""
    if not state.agenda:
        return "the match is over"
    top = state.agenda[0]
    asked, name = _ASKED.get(type(top), "nothing is awaited"), _name(state, top)
    return f"{name} {asked}" if name else asked


def _name(state: State, frame: fr.Frame) -> str:
    """Who answers a frame; nothing where chance does, or nobody."""
    if isinstance(frame, _BY_CHANCE) or type(frame) not in _ASKED:
        return ""
    seat = state.table.humans[0] if isinstance(frame, fr.RivalSoldierDue) else state.acting
    return "somebody" if seat is None else state.table.names[seat]
