"""Component sets of owners: made up by chance within what the checks allow, or with one card changed."""

import random
from collections.abc import Sequence
from typing import Literal, TypeVar, get_args

from msgspec import structs

from rules.great_wall import component_file as f
from rules.great_wall.components import SETS
from rules.great_wall.reference import REFERENCE

_STRATEGY: tuple[f.OpWord, ...] = (
    "gain",
    "take",
    "honour",
    "tactic",
    "clerks",
    "activate",
    "attack",
    "copy",
    "upgrade",
    "barricade",
    "wound",
    "cleanse",
    "tea",
)
_SETTLING: tuple[f.OpWord, ...] = ("gain", "take", "honour", "tactic", "cleanse")
ALLOWED: dict[str, tuple[f.OpWord, ...]] = {
    "strategy": _STRATEGY,
    "others": ("clerks", "gain", "take", "honour", "tactic"),
    "else": tuple(word for word in _STRATEGY if word != "copy"),
    "reed_strategy": ("clerks",),
    "solo_strategy": ("clerks", "honour", "activate", "recruit", "wall", "upgrade"),
    "tactic strategy": tuple(word for word in _STRATEGY if word not in {"activate", "attack", "copy"}),
    "tactic resolve": ("gain", "take", "honour", "tactic", "tea", "barricade", "wound", "cleanse"),
    "tactic losses": ("save", "gain", "take", "honour"),
    "tactic fire": ("wound", "gain", "take", "honour"),
    "tactic shame": _SETTLING,
    "tactic summer": _SETTLING,
    "event": ("gain", "lose", "honour", "tactic", "shame"),
    "occasion": ("gain", "honour"),
    "qin": ("honour",),
}
"""What stands where, by section 27.2 of the digest."""
_RESOURCES: tuple[f.ResourceWord, ...] = ("wood", "stone", "gold", "chi")
_KINDS: tuple[f.KindWord, ...] = ("spearman", "archer", "horseman")
_SPECIAL_OR_NOT = ("quarry", "gold-mine", "temple", "barracks", "builders", "embassy", "logistics", "academy")
_MARKS = "oooooowsgc1239"

SELF = f.BlockPart("self", (f.Op("clerks"),))
DRAW = f.Op("tactic")

Thing = TypeVar("Thing")


def with_blocks(card: str, *blocks: f.BlockPart) -> f.ComponentFile:
    """The reference set with other blocks on one strategy card."""
    file = SETS.read(REFERENCE)
    cards = tuple(structs.replace(one, blocks=blocks) if one.id == card else one for one in file.strategy)
    return structs.replace(file, set_id="other-blocks", strategy=cards)


def own_set(chance: random.Random) -> f.ComponentFile:
    """A set that passes every check."""
    made = _Maker(chance)
    file = SETS.read(REFERENCE)
    return structs.replace(
        file,
        set_id="made-up",
        wall=made.walls(file.wall),
        board=tuple(made.board(board) for board in file.board),
        horde=tuple(map(made.horde, file.horde)),
        coop_horde=tuple(map(made.horde, file.coop_horde)),
        strategy=tuple(made.strategy("strategy", card) for card in file.strategy),
        reed_strategy=tuple(made.strategy("reed_strategy", card) for card in file.reed_strategy),
        solo_strategy=tuple(made.strategy("solo_strategy", card) for card in file.solo_strategy),
        general=tuple(map(made.general, file.general)),
        coop_general=tuple(map(made.general, file.coop_general)),
        solo_general=tuple(
            structs.replace(qin, on=made.word(f.OccasionWord), do=made.ops("qin", per=True))
            for qin in file.solo_general
        ),
        advisor=tuple(
            structs.replace(card, on=made.word(f.OccasionWord), do=made.ops("occasion"))
            for card in file.advisor
        ),
        tactic=tuple(map(made.tactic, file.tactic)),
        coop_tactic=tuple(map(made.tactic, file.coop_tactic)),
        artefact=tuple(structs.replace(card, n=chance.randint(0, 4)) for card in file.artefact),
        request=tuple(map(made.request, file.request)),
        event=tuple(map(made.event, file.event)),
    )


