"""Khan played the slow and plain way, to check the real rules against.

It shares no code with the real rules, and must not: dictionaries, sets and full searches only. The rule ids
are those of the rules digest; a move is text, as in a transcript, without the seat that makes it.
"""

from tests.rules.khan.naive_judge import Judge
from tests.rules.khan.naive_position import HAND, LEADERS_TO_LEAVE, UNKNOWN, Piece, Proposal, Turn
from tests.rules.khan.naive_score import winners
from tests.rules.khan.naive_set import Footprint, read_cells


class Naive(Judge):
    """One match, from its start or from a position that a test has set."""

    def play(self, actor: int | None, move: str) -> None:
        """Carry out a legal move."""
        broken = self.judge(actor, move)
        assert broken == [], f"{actor} {move}: {broken}"
        kind, *words = move.split()
        if actor is None:
            self._play_chance(kind, words[0])
        elif kind in ("agree", "refuse"):
            self._answer(actor, agrees=kind == "agree")
        else:
            self._play_by_seat(actor, kind, words)
        if self.turn.due in ("turn", "draw") or self.rulings["reshuffle"] == "when-empty":
            self._shuffle_if_needed()

    def winners(self) -> list[int]:
        """Who has won, once the match is over."""
        return winners(self) if self.turn.due == "over" else []

    # Chance.

    def _play_chance(self, kind: str, what: str) -> None:
        seat = self.turn.seat
        if kind == "first":
            self.first = self.names.index(what)
            self.turn = Turn("open", self.first)
            return
        if kind == "draw":
            self.hands[seat].append(what)
            self._go_on_drawing(seat)
            return
        self.discard.append(what)
        leader, direction, _ = what.split(".")
        if self.turn.leader is not None:
            self._chase(self.turn.leader, direction, by_action=True)
            self._spend_action(seat)
        elif leader in self.leaders:
            self._chase(leader, direction, by_action=False)
            if self.triggered():
                self._begin_final_turn(seat)  # KHAN-TRIG-2
            else:
                self.turn = Turn("act", seat, 2)

    def _shuffle_if_needed(self) -> None:
        """A card is needed now (KHAN-DECK-1, AMB-7)."""
        if self.pile() == 0:
            self.apart = [card for card in self.printed.cards if card not in self.discard]
            self.old = [len(hand) for hand in self.hands]
            self.discard = []
            self.shuffles += 1

    def _go_on_drawing(self, seat: int) -> None:
        if len(self.hands[seat]) < HAND:
            return
        if not self.dealing():
            self._end_turn(seat)
        elif self.next_seat(seat) == self.first:
            self.turn = Turn("turn", self.first)
        else:
            self.turn = Turn("draw", self.next_seat(seat))

    def _chase(self, leader: str, direction: str, *, by_action: bool) -> None:
        """KHAN-FLEE-2, KHAN-REMOVE-1 and -2, KHAN-TRIG-1."""
        stands = self.leaders[leader]
        target = self.flee_target(stands, direction)
        last_yurt = self.camps[leader] == 1
        if by_action and self.rulings["last-camp-yurt"] == "flee":
            last_yurt = False
        self.yurts[stands] = None
        if target is not None and not last_yurt:
            self.leaders[leader] = target
            self.camps[leader] -= 0 if by_action else 1
            return
        del self.leaders[leader]
        self.camps[leader] = 0
        if len(self.camps) - len(self.leaders) == LEADERS_TO_LEAVE:
            self.yurts |= dict.fromkeys(self.leaders.values())
            self.camps = dict.fromkeys(self.camps, 0)
            self.leaders = {}

    # Seats.

    def _play_by_seat(self, seat: int, kind: str, words: list[str]) -> None:
        left = self.turn.left
        match kind:
            case "yurt":
                self.yurts[read_cells(words[0])[0]] = seat
                self._go_on_opening(seat)
            case "invade":
                self._lose_card(seat, words[1])
                self.yurts[read_cells(words[0])[0]] = seat
                self._spend_action(seat)
            case "anywhere":
                self.yurts[read_cells(words[0])[0]] = seat
                self.turn = Turn("discard", seat)
                self._stop_discarding_without_cards(seat)
            case "discard":
                self._lose_card(seat, words[0])
                self._stop_discarding_without_cards(seat)
            case "chase":
                self.turn = Turn("turn", seat, left, words[0])
            case "conquer":
                self._propose(seat, words[0], read_cells(words[1]))
            case "pass" if self.turn.due == "conquer":
                self._begin_final_turn(self.next_seat(seat))
            case "pass":
                self._spend_action(seat)
            case "done" if self.turn.due == "discard":
                self._end_actions(seat)
            case "done":
                self._refill(seat)
            case _:
                self._use_special(seat, kind, words)

    def _go_on_opening(self, seat: int) -> None:
        """KHAN-SETUP-6 and -7."""
        rounds = {2: int(self.rulings["opening-rounds"]), 3: 2, 4: 1}[self.seats]
        if len(self.yurts) < rounds * self.seats:
            self.turn = Turn("open", self.next_seat(seat))
        elif self.recorded:
            self.turn = Turn("draw", self.first)
        else:
            self.hands = [[UNKNOWN] * HAND for _ in self.names]
            self.turn = Turn("turn", self.first)

    def _lose_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card if card in self.hands[seat] else UNKNOWN)
        self.discard.append(card)
        for hand in self.hands:
            if card in hand:
                hand[hand.index(card)] = UNKNOWN  # what the record said of that hand was wrong
        if card in self.apart:
            self.apart.remove(card)
            self.old[seat] -= 1

    def _stop_discarding_without_cards(self, seat: int) -> None:
        if not self.hands[seat]:
            self._end_actions(seat)

    # Conquests.

    def _propose(self, seat: int, shape: str, cells: Footprint) -> None:
        asked = self.consent_needed(seat, cells)
        if asked:
            self.proposal = Proposal(shape, cells, asked)
        else:
            self._conquer(seat, shape, cells)

    def _answer(self, actor: int, *, agrees: bool) -> None:
        """KHAN-CONSENT-1."""
        proposal = self.proposal
        assert proposal is not None
        left = tuple(seat for seat in proposal.asked if seat != actor)
        self.proposal = None
        if not agrees:
            self.refused.append((proposal.shape, proposal.cells))
        elif left:
            self.proposal = Proposal(proposal.shape, proposal.cells, left)
        else:
            self._conquer(self.turn.seat, proposal.shape, proposal.cells)

    def _conquer(self, seat: int, shape: str, cells: Footprint) -> None:
        self.pieces.append(Piece(shape, cells, self.owners_of(cells)))
        for cell in cells:
            self.yurts.pop(cell, None)
        if self.active[seat] == f"explore.{shape}":
            self.active[seat] = ""  # AMB-12: used
        if self.turn.due == "act":
            self._spend_action(seat)
        elif self.turn.left == 1:
            self._begin_final_turn(self.next_seat(seat))
        else:
            self.turn = Turn("conquer", seat, 1)

    # The course of a turn.

    def _spend_action(self, seat: int) -> None:
        if self.turn.left > 1:
            self.turn = Turn("act", seat, self.turn.left - 1)
        elif self.morale:
            self._refill(seat)
        else:
            self._end_actions(seat)

    def _end_actions(self, seat: int) -> None:
        """Step 3 (KHAN-SPEC-2), and step 4 for a seat that has a choice there."""
        if self.active[seat]:
            word = self.active[seat].split(".")[0]
            self.retired = "" if word == "explore" else word
            self.active[seat] = ""
        if self.can_use_special(seat):
            self.turn = Turn("special", seat)
        else:
            self._refill(seat)

    def _use_special(self, seat: int, kind: str, words: list[str]) -> None:
        self.specials[seat][kind[0].upper()] -= 1
        if kind == "morale":
            self.morale = True
            self.turn = Turn("act", seat, 1)
        else:
            self.active[seat] = ".".join([kind, *words])
            self._refill(seat)

    def _refill(self, seat: int) -> None:
        """Step 5 (KHAN-HAND-1)."""
        if self.recorded and len(self.hands[seat]) < HAND:
            self.turn = Turn("draw", seat)
            return
        while len(self.hands[seat]) < HAND:
            self._shuffle_if_needed()
            self.hands[seat].append(UNKNOWN)
        if self.rulings["reshuffle"] == "when-empty":
            self._shuffle_if_needed()
        self._end_turn(seat)

    def _end_turn(self, seat: int) -> None:
        self._forget_turn()
        if self.triggered():
            self._begin_final_turn(self.next_seat(seat))  # KHAN-TRIG-3
        else:
            self.turn = Turn("turn", self.next_seat(seat))

    def _begin_final_turn(self, seat: int) -> None:
        """KHAN-FINAL-3, then KHAN-END-1."""
        self._forget_turn()
        self.active[seat] = ""
        self.turn = Turn("conquer", seat, 2) if self.anybody_could_conquer() else Turn("over")

    def _forget_turn(self) -> None:
        self.morale, self.refused, self.retired = False, [], ""
