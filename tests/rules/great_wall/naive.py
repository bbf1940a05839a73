"""A plain second model of The Great Wall, written from its digest and its page: slow and obvious.

It is given moves as text, without who makes them. Seats are numbers; None is chance.
"""

from collections.abc import Mapping
from typing import Self

from tests.rules.great_wall import (
    naive_clans,
    naive_course,
    naive_effects,
    naive_fight,
    naive_list,
    naive_places,
    naive_setting_up,
    naive_tasks,
)
from tests.rules.great_wall.naive_judge import judge
from tests.rules.great_wall.naive_line import write_line
from tests.rules.great_wall.naive_read import read_line
from tests.rules.great_wall.naive_score import finish
from tests.rules.great_wall.naive_table import Actor, Over, Question, Table, Words
from tests.rules.great_wall.naive_tasks import Reply, Task, asks_nothing, begin, parts_of, play_tactic

MODULES = (
    naive_tasks,
    naive_setting_up,
    naive_course,
    naive_effects,
    naive_fight,
    naive_clans,
    naive_places,
)
TASKS: Mapping[str, Task] = {name: task for module in MODULES for name, task in module.TASKS.items()}
REPLIES: Mapping[str, Reply] = {name: reply for module in MODULES for name, reply in module.REPLIES.items()}


class Naive:
    """A match, with the question that is open."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.question = _next_question(table)

    @classmethod
    def begin(cls, names: tuple[str, ...], settings: dict[str, str], *, coop: bool, recorded: bool) -> Self:
        """A new match."""
        table = Table(names, settings, coop=coop, recorded=recorded)
        table.agenda = naive_setting_up.set_up(table)
        return cls(table)

    @classmethod
    def read(cls, line: str) -> Self:
        """A match at a position."""
        return cls(read_line(line))

    def awaiting(self) -> list[Actor]:
        return [] if self.question is None else self.question.who

    def legal(self, actor: Actor) -> Words:
        """The legal moves of an actor in order."""
        if self.question is None or actor not in self.question.who:
            return []
        return naive_list.listed(self.table, self.question, actor)

    def judge(self, actor: Actor, move: str) -> Words:
        """The rules that a move breaks, in order; none if it is legal."""
        return judge(self.table, self.question, actor, move.split())

    def play(self, actor: Actor, move: str) -> None:
        """Make a legal move, and all that follows of itself."""
        assert self.judge(actor, move) == [], f"{move} is illegal: {self.line()}"
        table, words = self.table, move.split()
        if table.agenda[0].startswith("free:"):
            begin(table, table.agenda[0].split(":")[1:], table.clan(actor).name)
            _next_question(table)
        if words[0] == "play":
            play_tactic(table, table.clan(actor), words[1], boosted=len(words) > 2)
        else:
            name, *parts = table.agenda[0].split(":")
            REPLIES[name](table, parts, actor, words)
        self.question = _next_question(table)

    def line(self) -> str:
        """The position line."""
        return write_line(self.table)

    def scores(self) -> list[int]:
        """The honour of the seats, and then Qin's; none in co-op."""
        if self.table.coop:
            return []
        return [clan.honour for clan in self.table.clans.values() if clan.mark != "r"]

    def winners(self) -> list[int]:
        assert self.table.ended is not None
        return self.table.ended[1]


def _next_question(t: Table) -> Question | None:
    """Do what is due of itself, up to the next question or the end."""
    try:
        while t.agenda:
            name, *parts = t.agenda[0].split(":")
            question = _free(t, parts) if name == "free" else TASKS[name](t, parts)
            if question is not None:
                return question
    except Over as end:
        t.agenda = []
        finish(t, str(end))
    return None


def _free(t: Table, parts: Words) -> Question | None:
    """A step that seats do in any order; one that is asked nothing, or is the last, begins of itself."""
    what, seats, *rest = parts
    names = parts_of(seats)
    for name in names:
        if len(names) == 1 or asks_nothing(t, t.named(name), [what, *rest]):
            begin(t, parts, name)
            return None
    pending = list(t.agenda)
    questions = []
    for name in names:
        begin(t, parts, name)
        questions.append(_next_question(t))
        t.agenda = list(pending)
    question = questions[0]
    assert question is not None
    question.who = [clan.seat for clan in t.seats if clan.name in names]
    question.spent = {mark: n for each in questions if each is not None for mark, n in each.spent.items()}
    return question
