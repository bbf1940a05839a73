"""Which rules a move of Khan breaks, asked the slow and plain way."""

from collections.abc import Iterator

from tests.rules.khan.naive_position import UNKNOWN, Position
from tests.rules.khan.naive_set import (
    REGIONS,
    CellXY,
    Footprint,
    cell_name,
    groups,
    read_cells,
    write_cells,
)

BY_CHANCE = ("first", "turn", "draw")
ANSWERS = ("agree", "refuse")
ACTIONS = ("invade", "chase", "conquer", "anywhere", "pass")
SPECIAL = {"morale": "M", "protection": "P", "support": "S", "explore": "E"}
FOR = {
    "first": ("first",),
    "open": ("yurt",),
    "draw": ("draw",),
    "turn": ("turn",),
    "act": ACTIONS,
    "discard": ("discard", "done"),
    "special": (*SPECIAL, "done"),
    "conquer": ("conquer", "pass"),
}
KINDS = ("yurt", *ACTIONS, "discard", "done", *SPECIAL, *ANSWERS)


class Judge(Position):
    """A table at which moves are judged; a move is text as in a transcript, without its actor."""

    def judge(self, actor: int | None, move: str) -> list[str]:
        """The rules this move breaks; none if it is legal. Text that is no move is a ValueError."""
        kind, *words = move.split()
        if kind not in (*BY_CHANCE, *KINDS):
            raise ValueError(f"unreadable: {move!r}")
        if actor not in self.awaiting() or (actor is None) != (kind in BY_CHANCE):
            return ["KHAN-TURN-1"]
        wrong = self._wrong_step(kind)
        if wrong is not None:
            return [wrong]
        if actor is None:
            return [] if kind == "first" else self._judge_face(words[0])
        return self._judge_by_seat(actor, kind, words)

    def _wrong_step(self, kind: str) -> str | None:
        """The rule that says that now is not the time for such a move."""
        due = self.turn.due
        if self.proposal is not None:
            return None if kind in ANSWERS else "KHAN-CONSENT-1"
        if due == "act" and kind == "anywhere":
            if self.morale:
                return "KHAN-SPEC-M"
            return None if self.turn.left == 2 else "KHAN-ACT-D"
        if kind in FOR[due]:
            return None
        if due in ("act", "discard", "special", "conquer") and kind in ANSWERS:
            return "KHAN-CONSENT-1"
        return {
            "first": "KHAN-SETUP-5",
            "open": "KHAN-SETUP-6",
            "draw": "KHAN-SETUP-7" if self.dealing() else "KHAN-HAND-1",
            "turn": "KHAN-CHASE-1" if self.turn.leader is None else "KHAN-ACT-B",
            "act": "KHAN-TURN-1",
            "discard": "KHAN-TURN-1",
            "special": "KHAN-TURN-2" if kind in ACTIONS else "KHAN-TURN-1",
            "conquer": "KHAN-FINAL-1",
        }[due]

    def _judge_by_seat(self, seat: int, kind: str, words: list[str]) -> list[str]:
        match kind:
            case "yurt" | "anywhere":
                return self._judge_free(read_cells(words[0])[0])
            case "invade":
                return self._judge_invasion(seat, read_cells(words[0])[0], words[1])
            case "chase":
                return self._judge_chase(words[0])
            case "conquer":
                return self.judge_conquest(seat, words[0], read_cells(words[1]))
            case "discard":
                return self._judge_held(seat, words[0], "KHAN-ACT-D")
            case "morale" | "protection" | "support" | "explore":
                return self._judge_special(seat, kind, words[0] if words else "")
            case "pass":
                return self._judge_pass(seat)
            case _:
                return []

    # Cards.

    def _judge_face(self, card: str) -> list[str]:
        """Whether this card can be the next of the pile."""
        if card == UNKNOWN:
            return []
        if card in self.discard or card in self.known():
            return ["KHAN-COMP-3"]
        return ["KHAN-DECK-1"] if card in self.apart else []

    def _judge_held(self, seat: int, card: str, rule: str) -> list[str]:
        """Whether this card is or can be in the hand."""
        hand = self.hands[seat]
        if card in hand:
            return []
        if UNKNOWN not in hand:
            return [rule]
        if card in self.discard:
            return ["KHAN-COMP-3"]
        old, since = self.unknown(seat)
        return [] if (old if card in self.apart else since) else ["KHAN-DECK-1"]

    # Yurts and leaders.

    def _judge_free(self, cell: CellXY) -> list[str]:
        return [] if self.is_free(cell) else ["KHAN-FREE-1"]

    def _judge_invasion(self, seat: int, cell: CellXY, card: str) -> list[str]:
        if not self.is_free(cell):
            return ["KHAN-FREE-1"]
        if not self._lets_on(card, cell):
            return ["KHAN-ACT-A"]
        return self._judge_held(seat, card, "KHAN-ACT-A")

    def _lets_on(self, card: str, cell: CellXY) -> bool:
        corners = self.rulings["river-cells"] == "corner"
        return self.printed.allows(card.split(".")[2], cell, corners=corners)

    def _judge_chase(self, leader: str) -> list[str]:
        if self.triggered():
            return ["KHAN-TRIG-3"]
        return [] if leader in self.leaders else ["KHAN-ACT-B"]

    # Conquests.

    def judge_conquest(
        self, seat: int, shape: str, cells: Footprint, *, restricted: bool = True
    ) -> list[str]:
        """The rules that this conquest breaks; unrestricted, as if no special card were in force."""
        fits = self.printed.fits(shape, cells) and not self.covered() & set(cells)
        broken = [] if fits and self.supply(shape) > 0 else ["KHAN-ACT-C"]
        if restricted and self.reserved_by_others(seat, shape):
            broken.append("KHAN-SPEC-E")
        if broken:
            return broken
        if not self._grounded(shape, cells):
            return ["KHAN-TILE-1" if self.printed.shapes[shape].kind == "tile" else "KHAN-BRIDGE-1"]
        if seat not in self.owners_of(cells):
            return ["KHAN-MAJ-1"]
        if not restricted:
            return []
        own, neutral = self.protectors(cells)
        if own - {seat} - set(self.owners_of(cells)):
            broken.append("KHAN-SPEC-P")
        if neutral - {seat} - set(self.owners_of(cells)):
            broken.append("KHAN-SPEC-S")
        if not broken and (shape, cells) in self.refused:
            return ["KHAN-CONSENT-1"]
        return broken

    def _grounded(self, shape: str, cells: Footprint) -> bool:
        """Whether there are yurts and water where they must be (KHAN-TILE-1, KHAN-BRIDGE-1)."""
        water = [cell for cell in cells if cell in self.printed.river]
        land = [cell for cell in cells if cell not in water]
        if any(cell not in self.yurts for cell in land):
            return False
        if self.printed.shapes[shape].kind == "tile":
            return not water
        if self.rulings["bridge-water"] == "exact":
            wet = len(water) == self.printed.shapes[shape].water
        else:
            wet = len(water) >= 1
        return wet and len(groups(land)) >= 2

    def owners_of(self, cells: Footprint) -> tuple[int, ...]:
        """Who has the most yurts here (KHAN-MAJ-1)."""
        counts = {seat: count for seat, count in self.touched(cells).items() if seat is not None}
        return tuple(sorted(seat for seat in counts if counts[seat] == max(counts.values())))

    def consent_needed(self, seat: int, cells: Footprint) -> tuple[int, ...]:
        """Whose consent a conquest needs (KHAN-CONSENT-1)."""
        own, neutral = self.protectors(cells)
        return tuple(sorted((own | neutral) - {seat}))

    def conquests(self, seat: int, *, restricted: bool = True) -> Iterator[tuple[str, Footprint]]:
        """Every legal conquest, by shape, then by footprint."""
        under_pieces = {*self.yurts, *self.printed.river}
        for shape, footprints in self.printed.footprints.items():
            for cells in footprints:
                if under_pieces.issuperset(cells) and not self.judge_conquest(
                    seat, shape, cells, restricted=restricted
                ):
                    yield shape, cells

    def can_conquer(self, seat: int) -> bool:
        """Whether the seat can conquer without anybody's consent."""
        return any(not self.consent_needed(seat, cells) for _, cells in self.conquests(seat))

    def anybody_could_conquer(self) -> bool:
        """Whether some seat could conquer if no special card were in force (AMB-15)."""
        return any(True for seat in range(self.seats) for _ in self.conquests(seat, restricted=False))

    # Special cards and passing.

    def _judge_special(self, seat: int, kind: str, what: str) -> list[str]:
        letter = SPECIAL[kind]
        if not self.specials[seat].get(letter, 0):
            return ["KHAN-SPEC-1"]
        return [f"KHAN-SPEC-{letter}"] if self.special_barred(seat, kind, what) else []

    def special_barred(self, seat: int, kind: str, what: str) -> bool:
        """Whether the seat may not use this card now, though it may hold it."""
        others = [self.active[each] for each in range(self.seats) if each != seat]
        if self.seats == 2 and self.retired == kind:
            return True  # AMB-20
        match kind:
            case "protection":
                return "protection" in others
            case "support" if self.seats == 4:
                return what == "" or f"support.{what}" in others
            case "support":
                return what != "" or "support" in others
            case "explore":
                return self.supply(what) == 0 or self.reserved_by_others(seat, what)
            case _:
                return False

    def _special_moves(self) -> list[str]:
        supports = ["support", *(f"support {region}" for region in REGIONS.values())]
        return ["morale", "protection", *supports, *(f"explore {shape}" for shape in self.printed.shapes)]

    def can_use_special(self, seat: int) -> bool:
        """Whether the seat has a choice in step 4."""
        asked = [(*move.split(), "")[:2] for move in self._special_moves()]
        return any(not self._judge_special(seat, kind, what) for kind, what in asked)

    def _judge_pass(self, seat: int) -> list[str]:
        if self.turn.due == "conquer":
            return ["KHAN-FINAL-2"] if self.can_conquer(seat) else []
        free, hand = self.free_cells(), set(self.hands[seat]) - {UNKNOWN}
        can_invade = any(self._lets_on(card, cell) for card in hand for cell in free)
        can_invade_anywhere = bool(free) and self.turn.left == 2
        able = can_invade or can_invade_anywhere or not self.triggered() or self.can_conquer(seat)
        return ["KHAN-TURN-2"] if able else []

    # Which moves there are.

    def legal(self, actor: int | None) -> list[str]:
        """Every legal move of the awaited actor, in the order of the notation; by trying them all."""
        if actor not in self.awaiting():
            return []
        if self.proposal is not None:
            return list(ANSWERS)
        if actor is None or self.turn.due not in ("act", "conquer"):
            return [move for move in self._candidates() if not self.judge(actor, move)]
        conquests = [f"conquer {shape} {write_cells(cells)}" for shape, cells in self.conquests(actor)]
        passes = [] if self._judge_pass(actor) else ["pass"]
        return [*(self._other_actions(actor) if self.turn.due == "act" else ()), *conquests, *passes]

    def _candidates(self) -> list[str]:
        cells = [cell_name(cell) for cell in self.free_cells()]
        return {
            "first": [f"first {name}" for name in self.names],
            "open": [f"yurt {cell}" for cell in cells],
            "draw": [f"draw {card}" for card in (*self.printed.cards, UNKNOWN)],
            "turn": [f"turn {card}" for card in self.printed.cards],
            "discard": [*(f"discard {card}" for card in self.printed.cards), "done"],
            "special": [*self._special_moves(), "done"],
        }[self.turn.due]

    def _other_actions(self, seat: int) -> Iterator[str]:
        free = self.free_cells()
        for card in self.printed.cards:
            if not self._judge_held(seat, card, "KHAN-ACT-A"):
                yield from (f"invade {cell_name(cell)} {card}" for cell in free if self._lets_on(card, cell))
        if self._wrong_step("anywhere") is None:
            yield from (f"anywhere {cell_name(cell)}" for cell in free)
        yield from (f"chase {leader}" for leader in self.printed.starts if not self._judge_chase(leader))
