"""Lists of operations, read from a component file and named by their cards."""

from collections.abc import Callable, Iterable
from typing import Final

from rules.great_wall.component_file import Op
from rules.great_wall.kinds import Kind, Resource, Script, Strategy
from rules.great_wall.operations import (
    ActivateOne,
    AttackOrder,
    CleanseFreely,
    CopyCard,
    DealWounds,
    DrawCards,
    FreeBarricades,
    Gain,
    GainHonour,
    GainShame,
    GrantSaves,
    LoseSome,
    Operation,
    QinBuilds,
    QinRecruits,
    RaiseForemen,
    Reward,
    RiseInTea,
    SendClerks,
    TakeAny,
)
from rules.kernel.forms import Names


class Scripts:
    """The lists of one set, each with a name of its own."""

    def __init__(self, strategies: Names[Strategy]) -> None:
        self.names: Final[list[str]] = []
        self.lists: Final[list[tuple[Operation, ...]]] = []
        self._strategies: Final = strategies

    def add(self, name: str, ops: Iterable[Op]) -> Script:
        """A list, after the lists of other choices that it needs."""
        done: list[Operation] = []
        for op in ops:
            copies = sum(isinstance(earlier, CopyCard) for earlier in done)
            done.append(self._operation(f"{name}.else.{copies + 1}" if copies else f"{name}.else", op))
        self.names.append(name)
        self.lists.append(tuple(done))
        return Script(len(self.lists) - 1)

    def _operation(self, otherwise: str, op: Op) -> Operation:
        """An operation; the list of its other choice has this name."""
        if op.op == "copy":
            return CopyCard(self.add(otherwise, op.otherwise))
        if op.op == "clerks" and op.bonus is not None:
            return SendClerks(op.n, self._strategies.number_of[op.bonus.card], op.bonus.n)
        return _SIMPLE[op.op](op)


def reward(op: Op) -> Reward:
    """What an occasion gives."""
    per = op.per is not None
    return GainHonour(op.n, per) if op.res is None else Gain(Resource[op.res.upper()], op.n, per)


def _lose(op: Op) -> Operation:
    return LoseSome(Resource[(op.res or "").upper()], op.n)


_SIMPLE: Final[dict[str, Callable[[Op], Operation]]] = {
    "gain": reward,
    "lose": _lose,
    "take": lambda op: TakeAny(op.n, op.of == "any"),
    "honour": reward,
    "tactic": lambda op: DrawCards(op.n),
    "clerks": lambda op: SendClerks(op.n, None, 0),
    "activate": lambda _: ActivateOne(),
    "attack": lambda _: AttackOrder(),
    "upgrade": lambda op: RaiseForemen(op.n),
    "barricade": lambda op: FreeBarricades(op.n),
    "wound": lambda op: DealWounds(op.n, op.line or 1),
    "save": lambda op: GrantSaves(op.n),
    "cleanse": lambda op: CleanseFreely(op.n),
    "tea": lambda op: RiseInTea(op.n),
    "shame": lambda op: GainShame(op.n),
    "recruit": lambda op: QinRecruits(Kind[(op.kind or "spearman").upper()], op.n),
    "wall": lambda _: QinBuilds(),
}
