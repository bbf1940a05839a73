"""Zhanguo played the slow and plain way, to check the real rules against.

It shares no code with the real rules, and must not: lists, dictionaries and full searches only. The rule
ids are those of the rules digest; a move is text, as in a transcript, without the seat that makes it.
"""

from tests.rules.zhanguo.naive_course import (
    end_soldiers,
    give_tokens_back,
    held,
    move_marker,
    next_pay,
    next_return,
    next_start,
    next_turn,
    pass_offer,
)
from tests.rules.zhanguo.naive_judge import awaiting, judge
from tests.rules.zhanguo.naive_list import legal
from tests.rules.zhanguo.naive_moves import carry_out
from tests.rules.zhanguo.naive_rewards import can_accept
from tests.rules.zhanguo.naive_rival import can_place_alchemist, give_back, pay_for_soldiers, place_soldiers
from tests.rules.zhanguo.naive_table import Table

ALWAYS_ASKED = ("first", "deal", "draw", "play", "act", "reveal", "card", "rival-soldier", "over")


class Naive(Table):
    """One match, from its start or from a position that a test has set."""

    def awaiting(self) -> list[int | None]:
        """The seat that must act, chance as None; nobody once the match is over."""
        return awaiting(self)

    def judge(self, actor: int | None, move: str) -> list[str]:
        """The rules that this move breaks; none if it is legal."""
        return judge(self, actor, move)

    def legal(self, actor: int | None) -> list[str]:
        """Every legal move of this actor, in the order of lists."""
        return legal(self, actor)

    def play(self, actor: int | None, move: str) -> None:
        """Carry out a legal move, and what follows of itself."""
        broken = self.judge(actor, move)
        assert broken == [], f"{actor} {move}: {broken}"
        carry_out(self, move)
        self.settle()

    def settle(self) -> None:
        """What needs no choice happens at once (ZHG-STM-02)."""
        while self._goes_on():
            pass

    def _goes_on(self) -> bool:
        """Do the next thing that happens of itself, if there is one."""
        name = self.top[0]
        if name in ALWAYS_ASKED:
            return False
        match name:
            case "start":
                return self._start_goes_on()
            case "step":
                return self._only("done")
            case "soldiers":
                return self._soldiers_go_on()
            case "offer":
                return self._offer_goes_on()
            case "reward":
                seat, row = self.base_seat(), self.top[2]
                move_marker(self, seat, int(row))
                self.set_base("soldiers", seat, "reward", row)
                return True
            case "pay":
                return self._pay_goes_on()
            case "return":
                return self._return_goes_on()
            case "rival":
                return self._rival_goes_on()
            case "rival-alchemist" | "rival-master":
                return self._rival_choice_goes_on()
            case _:
                return self._choice_goes_on()

    def _only(self, move: str) -> bool:
        """Make this move if it is the only answer."""
        if legal(self, self.base_seat()) != [move]:
            return False
        carry_out(self, move)
        return True

    def _choice_goes_on(self) -> bool:
        moves = legal(self, self.base_seat())
        if not moves:
            self.stack.pop(0)
        elif len(moves) == 1:
            carry_out(self, moves[0])
        return len(moves) < 2

    def _start_goes_on(self) -> bool:
        if self.base_seat() in self.start:
            return False
        next_start(self, self.base_seat())
        return True

    def _soldiers_go_on(self) -> bool:
        if self.base_seat() != self.rival:
            return self._only("done")
        if not place_soldiers(self):
            end_soldiers(self)
            return True
        return False

    def _offer_goes_on(self) -> bool:
        seat, row = self.base_seat(), int(self.top[2])
        if seat == self.rival:
            give_tokens_back(self, seat, row)
            move_marker(self, seat, row)
            self.set_base("soldiers", seat, "reward", str(row))
            end_soldiers(self)  # he places none in this window (AMB-60)
        elif can_accept(self, seat, row):
            return False
        else:
            pass_offer(self)
        return True

    def _pay_goes_on(self) -> bool:
        seat = self.base_seat()
        if seat != self.rival:
            return self._only("done")
        if pay_for_soldiers(self):
            self.set_base("soldiers", seat, "pay")
        else:
            next_pay(self, seat)
        return True

    def _return_goes_on(self) -> bool:
        seat = self.base_seat()
        if seat == self.rival:
            give_back(self, max(0, held(self, seat) - 5))
        elif held(self, seat) > 5:
            moves = legal(self, seat)
            if len(moves) > 1:
                return False
            carry_out(self, moves[0])
            return True
        next_return(self, seat)
        return True

    def _rival_goes_on(self) -> bool:
        if place_soldiers(self):
            return False
        assert self.rival is not None
        next_turn(self, self.rival)
        return True

    def _rival_choice_goes_on(self) -> bool:
        """Where no Alchemist card can be placed, a soldier is unlocked (ZHG-SOL-33)."""
        assert self.rival is not None
        if self.top == ["rival-alchemist"] and not can_place_alchemist(self):
            self.stack.pop(0)
            self.unlock(self.rival)
            return True
        if self.top == ["rival-master"] and not self.masters:
            self.stack.pop(0)
            return True
        return False
