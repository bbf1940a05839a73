"""A plain second model of The Great Wall, written from the rules digest alone: slow and obvious.

It is given moves as text, without who makes them. Seats are numbers; None is chance.
"""

from tests.rules.great_wall import naive_list
from tests.rules.great_wall.naive_course import course
from tests.rules.great_wall.naive_judge import judge
from tests.rules.great_wall.naive_line import write_board, write_tail
from tests.rules.great_wall.naive_table import Actor, Question, Table, Words


class Naive:
    """A match, with the question that is open."""

    def __init__(
        self, names: tuple[str, ...], settings: dict[str, str], *, coop: bool, recorded: bool
    ) -> None:
        self.table = Table(names, settings, coop=coop, recorded=recorded)
        self.course = course(self.table)
        self.question: Question | None = next(self.course)

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
        assert self.judge(actor, move) == [], f"{move} is illegal: {self.board()}"
        try:
            self.question = self.course.send((actor, move.split()))
        except StopIteration:
            self.question = None

    def board(self) -> str:
        """The position line up to what is pending."""
        return write_board(self.table)

    def tail(self) -> str:
        """The words of the position line after what is pending."""
        return write_tail(self.table)

    def scores(self) -> list[int]:
        """The honour of the seats, and then Qin's; none in co-op."""
        if self.table.coop:
            return []
        return [clan.honour for clan in self.table.clans.values() if clan.mark != "r"]

    def winners(self) -> list[int]:
        assert self.table.ended is not None
        return self.table.ended[1]
