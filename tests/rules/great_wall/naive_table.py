"""What lies on the table in the plain model of The Great Wall, and what is pending."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.rules.great_wall import naive_set as s

Actor: TypeAlias = int | None
"""A seat, or None for chance."""
Words: TypeAlias = list[str]


@dataclass
class Question:
    """What is asked, of whom, and which moves answer it."""

    name: str
    who: list[Actor]
    verbs: set[str]
    window: str = ""
    place: str = ""
    """A location, a section or a horde card."""
    goal: str = ""
    n: int = 0
    line: int = 3
    used: list[str] = field(default_factory=list)
    risk: dict[str, int] = field(default_factory=dict)
    """The soldiers of each kind that stand where some are at risk."""
    spent: dict[str, int] = field(default_factory=dict)
    """The archers of each section that have attacked under this order; or the clerks of each clan."""


class Over(Exception):
    """The match has ended, for this reason."""


@dataclass
class Clan:
    """A seat, Reed or Qin."""

    name: str
    mark: str
    seat: Actor
    general: str = "-"
    active: list[str] = field(default_factory=list)
    assistants: list[str] = field(default_factory=list)
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(s.RESOURCES, 0))
    owed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(s.RESOURCES, 0))
    saves: int = 0
    honour: int = 0
    clerks: int = 5
    space: int = 3
    reserve: dict[str, int] = field(default_factory=lambda: dict(s.FIGURES))
    shamed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(s.KINDS, 0))
    foremen: dict[str, tuple[int, str]] = field(default_factory=dict)
    hand: list[str] = field(default_factory=lambda: list(s.STRATEGIES))
    discarded: list[str] = field(default_factory=list)
    tactics: list[str] = field(default_factory=list)
    claimed: dict[str, int] = field(default_factory=dict)
    sacrificed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(s.KINDS, 0))

    def usable(self, kind: str) -> int:
        """Figures in reserve without a token."""
        return self.reserve[kind] - self.shamed[kind]

    def tokens(self) -> list[str]:
        """Where the own shame tokens lie: kinds, then claimed hordes."""
        kinds = [kind for kind in s.KINDS if self.shamed[kind]]
        return kinds + [card for card in self.claimed if self.claimed[card]]


@dataclass
class Card:
    """A horde on the board: for each spot "." or "x", or the clan and the soldier that covers it."""

    name: str
    spots: dict[str, str]


@dataclass
class Wall:
    """A section: its wall, its hordes and who is there."""

    letter: str
    level: int = 0
    barricades: int = 3
    hordes: list[Card] = field(default_factory=list)
    firing: dict[str, int] = field(default_factory=dict)
    rest: dict[str, dict[str, int]] = field(default_factory=dict)

    def free_slots(self) -> int:
        return s.FIRING[self.level] - sum(self.firing.values())

    def resting(self, mark: str, kind: str) -> int:
        return self.rest.get(mark, {}).get(kind, 0)

    def add_rest(self, mark: str, kind: str, n: int) -> None:
        kinds = self.rest.setdefault(mark, {})
        kinds[kind] = kinds.get(kind, 0) + n

    def add_firing(self, mark: str, n: int) -> None:
        self.firing[mark] = self.firing.get(mark, 0) + n


def soldier(covered: str) -> str:
    """The kind of the soldier on a spot; nothing where there is none."""
    if covered in ".x":
        return ""
    return "horseman" if "h" in covered else "spearman"


def qin_clan(honour: str) -> Clan:
    """Qin, with his four foremen."""
    qin = Clan("qin", "q", None, general="qin-jiushao", honour=int(honour), clerks=8, space=0)
    figures = ("horseman", "horseman", "spearman", "spearman")
    qin.foremen = {place: (1, kind) for place, kind in zip(s.PRODUCE, figures, strict=True)}
    qin.reserve |= {"spearman": 8, "horseman": 0}
    return qin


class Table:
    """The whole match but for what is pending."""

    def __init__(
        self, names: tuple[str, ...], settings: dict[str, str], *, coop: bool, recorded: bool
    ) -> None:
        self.settings = {name: offered[0] for name, offered in s.RULINGS.items()} | settings
        self.coop, self.recorded = coop, recorded
        self.seats = [Clan(name, str(seat + 1), seat) for seat, name in enumerate(names)]
        self.clans = {clan.mark: clan for clan in self.seats}
        self.solo, self.reed = len(names) == 1, len(names) <= 2
        if self.reed:
            self.clans["r"] = Clan("reed", "r", None)
        if self.solo:
            self.clans["q"] = qin_clan(settings.get("qin-honour", "0"))
        self.side = "4" if len(names) == 4 else "2-3"
        counted = 3 if len(names) == 2 and self.settings["reed-counts"] == "yes" else len(names)
        self.counted = counted
        self.pool, self.removed, self.emptied = 10 * counted, 0, False
        self.time, self.top = 0, "-"
        self.tea: list[str] = []
        self.ware = dict.fromkeys(s.RESOURCES[:3], 0)
        self.open = ["C", "R"] if self.reed else list(s.SECTIONS)
        self.walls = {letter: Wall(letter) for letter in self.open}
        self.at: dict[str, list[str]] = {place: [] for place in s.LOCATIONS}
        if self.reed:
            for place in ("sawmill", "quarry", "gold-mine"):
                self.at[place].append("r")
        cards = s.COOP_HORDES if coop else s.HORDES
        self.deck = [card for card in cards if not (self.reed and s.back(card) == "left")]
        self.horde_discard: list[str] = []
        self.advisors: Words = []
        self.advisor_discard: Words = []
        self.kinds = s.TACTICS if coop else s.TACTICS[: s.STANDARD_TACTICS]
        self.tactic_deck = len(self.kinds) * s.COPIES
        self.tactic_discard: list[str] = []
        self.generals = s.GENERALS if coop else s.GENERALS[: s.STANDARD_GENERALS]
        self.artefacts: list[str] = []
        self.requests: list[str] = []
        self.fulfilled: list[str] = []
        self.events: list[str] = []
        self.solo_played: list[str] = []
        self.qin_track: list[str] = []
        self.track: dict[str, tuple[int, str]] = {}
        """By clan: its space, 0 before it is placed, and its card."""
        self.dealt: dict[int, tuple[Words, Words]] = {}
        self.sealed: dict[int, str] = {}
        self.agenda: Words = []
        """What is pending, the next task first: its name and its parts, as the position line has them."""
        self.shuffled = {"hordes": 0, "advisors": 0, "tactics": 0, "solo": 0}
        self.last_shuffled: dict[str, Words] = {"advisors": [], "tactics": []}
        self.ended: tuple[str, list[int]] | None = None

    # What is pending.

    def then(self, *tasks: str) -> None:
        """Put tasks in the place of the first."""
        self.agenda[:1] = tasks

    def first(self, *names: str) -> Words:
        """The first pending task with one of these names, in parts; none if there is none."""
        return next((parts for task in self.agenda if (parts := task.split(":"))[0] in names), [])

    @property
    def turn(self) -> str:
        """Whose turn it is; nobody's outside of a turn."""
        found = self.first("turn-over")
        return self.named(found[1]).mark if found else ""

    @property
    def owing(self) -> bool:
        """Whether a simultaneous resolution is open."""
        found = self.first("settle", "batch-end", "tactic-end")
        return bool(found) and found[0] != "tactic-end"

    @property
    def activated(self) -> str:
        """The location that is activated."""
        found = self.first("home")
        return found[1] if found else ""

    @property
    def in_play(self) -> Words:
        """Tactics that are being resolved."""
        return [task.split(":")[2] for task in self.agenda if task.startswith("tactic-end:")]

    # Clans.

    def named(self, name: str) -> Clan:
        return next(clan for clan in self.clans.values() if clan.name == name)

    def clan(self, actor: Actor) -> Clan:
        assert actor is not None
        return self.seats[actor]

    def in_tea(self, marks: list[str]) -> list[str]:
        return [mark for mark in self.tea if mark in marks]

    def human(self, mark: str) -> bool:
        return mark not in "rq"

    def overlord(self) -> Clan:
        """Who acts for Reed."""
        if self.turn != "r":
            return self.clans[self.turn]
        return self.clans[next(mark for mark in self.tea if mark != "r")]

    # Events that hold for good.

    def passive(self, stat: str) -> int:
        found = [s.EVENT_PASSIVE[event] for event in self.events if event in s.EVENT_PASSIVE]
        return sum(by for name, by in found if name == stat)

    def save_cost(self) -> int:
        return max(0, s.SAVE_CHI + self.passive("save-cost"))

    def mortality(self, card: str) -> int:
        extra = 1 if s.family(card) == 7 else 0
        return max(0, s.MORTALITY[self.side][self.time] + extra + self.passive("mortality"))

    def power(self, wall: Wall) -> int:
        return sum(
            max(0, s.power(card.name, line) + self.passive("power"))
            for line, card in enumerate(wall.hordes, 1)
        )

    def defence(self, wall: Wall) -> int:
        worth = s.BARRICADE_DEFENCE + self.passive("barricade")
        if wall.hordes and s.family(wall.hordes[0].name) == 8:
            worth -= 1
        return s.DEFENCE[wall.level] + wall.barricades * max(0, worth)

    # Gains.

    def honour(self, clan: Clan, n: int) -> None:
        if clan.mark != "r":
            clan.honour = max(0, clan.honour + n)

    def gain(self, clan: Clan, resource: str, n: int) -> None:
        """Resources, which are owed while a simultaneous resolution is open."""
        if self.human(clan.mark):
            purse = clan.owed if self.owing else clan.held
            purse[resource] += n

    def credit(self, clan: Clan) -> None:
        """A simultaneous resolution ends for a seat."""
        for resource in s.RESOURCES:
            clan.held[resource] += clan.owed[resource]
            clan.owed[resource] = 0

    def occasion(self, clan: Clan, what: str, times: int = 1) -> None:
        """The general and the active advisors give what they give for this."""
        gifts = [s.ADVICE[advisor] for advisor in clan.active]
        if self.human(clan.mark):
            on, gift, n = s.ABILITY[clan.general]
            gifts.append((on, gift, n * len(clan.assistants)))
        for on, gift, n in gifts:
            if on == what and gift == "honour":
                self.honour(clan, n * times)
            elif on == what:
                self.gain(clan, gift, n * times)

    # Places.

    def move_clerk(self, clan: Clan, source: str, target: str) -> None:
        if source == "reserve":
            clan.clerks -= 1
        else:
            self.at[source].remove(clan.mark)
        self.at[target].append(clan.mark)

    def rise(self, mark: str) -> None:
        at = self.tea.index(mark)
        if at:
            self.tea[at - 1], self.tea[at] = self.tea[at], self.tea[at - 1]

    def build_barricade(self, clan: Clan, section: str) -> None:
        self.walls[section].barricades += 1
        self.honour(clan, s.BARRICADE_HONOUR)
        self.occasion(clan, "barricade")

    def standard(self, place: str) -> bool:
        return place not in s.SPECIAL

    def full(self, place: str) -> bool:
        return self.standard(place) and len(self.at[place]) >= s.SLOTS[self.side][place]

    def eligible(self, place: str) -> bool:
        """Whether a location activates in the activation step."""
        if self.standard(place):
            return self.full(place)
        return any(mark != "r" for mark in self.at[place])

    # Hordes.

    def card(self, section: str, line: int) -> Card | None:
        if section not in self.walls or not 1 <= line <= len(self.walls[section].hordes):
            return None
        return self.walls[section].hordes[line - 1]

    def empty_spots(self, section: str, lines: int = 3, kind: str = "") -> Iterator[str]:
        """Empty spots such as L1b2, on cards that are not immune to this kind."""
        for line, card in enumerate(self.walls[section].hordes[:lines], 1):
            if not kind or not s.immune(card.name, line, kind):
                yield from (f"{section}{line}{cell}" for cell, there in card.spots.items() if there == ".")

    def soldiers_on(self, card: Card, mark: str) -> dict[str, int]:
        """The soldiers of a clan on a card, by kind."""
        there = {
            covered
            for covered in card.spots.values()
            if covered[0] == mark and soldier(covered) == "horseman"
        }
        spearmen = sum(1 for covered in card.spots.values() if covered == mark)
        return {"spearman": spearmen, "horseman": len(there)}

    def on_hordes(self, mark: str) -> list[tuple[str, Card]]:
        return [
            (letter, card)
            for letter, wall in self.walls.items()
            for card in wall.hordes
            if any(covered[0] == mark for covered in card.spots.values())
        ]

    def wound(self, spot: str) -> None:
        """Put a wound on a spot such as L1b2."""
        card = self.card(spot[0], int(spot[1]))
        assert card is not None
        card.spots[spot[2:]] = "x"

    # Decks.

    def owned_advisors(self) -> list[str]:
        dealt = [card for _, cards in self.dealt.values() for card in cards]
        owned = [card for clan in self.clans.values() for card in clan.active + clan.assistants]
        return dealt + owned

    def advisors_in_deck(self) -> int:
        return len(s.ADVISORS) - len(self.owned_advisors()) - len(self.advisors) - len(self.advisor_discard)

    def unseen_advisors(self) -> Words:
        seen = {*self.owned_advisors(), *self.advisors, *self.advisor_discard}
        deck = self.last_shuffled["advisors"] if self.shuffled["advisors"] else s.ADVISORS
        return [card for card in s.ADVISORS if card in deck and card not in seen]

    def unseen_tactics(self, kind: str) -> int:
        hands = [card for clan in self.seats for card in clan.tactics]
        return s.COPIES - (self.tactic_discard + self.in_play + hands).count(kind)

    def may_be_drawn(self, kind: str) -> bool:
        """Whether the deck may have this tactic; after a shuffle it has none but what was shuffled."""
        pile = self.last_shuffled["tactics"]
        return self.unseen_tactics(kind) > 0 and (kind in pile or not self.shuffled["tactics"])

    def has_tactic(self, clan: Clan, kind: str) -> bool:
        """Whether this tactic is, or as far as its seat sees may be, in a hand."""
        seen = self.tactic_discard + self.in_play + clan.tactics
        return kind in clan.tactics or ("?" in clan.tactics and seen.count(kind) < s.COPIES)

    def take_from_hand(self, clan: Clan, kind: str) -> None:
        clan.tactics.remove(kind if kind in clan.tactics else "?")

    def shuffle_advisors(self) -> None:
        if not self.advisors_in_deck() and self.advisor_discard:
            self.shuffled["advisors"] += 1
            self.last_shuffled["advisors"], self.advisor_discard = self.advisor_discard, []

    def shuffle_tactics(self) -> None:
        if not self.tactic_deck and self.tactic_discard:
            self.shuffled["tactics"] += 1
            self.tactic_deck = len(self.tactic_discard)
            self.last_shuffled["tactics"], self.tactic_discard = self.tactic_discard, []

    def shuffle_hordes(self) -> None:
        if not self.deck and self.horde_discard:
            self.shuffled["hordes"] += 1
            cards = s.COOP_HORDES if self.coop else s.HORDES
            self.deck, self.horde_discard = [card for card in cards if card in self.horde_discard], []

    # Shame.

    def empty_pool(self) -> None:
        self.emptied = self.emptied or self.pool == 0

    def shame_places(self, clan: Clan) -> Words:
        kinds = [kind for kind in s.KINDS if clan.usable(kind)]
        return kinds if self.coop else kinds + [card for card in clan.claimed if clan.claimed[card] < 2]

    def return_token(self, clan: Clan, token: str) -> None:
        if token in s.KINDS:
            clan.shamed[token] -= 1
        else:
            clan.claimed[token] -= 1
        self.pool += 1