class _Maker:
    """Parts of a set by chance."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def word(self, words: object) -> str:
        """One of a closed list of words."""
        found: str = self._chance.choice(get_args(words))
        return found

    def _one(self, things: Sequence[Thing]) -> Thing:
        return self._chance.choice(things)

    def _perhaps(self) -> bool:
        return self._chance.random() < 0.5

    def walls(self, walls: Sequence[f.WallPart]) -> tuple[f.WallPart, ...]:
        """Rising defence, and slots that never become fewer."""
        defence = sorted(self._chance.sample(range(20), len(walls)))
        firing = sorted(self._chance.choices(range(6), k=len(walls)))
        return tuple(
            structs.replace(wall, defence=high, firing=slots)
            for wall, high, slots in zip(walls, defence, firing, strict=True)
        )

    def board(self, board: f.BoardPart) -> f.BoardPart:
        """Locations in any order, and any time track."""
        years = self._chance.randint(3, 6)
        deadly = sorted(self._chance.choices(range(4), k=years))
        time = tuple(f.TimePart(each, self._chance.randint(0, 4)) for each in deadly)
        places = [self._location(place, example=3 in board.players) for place in board.location]
        self._chance.shuffle(places)
        return structs.replace(board, time=time, location=tuple(places))

    def _location(self, place: f.LocationPart, *, example: bool) -> f.LocationPart:
        special = place.id in _SPECIAL_OR_NOT and self._perhaps()
        costs: list[f.Amounts] = [{self._one(_RESOURCES): self._chance.randint(0, 4)} for _ in place.foreman]
        if example and place.id == "sawmill":
            costs[0], costs[2] = {"chi": 2}, {"chi": 4}
        return structs.replace(
            place,
            kind="special" if special else "standard",
            slots=0 if special else self._chance.randint(1, 4),
            shame=self._perhaps(),
            foreman=tuple(costs),
        )

    def horde(self, card: f.HordePart) -> f.HordePart:
        """A grid of any size with a few spots on it."""
        large = self._chance.random() < 0.1
        rows, columns = (9, 26) if large else (self._one((1, 1, 2, 3)), self._one((3, 6, 8)))
        cells = ["."] * (rows * columns)
        for spot in self._chance.sample(range(len(cells)), self._chance.randint(1, min(7, len(cells)))):
            cells[spot] = self._one(_MARKS)
        return structs.replace(
            card,
            power=self._chance.randint(0, 7),
            reward=self._chance.randint(0, 9),
            spots=tuple("".join(cells[at : at + columns]) for at in range(0, len(cells), columns)),
            ability=tuple(self._ability() for _ in range(self._one((0, 0, 1, 2)))),
        )

    def _ability(self) -> f.AbilityPart:
        when: Literal["always", "front"] = "front" if self._perhaps() else "always"
        if self._chance.random() < 0.3:
            return f.AbilityPart("immune", when, to=self._one(_KINDS))
        return f.AbilityPart(
            self._one(("power", "mortality", "barricade")), when, self._chance.randint(-3, 3)
        )

    def strategy(self, where: str, card: f.StrategyPart) -> f.StrategyPart:
        """Something for oneself, for the others, and perhaps for oneself again."""
        others = f.BlockPart("others", self.ops("others"))
        blocks = (f.BlockPart("self", self.ops(where)), others, f.BlockPart("self", self.ops(where)))
        return structs.replace(card, blocks=blocks[: self._chance.randint(2, 3)])

    def general(self, card: f.GeneralPart) -> f.GeneralPart:
        """Any start; its tea value stays, which no other has."""
        if card.id == "song-ci":
            return card
        return structs.replace(
            card,
            start={resource: self._chance.randint(0, 7) for resource in _RESOURCES},
            tactics=self._chance.randint(0, 5),
            on=self.word(f.OccasionWord),
            do=self.ops("occasion", per=True),
        )

    def tactic(self, card: f.TacticPart) -> f.TacticPart:
        """Any window but for the one whose boost the rulebook describes."""
        window: f.WindowWord = "losses" if card.id == "retreat" else self._one(get_args(f.WindowWord))
        where = f"tactic {window}"
        saves_all = (f.Op("save", 99),)
        return structs.replace(
            card,
            window=window,
            base=self.ops(where),
            boost_chi=self._chance.randint(1, 3),
            boosted=saves_all if card.id == "retreat" else self.ops(where),
        )

    def request(self, card: f.RequestPart) -> f.RequestPart:
        """Any amounts, paid by each or by one."""
        if card.scope == "state":
            return card
        return structs.replace(
            card,
            scope=self._one(("each", "one")),
            pay={self._one(_RESOURCES): self._chance.randint(1, 3)},
            honour=self._one((0, 0, 3)),
            sacrifice={self._one(_KINDS): 1} if self._perhaps() else {},
        )

    def event(self, card: f.EventPart) -> f.EventPart:
        """Something at once, and something for the rest of the match."""
        passive = f.PassivePart(
            self._one(("power", "mortality", "save-cost", "barricade", "income", "donation", "spring")),
            self._chance.randint(-3, 3),
        )
        return structs.replace(card, immediate=self.ops("event"), passive=(passive,))

    def ops(self, where: str, *, per: bool = False) -> tuple[f.Op, ...]:
        """A few operations that may stand there, some more than once."""
        return tuple(self._op(where, per=per) for _ in range(self._one((1, 1, 2, 3))))

    def _op(self, where: str, *, per: bool) -> f.Op:
        op, n = self._one(ALLOWED[where]), self._chance.randint(1, 3)
        by: Literal["assistant"] | None = "assistant" if per and self._perhaps() else None
        match op:
            case "gain" | "lose":
                return f.Op(op, n, res=self._one(_RESOURCES), per=by if op == "gain" else None)
            case "honour":
                return f.Op(op, n, per=by)
            case "take":
                return f.Op(op, n, of=self._one(("any", "wsg")))
            case "wound":
                return f.Op(op, n, line=n)
            case "recruit":
                return f.Op(op, n, kind=self._one(("spearman", "archer")))
            case "copy":
                return f.Op(op, otherwise=self.ops("else"))
            case "clerks" if self._perhaps():
                return f.Op(op, n, bonus=f.Bonus("economy", 2))
            case "activate" | "attack" | "wall":
                return f.Op(op)
            case _:
                return f.Op(op, n)
