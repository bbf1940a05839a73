"""What is pending as text: one word per task, and its parts."""

from typing import Final

from typing_extensions import override

from rules.great_wall import names as n
from rules.great_wall import pending as p
from rules.great_wall.pending import Task
from rules.great_wall.table import Table
from rules.kernel.nouns import Flag
from rules.kernel.pending import Tasks
from rules.kernel.phrases import phrase
from rules.kernel.statements import Statements
from rules.kernel.terms import Term
from rules.kernel.text import Word

_PLACES: Final = n.LOCATION.several(canonical=True, distinct=True)
_SEATS: Final = n.SEAT.several(distinct=True)
_CHI: Final = Flag("chi", "any", "wsg")
_ALONE: Final = Flag("alone", "alone", "shared")
_HORDE: Final = n.HORDE.or_word("-")
_CLAN: Final = n.CLAN.or_word("-")

STATED: Final[Statements[Table, Task]] = Statements(
    Task,
    phrase("artefacts", p.ArtefactsDue),
    phrase("requests", p.RequestsDue, n.COUNT),
    phrase("top", p.TopDue),
    phrase("hordes", p.HordesDue, n.COUNT),
    phrase("deal", p.DealDue, n.SEAT),
    phrase("advise", p.AdviseDue, n.SEAT),
    phrase("advisors", p.AdvisorsDue, n.COUNT),
    phrase("hand", p.DrawDue, n.SEAT, n.COUNT),
    phrase("track", p.QinTrackDue),
    phrase("solo", p.SoloDue),
    phrase("event", p.EventDue),
    phrase("general", p.GeneralDue),
    phrase("active", p.ActiveDue),
    phrase("open-general", p.OpenGeneralDue, n.SEAT),
    phrase("open-active", p.OpenActiveDue, n.SEAT),
    phrase("set-out", p.SetOut),
    phrase("spring", p.Spring),
    phrase("enlist", p.EnlistDue),
    phrase("drop", p.DropAdvisors, n.COUNT),
    phrase("summer", p.Summer),
    phrase("cleanse", p.CleanseDue, n.SEAT),
    phrase("clear", p.ClearTrack),
    phrase("recover", p.RecoverDue, n.SEAT),
    phrase("autumn", p.Autumn),
    phrase("pick", p.PickDue),
    phrase("places", p.Places),
    phrase("place", p.PlaceDue, n.SEAT),
    phrase("clan-places", p.ClanPlaces, n.CLAN),
    phrase("turns", p.Turns),
    phrase("turn", p.Turn, n.SPACE),
    phrase("turn-over", p.TurnOver, n.CLAN),
    phrase("winter", p.Winter),
    phrase("yearend", p.YearEnd),
    phrase("end-check", p.EndCheck),
    phrase("next-year", p.NextYear),
    phrase("others", p.Others, n.CLAN, n.SCRIPT),
    phrase("do", p.Do, n.CLAN, n.SCRIPT, n.COUNT),
    phrase("clerks", p.ClerksDue, n.SEAT, n.CLAN, n.COUNT, _PLACES),
    phrase("take", p.TakeDue, n.SEAT, n.COUNT, _CHI),
    phrase("copy", p.CopyDue, n.SEAT, n.SCRIPT),
    phrase("advance", p.AdvanceDue, n.SEAT),
    phrase("order", p.OrderDue, n.SEAT, n.COUNT.several(".", count=3)),
    phrase("upgrades", p.UpgradesDue, n.SEAT, n.COUNT, _PLACES),
    phrase("barricades", p.BarricadesDue, n.SEAT, n.COUNT),
    phrase("wounds", p.WoundsDue, n.SEAT, n.COUNT, n.LINE),
    phrase("frees", p.FreesDue, n.SEAT, n.COUNT),
    phrase("limit", p.LimitDue, n.SEAT),
    phrase("tactic-end", p.TacticEnd, n.SEAT, n.TACTIC),
    phrase("start-acts", p.StartActs, n.CLAN),
    phrase("acts", p.ActsDue, n.CLAN, _PLACES, n.LOCATION.several(distinct=True)),
    phrase("activate", p.Activate, n.LOCATION, n.ADVANCED),
    phrase("collect", p.Collect, n.LOCATION, n.CLAN.several()),
    phrase("upgrading", p.Upgrading, n.LOCATION),
    phrase("donating", p.Donating, n.LOCATION),
    phrase("home", p.Home, n.LOCATION, n.ADVANCED),
    phrase("upgrade", p.UpgradeDue, n.SEAT, n.LOCATION),
    phrase("donate", p.DonateDue, n.SEAT, n.LOCATION),
    phrase("rise", p.RiseDue, n.SEAT, _ALONE),
    phrase("recruit", p.RecruitDue, n.SEAT, n.COUNT),
    phrase("build", p.BuildDue, n.SEAT, n.COUNT, n.SECTION.several("", canonical=True, distinct=True)),
    phrase("again", p.AgainDue, n.SEAT),
    phrase("hire", p.HireDue, n.SEAT, n.COUNT),
    phrase("march", p.MarchDue, n.SEAT, n.COUNT),
    phrase("shift", p.ShiftDue, n.SEAT, n.SECTION, n.SECTION),
    phrase("study", p.StudyDue, n.SEAT, n.COUNT),
    phrase("settle", p.Settle, n.SEAT),
    phrase("reed-at", p.ReedAt, n.LOCATION),
    phrase("qin-at", p.QinAt, n.LOCATION),
    phrase("reed-spear", p.ReedSpearDue, n.SEAT),
    phrase("reed-barricade", p.ReedBarricadeDue, n.SEAT),
    phrase("dismiss", p.DismissDue, n.SEAT),
    phrase("absolve", p.AbsolveDue, n.SEAT),
    phrase("take-shame", p.TakeShame, n.SEAT, n.COUNT),
    phrase("shame", p.ShameDue, n.SEAT),
    phrase("check", p.DefeatCheck),
    phrase("defeat", p.Defeat, n.HORDE.several(distinct=True)),
    phrase("kill", p.Kill, n.SECTION, _HORDE),
    phrase("lose", p.LoseDue, n.SEAT, n.SECTION, _HORDE),
    phrase("dies", p.ClanDies, n.CLAN, n.SECTION, _HORDE),
    phrase("batch-end", p.BatchEnd),
    phrase("claim", p.Claim, n.SECTION, n.HORDE, _CLAN),
    phrase("fire-section", p.Fire, n.SECTION),
    phrase("fire", p.FireDue, n.SEAT, n.SECTION, n.COUNT),
    phrase("qin-fires", p.QinFires, n.SECTION),
    phrase("assault", p.Assault, n.SECTION),
    phrase("clear-barricades", p.ClearBarricades),
    phrase("fulfil", p.FulfilDue, _SEATS, n.REQUEST.several(canonical=True, distinct=True)),
    phrase("agree", p.AgreeDue, n.REQUEST, _SEATS, _SEATS, n.REQUEST.several(canonical=True, distinct=True)),
    phrase(
        "free",
        p.Free,
        n.STEP,
        _SEATS,
        n.LOCATION.or_word("-"),
        n.SECTION.or_word("-"),
        n.SCRIPT.or_word("-"),
    ),
)
TASKS: Final = Tasks(STATED)


class _OneTask(Term[Table, Task]):
    """A task by itself: what is asked."""

    what = "task"

    @override
    def write(self, table: Table, thing: Task) -> str:
        return TASKS.write(table, (thing,))

    @override
    def read(self, table: Table, word: Word) -> Task:
        found = TASKS.read(table, word)
        if len(found) != 1:
            raise word.fault(f"{len(found)} tasks; expected one")
        return found[0]

    @override
    def holds(self, thing: object) -> bool:
        return TASKS.holds((thing,))


TASK: Final = _OneTask()
