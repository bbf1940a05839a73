"""Qin played the slow and plain way, to check the real rules against.

It shares no code with the real rules, and must not: dictionaries, sets and flood fill only.
The rule ids are those of the rules digest; a move is text, as in a transcript, except that
`deal` names a seat by its number.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

CellXY = tuple[int, int]  # (row, column) from 0
Half = tuple[str, CellXY]  # colour and cell
Province = frozenset[CellXY]
Due = tuple[int, Province | str]  # a pagoda this seat must still put on this province or village

COLOURS = "RYB"
KINDS = ("RR", "YY", "BB", "RY", "RB", "YB")
OF_EACH_KIND = 12
TILES = 72
ALLOTMENT = {2: 24, 3: 19, 4: 15}  # QIN-SETUP-3
UNKNOWN = "?"

# The first value of each is the default.
RULINGS: dict[str, tuple[str, ...]] = {
    "major-conflict": ("illegal", "major-keeps"),
    "join-count": ("sum", "largest"),
    "join-tie": ("lead", "any"),
    "singles": ("nobody", "mover"),
    "last-pagoda": ("staged", "settled"),
    "stuck": ("pass", "end"),
    "fair-start": ("off", "redeal-all"),
    "hands": ("hidden", "open"),
    "piles": ("4", "1", "2", "3", "5", "6"),
}

PLACEMENT = re.compile(r"([RYB])([a-z])([1-9][0-9]?)([RYB])([a-z])([1-9][0-9]?)")
DEAL = re.compile(r"deal ([0-9]+)((?: (?:\?|[RYB]{2}))*)")
DRAW = re.compile(r"draw (\?|[RYB]{2})(?: from ([0-9]+))?")


def kind_of(first: str, second: str) -> str:
    """The kind of tile that has these two colours, in whichever order."""
    return "".join(sorted((first, second), key=COLOURS.index))


def read_tile(word: str) -> str:
    """`BR` is read as `RB`, and `?` as itself."""
    return word if word == UNKNOWN else kind_of(word[0], word[1])


def read_placement(move: str) -> list[Half] | None:
    """The two halves as written, or None if this is no placement."""
    found = PLACEMENT.fullmatch(move)
    if found is None:
        return None
    x, x_column, x_row, y, y_column, y_row = found.groups()
    return [
        (x, (int(x_row) - 1, ord(x_column) - ord("a"))),
        (y, (int(y_row) - 1, ord(y_column) - ord("a"))),
    ]


def write_placement(halves: Sequence[Half]) -> str:
    """Canonical: the half nearer the top, then the left, comes first."""
    in_order = sorted(halves, key=lambda half: half[1])
    return "".join(f"{colour}{chr(ord('a') + col)}{row + 1}" for colour, (row, col) in in_order)


def sides(cell: CellXY) -> list[CellXY]:
    """The four cells that share a side with this one, on the board or not."""
    row, col = cell
    return [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]


def corners(cell: CellXY) -> list[CellXY]:
    """The four cells that share only a corner with this one, on the board or not."""
    row, col = cell
    return [(row - 1, col - 1), (row - 1, col + 1), (row + 1, col - 1), (row + 1, col + 1)]


def flood(colours: Mapping[CellXY, str], start: CellXY) -> Province:
    """Every cell reached from `start` over cells of its colour."""
    reached = {start}
    todo = [start]
    while todo:
        for beside in sides(todo.pop()):
            if beside not in reached and colours.get(beside) == colours[start]:
                reached.add(beside)
                todo.append(beside)
    return frozenset(reached)


def is_major(province: Province) -> bool:
    """QIN-MAJOR-1."""
    return len(province) >= 5


class Naive:
    """One match, from its start or from a position a test has set."""

    def __init__(
        self,
        map_text: str,
        seats: int,
        *,
        recorded: bool = False,
        rulings: Mapping[str, str] | None = None,
    ) -> None:
        self.seats = seats
        self.recorded = recorded
        self.rulings = {name: values[0] for name, values in RULINGS.items()}
        for name, value in (rulings or {}).items():
            if value not in RULINGS.get(name, ()):
                raise ValueError(f"no such ruling: {name}={value}")
            self.rulings[name] = value

        self.steppe: set[CellXY] = set()
        self.village_cells: dict[str, set[CellXY]] = {}
        self.colours: dict[CellXY, str] = {}
        for row, line in enumerate(map_text.split("/")):
            for col, char in enumerate(line):
                if char == ".":
                    self.steppe.add((row, col))
                elif char in COLOURS:
                    self.colours[row, col] = char
                elif "a" <= char <= "z":
                    self.village_cells.setdefault(char, set()).add((row, col))
                elif char != "~":
                    raise ValueError(f"no such terrain: {char!r}")

        self.owners: dict[Province, tuple[int, int]] = {}
        self.villages: dict[str, int | None] = dict.fromkeys(sorted(self.village_cells))
        self.supplies = [ALLOTMENT[seats]] * seats
        self.placed = dict.fromkeys(KINDS, 0)
        self.passes = 0
        self.reason: str | None = None
        self.winners: list[int] = []
        self.named_draws: Counter[int] = Counter()  # pile -> draws that named it
        self.hands: list[list[str]]
        self.turn: tuple[str, int | None]
        if recorded:
            self.hands = [[] for _ in range(seats)]
            self.turn = ("deal", None)
        else:
            self.hands = [[UNKNOWN] * 3 for _ in range(seats)]
            self.turn = ("place", 0)
            self._end_if_stuck(0)

    def set_position(  # noqa: PLR0913 (a position has that many parts)
        self,
        *,
        seat: int = 0,
        owners: Mapping[CellXY, int] | None = None,
        villages: Mapping[str, int] | None = None,
        supplies: Mapping[int, int] | None = None,
        hands: Sequence[Sequence[str]] | None = None,
        placed: Mapping[str, int] | None = None,
        colours: Mapping[CellXY, str] | None = None,
        passes: int = 0,
    ) -> None:
        """Go on from here, with `seat` to place; whether the match should be over is not asked.

        `owners` names any one cell of each province; its pagodas are those its size asks for.
        A supply not given is the allotment less the pagodas on the board, and a hand not given
        is three unknown tiles. `colours` are further territories, beside those of the map.
        """
        self.colours.update(colours or {})
        self.owners = {}
        for cell, owner in (owners or {}).items():
            province = flood(self.colours, cell)
            self.owners[province] = (owner, 2 if is_major(province) else 1)
        self.villages = {name: (villages or {}).get(name) for name in sorted(self.village_cells)}
        self.supplies = [
            (supplies or {}).get(each, ALLOTMENT[self.seats] - self.on_board(each))
            for each in range(self.seats)
        ]
        self.hands = [list(hand) for hand in hands or [[UNKNOWN] * 3] * self.seats]
        self.placed = {kind: (placed or {}).get(kind, 0) for kind in KINDS}
        self.passes = passes
        self.turn, self.reason, self.winners = ("place", seat), None, []

    # Counting.

    def on_board(self, seat: int) -> int:
        """The seat's pagodas that stand on provinces and villages."""
        on_provinces = sum(pagodas for owner, pagodas in self.owners.values() if owner == seat)
        return on_provinces + list(self.villages.values()).count(seat)

    def stock(self) -> int:
        """How many tiles are neither placed nor held."""
        return TILES - sum(self.placed.values()) - sum(len(hand) for hand in self.hands)

    def unseen(self, kind: str) -> int:
        """How many tiles of this kind are neither placed nor known to be held."""
        return OF_EACH_KIND - self.placed[kind] - sum(hand.count(kind) for hand in self.hands)

    def _known_kinds(self, seat: int) -> set[str]:
        return set(self.hands[seat]) - {UNKNOWN}

    def _possible_kinds(self, seat: int) -> set[str]:
        kinds = self._known_kinds(seat)
        if UNKNOWN in self.hands[seat]:
            kinds |= {kind for kind in KINDS if self.unseen(kind) > 0}
        return kinds

    def _playable_kinds(self, seat: int) -> set[str]:
        """What a seat may hold by what it can see itself."""
        if UNKNOWN in self.hands[seat] and self.rulings["hands"] != "open":
            return {kind for kind in KINDS if self.placed[kind] < OF_EACH_KIND}
        return self._possible_kinds(seat)

    # Judging.

    def judge(self, actor: int | None, move: str) -> list[str]:
        """The rules this move breaks; none if it is legal. Text that is no move is a ValueError."""
        halves, deal, draw = read_placement(move), DEAL.fullmatch(move), DRAW.fullmatch(move)
        if not (halves or deal or draw or move in ("pass", "end")):
            raise ValueError(f"unreadable: {move!r}")

        due, seat = self.turn
        if due == "over":
            return ["QIN-TURN-1"]
        if due in ("deal", "draw"):
            if actor is not None or not (deal or draw):
                return ["QIN-TURN-1"]
            if due == "deal":
                return self._judge_deal(deal) if deal else ["QIN-SETUP-2"]
            return self._judge_draw(draw) if draw else ["QIN-DRAW-1"]
        if actor is None or actor != seat or deal or draw:
            return ["QIN-TURN-1"]
        if halves:
            return self._judge_placement(actor, halves)
        return self._judge_pass(actor) if move == "pass" else self._judge_end(actor)

    def _judge_placement(self, seat: int, halves: list[Half]) -> list[str]:
        broken = self._judge_geometry([cell for _, cell in halves])
        if broken:
            return broken
        broken = self._judge_joining(seat, halves)
        if broken:
            return broken
        kind = kind_of(halves[0][0], halves[1][0])
        return [] if kind in self._playable_kinds(seat) else ["QIN-TURN-1"]

    def _judge_geometry(self, cells: list[CellXY]) -> list[str]:
        broken = []
        if any(cell not in self.steppe or cell in self.colours for cell in cells):
            broken.append("QIN-PLACE-1")
        if cells[1] not in sides(cells[0]):
            broken.append("QIN-PLACE-2")
        if not any(beside in self.colours for cell in cells for beside in sides(cell)):
            broken.append("QIN-PLACE-3")
            if any(beside in self.colours for cell in cells for beside in corners(cell)):
                broken.append("QIN-PLACE-4")
            village_cells = set().union(*self.village_cells.values())
            if any(beside in village_cells for cell in cells for beside in sides(cell)):
                broken.append("QIN-PLACE-5")
        return broken

    def _judge_joining(self, seat: int, halves: list[Half]) -> list[str]:
        broken = set()
        for group in self._groups_with(halves):
            former = self._former_provinces(group)
            if len(former) < 2:
                continue
            counts = self._join_counts(seat, group, halves)
            most = max(counts.values())
            leaders = [each for each in counts if counts[each] == most]
            majors = [province for province in former if is_major(province)]
            if len(majors) >= 2:
                broken.add("QIN-ABSORB-5")
                continue
            rivals = list(counts.values())  # the counts in which a tie matters
            if len(majors) == 1:
                keeper = self.owners[majors[0]][0]
                if leaders != [keeper] and self.rulings["major-conflict"] == "illegal":
                    broken.add("QIN-ABSORB-6")
                    continue
                rivals = [count for each, count in counts.items() if each != keeper]
            if self.rulings["join-tie"] == "any":
                tied = len(set(rivals)) < len(rivals)
            else:
                tied = not majors and len(leaders) >= 2
            if tied:
                broken.add("QIN-ABSORB-4")
        return sorted(broken)

    def _judge_pass(self, seat: int) -> list[str]:
        if self.rulings["stuck"] == "end":
            return ["QIN-TURN-2"]
        if self.passes == self.seats:
            return ["QIN-END-3"]
        return ["QIN-TURN-2"] if self._can_place(seat, self._known_kinds(seat)) else []

    def _judge_end(self, seat: int) -> list[str]:
        if self.rulings["stuck"] == "end":
            return ["QIN-END-3"] if self._can_place(seat, self._known_kinds(seat)) else []
        return ["QIN-END-3"] if self.recorded and self.passes < self.seats else []

    def _judge_deal(self, deal: re.Match[str]) -> list[str]:
        seat, tiles = int(deal[1]), [read_tile(word) for word in deal[2].split()]
        if seat >= self.seats or self.hands[seat] or len(tiles) != 3:
            return ["QIN-SETUP-2"]
        broken = []
        if any(tiles.count(kind) > self.unseen(kind) for kind in KINDS):
            broken.append("QIN-COMP-1")
        all_two_coloured = all(tile in ("RY", "RB", "YB") for tile in tiles)
        if self.rulings["fair-start"] == "redeal-all" and all_two_coloured:
            broken.append("QIN-SETUP-4")
        return broken

    def _judge_draw(self, draw: re.Match[str]) -> list[str]:
        tile = read_tile(draw[1])
        broken = []
        if tile != UNKNOWN and self.unseen(tile) <= 0:
            broken.append("QIN-COMP-1")
        if draw[2] is not None:
            pile, piles = int(draw[2]), int(self.rulings["piles"])
            height, taller = divmod(TILES - 3 * self.seats, piles)
            if pile <= taller:
                height += 1
            if not 1 <= pile <= piles or self.named_draws[pile] >= height:
                broken.append("QIN-DRAW-1")
        return broken

    # Groups and who gets them.

    def _groups_with(self, halves: list[Half]) -> list[Province]:
        """The one or two groups that the halves are in, once they lie on the board."""
        after = self.colours | {cell: colour for colour, cell in halves}
        groups = {flood(after, cell) for _, cell in halves}
        return sorted(groups, key=lambda group: COLOURS.index(after[min(group)]))

    def _former_provinces(self, group: Province) -> list[Province]:
        return [province for province in self.owners if province <= group]

    def _join_counts(self, seat: int, group: Province, halves: list[Half]) -> dict[int, int]:
        """What each seat in the group counts for it (QIN-ABSORB-2, -3); no seat counts zero."""
        sizes: dict[int, list[int]] = {}
        singles = set(group) - {cell for _, cell in halves}
        for province in self._former_provinces(group):
            sizes.setdefault(self.owners[province][0], []).append(len(province))
            singles -= province
        if self.rulings["singles"] == "mover" and singles:
            sizes.setdefault(seat, []).extend([1] * len(singles))
        count = max if self.rulings["join-count"] == "largest" else sum
        return {each: count(sizes[each]) for each in sizes}

    def _new_owner(self, seat: int, group: Province, halves: list[Half]) -> int:
        """Who owns the group after this legal placement."""
        former = self._former_provinces(group)
        if not former:
            return seat  # QIN-FOUND-1
        if len(former) == 1:
            return self.owners[former[0]][0]  # QIN-EXPAND-1
        for province in former:
            if is_major(province):
                return self.owners[province][0]  # QIN-ABSORB-6
        counts = self._join_counts(seat, group, halves)
        return max(counts, key=lambda each: counts[each])  # QIN-ABSORB-2

    # Which placements there are.

    def legal(self) -> list[str]:
        """Every legal placement of the seat to act, by trying them all, in board order."""
        due, seat = self.turn
        if due != "place" or seat is None:
            return []
        return list(self._placements(seat, self._playable_kinds(seat)))

    def _placements(self, seat: int, kinds: set[str]) -> Iterator[str]:
        for first in sorted(self.steppe):
            for second in sides(first)[2:]:  # right and below, so that each pair is met once
                if self._judge_geometry([first, second]):
                    continue
                for x, y in product(COLOURS, COLOURS):
                    halves = [(x, first), (y, second)]
                    if kind_of(x, y) in kinds and not self._judge_joining(seat, halves):
                        yield write_placement(halves)

    def _can_place(self, seat: int, kinds: set[str]) -> bool:
        return any(True for _ in self._placements(seat, kinds))

    # Playing.

    def play(self, actor: int | None, move: str) -> None:
        """Carry out a legal move."""
        broken = self.judge(actor, move)
        assert broken == [], f"{actor} {move}: {broken}"
        seat = self.turn[1]
        if deal := DEAL.fullmatch(move):
            self.hands[int(deal[1])] = [read_tile(word) for word in deal[2].split()]
            if all(self.hands):
                self._give_turn_to(0)
            return
        assert seat is not None
        if draw := DRAW.fullmatch(move):
            self.hands[seat].append(read_tile(draw[1]))
            if draw[2] is not None:
                self.named_draws[int(draw[2])] += 1
            self._give_turn_to((seat + 1) % self.seats)
        elif move == "pass":
            self.passes += 1
            self.turn = ("place", (seat + 1) % self.seats)
        elif move == "end":
            self._end_by_count()
        elif halves := read_placement(move):
            self._place(seat, halves)

    def _place(self, seat: int, halves: list[Half]) -> None:
        self.passes = 0
        kind = kind_of(halves[0][0], halves[1][0])
        self.hands[seat].remove(kind if kind in self.hands[seat] else UNKNOWN)
        self.placed[kind] += 1
        for hand in self.hands:
            while hand.count(kind) > OF_EACH_KIND - self.placed[kind]:
                hand[hand.index(kind)] = UNKNOWN
        self._resolve(seat, halves)
        if self.turn[0] == "over":
            return  # nothing is drawn after the ending placement (QIN-END-5)
        if self.stock() > 0 and self.recorded:
            self.turn = ("draw", seat)
            return
        if self.stock() > 0:
            self.hands[seat].append(UNKNOWN)
        self._give_turn_to((seat + 1) % self.seats)

    def _resolve(self, seat: int, halves: list[Half]) -> None:
        dues = self._change_provinces(seat, halves)
        if self.rulings["last-pagoda"] == "staged":
            self._put_pagodas(seat, dues)
            if self.turn[0] == "over":
                return  # the villages are left as they were
            dues = []
        dues = dues + self._change_villages()
        self._put_pagodas(seat, dues)

    def _change_provinces(self, seat: int, halves: list[Half]) -> list[Due]:
        """Lay the tile, decide the provinces, take pagodas back; answers those to be put."""
        dues: list[Due] = []
        after: dict[Province, tuple[int, int]] = dict(self.owners)
        for group in self._groups_with(halves):
            if len(group) < 2:
                continue
            owner = self._new_owner(seat, group, halves)
            wanted = 2 if is_major(group) else 1
            standing = 0
            for province in self._former_provinces(group):
                former_owner, pagodas = after.pop(province)
                if former_owner == owner:
                    standing += pagodas
                else:
                    self.supplies[former_owner] += pagodas
            surplus = max(standing - wanted, 0)  # the owner's own are used first (QIN-ABSORB-7)
            self.supplies[owner] += surplus
            after[group] = (owner, standing - surplus)
            dues += [(owner, group)] * max(wanted - standing, 0)
        self.owners = after
        for colour, cell in halves:
            self.colours[cell] = colour
        return dues

    def _change_villages(self) -> list[Due]:
        """Decide the villages, take pagodas back; answers those to be put."""
        dues: list[Due] = []
        for name in sorted(self.villages):
            strengths: Counter[int] = Counter()  # QIN-VIL-2
            for province, (owner, _) in self.owners.items():
                if any(beside in province for c in self.village_cells[name] for beside in sides(c)):
                    strengths[owner] += 2 if is_major(province) else 1
            most = max(strengths.values(), default=0)
            leaders = [each for each in strengths if strengths[each] == most]
            holder = self.villages[name]
            if len(leaders) != 1 or leaders == [holder]:
                continue  # QIN-VIL-5
            if holder is not None:
                self.supplies[holder] += 1
                self.villages[name] = None
            dues.append((leaders[0], name))
        return dues

    def _put_pagodas(self, active: int, dues: list[Due]) -> None:
        """One at a time, the active seat first, then clockwise; an empty supply ends the match."""
        for step in range(self.seats):
            seat = (active + step) % self.seats
            for owner, place in dues:
                if owner != seat:
                    continue
                self.supplies[seat] -= 1
                if isinstance(place, str):
                    self.villages[place] = seat
                else:
                    self.owners[place] = (seat, self.owners[place][1] + 1)
                if self.supplies[seat] == 0:
                    self._end("last-pagoda", [seat])  # QIN-END-1
                    return

    # The turn and the end.

    def _give_turn_to(self, seat: int) -> None:
        self.turn = ("place", seat)
        self._end_if_stuck(seat)

    def _end_if_stuck(self, seat: int) -> None:
        """QIN-END-3, with `seat` to act."""
        asked = [seat] if self.rulings["stuck"] == "end" else list(range(self.seats))
        if not any(self._can_place(each, self._possible_kinds(each)) for each in asked):
            self._end_by_count()

    def _end_by_count(self) -> None:
        """QIN-END-4."""
        scores = [self.on_board(each) for each in range(self.seats)]
        winners = [each for each in range(self.seats) if scores[each] == max(scores)]
        self._end("no-placement", winners)

    def _end(self, reason: str, winners: list[int]) -> None:
        self.turn, self.reason, self.winners = ("over", None), reason, winners
