"""What is asked of whom, in words."""

from typing import Final

from rules.great_wall import pending as p
from rules.great_wall.kinds import REED
from rules.great_wall.state import State
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.text import listed

_QUESTIONS: Final[dict[type[object], str]] = {
    p.ArtefactsDue: "three artefacts are laid out",
    p.RequestsDue: "a request is laid out",
    p.TopDue: "the back of the top horde is shown",
    p.HordesDue: "a horde is drawn",
    p.DealDue: "generals are dealt",
    p.AdviseDue: "advisors are dealt",
    p.AdvisorsDue: "an advisor is laid on the track",
    p.DrawDue: "a tactic is drawn",
    p.QinTrackDue: "Qin's track is laid",
    p.SoloDue: "Qin's strategy is turned",
    p.EventDue: "an event is revealed",
    p.GeneralDue: "to keep a general",
    p.OpenGeneralDue: "to keep a general",
    p.ActiveDue: "to choose an active advisor",
    p.OpenActiveDue: "to choose an active advisor",
    p.EnlistDue: "to give Qin an advisor",
    p.CleanseDue: "to discard shame",
    p.RecoverDue: "to recover strategy cards or take honour",
    p.PickDue: "to pick a strategy in secret",
    p.PlaceDue: "to place the strategy card",
    p.ClerksDue: "to move clerks",
    p.TakeDue: "to take a resource",
    p.CopyDue: "to copy a strategy card",
    p.AdvanceDue: "to activate a location in advance",
    p.OrderDue: "to attack",
    p.UpgradesDue: "to raise foremen",
    p.BarricadesDue: "to build barricades free of cost",
    p.WoundsDue: "to wound hordes",
    p.FreesDue: "to return shame",
    p.LimitDue: "to discard down to the hand limit",
    p.ActsDue: "to choose the next location to activate",
    p.UpgradeDue: "to upgrade a foreman",
    p.DonateDue: "to donate",
    p.RiseDue: "to rise in tea order",
    p.RecruitDue: "to recruit",
    p.BuildDue: "to build",
    p.AgainDue: "to recover a strategy card",
    p.HireDue: "to hire",
    p.MarchDue: "to march",
    p.ShiftDue: "to move soldiers",
    p.StudyDue: "to draw tactics",
    p.ReedSpearDue: "to place a Reed spearman",
    p.ReedBarricadeDue: "to place Reed's barricade",
    p.DismissDue: "to dismiss an advisor",
    p.AbsolveDue: "to return shame by Reed's clerk",
    p.ShameDue: "to place shame",
    p.LoseDue: "to name the dead and the saved",
    p.FireDue: "to fire",
    p.FulfilDue: "to fulfil requests",
    p.AgreeDue: "to agree to a request that everybody pays for",
    p.Free: "to act, in any order",
}


def asked_of(state: State, awaited: tuple[Actor, ...]) -> str:
    """'green and blue are asked to pick a strategy in secret'."""
    asked = f"{_QUESTIONS.get(type(state.ask), 'something happens')}{_about(state)}"
    if isinstance(state.ask, p.ClerksDue) and state.ask.clan == REED:
        asked = "to move Reed's clerks"
    if awaited == (CHANCE,):
        return asked
    names = [state.table.names[seat] for seat in awaited if isinstance(seat, int)]
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} asked {asked}"


def _about(state: State) -> str:
    """What a question is about, where its sentence goes on: ' at the sawmill'."""
    parts = state.table.parts
    match state.ask:
        case p.UpgradeDue(location=location) | p.DonateDue(location=location):
            return f" at the {location.word}"
        case p.ShiftDue(origin=origin, goal=goal):
            return f" from {origin.letter} to {goal.letter}"
        case p.LoseDue(section=section, horde=None):
            return f" in the slots of {section.letter}"
        case p.LoseDue(section=section, horde=int() as horde):
            return f" on {parts.horde_names.names[horde]} at {section.letter}"
        case p.FireDue(section=section):
            return f" at {section.letter}"
        case p.AgreeDue(request=request):
            return f": {parts.request_names.names[request]}"
        case _:
            return ""
