"""What the effects of cards, tiles and rewards do in a plain match of Zhanguo."""

from tests.rules.zhanguo.naive_set import OFFICIALS, REGIONS
from tests.rules.zhanguo.naive_table import Frame, Table


def have_effect(table: Table, seat: int, effect: str, here: str = "") -> None:
    """Do at once what needs no choice; put the choices on the stack, the first on top."""
    frames: list[Frame] = []
    for part in effect.split("; ") if effect else ():
        words = [here if word == "here" else word for word in part.split()]
        frames += _instruct(table, seat, words, here)
    table.stack[:0] = frames


def _instruct(table: Table, seat: int, instruction: list[str], here: str) -> list[Frame]:
    player = table.players[seat]
    word, *words = instruction
    match word:
        case "boat":
            return sail(table, seat, int(words[0]))
        case "unrest":
            player.board[words[0]].unrest += 1
        case "tokens":
            for aspect in words[0].split("+"):
                gain(table, seat, aspect, 1)
        case "vp":
            player.vp += int(words[0]) * _count(table, seat, words[1], here)
        case "unlock":
            table.unlock(seat, int(words[0]))
        case "calm-here":
            player.board[here].unrest = max(0, player.board[here].unrest - 1)
        case "calm":
            return [["calm", words[0], "-"]]
        case "recruit":
            types = "+".join(OFFICIALS) if words[0] == "any" else words[0]
            return [["recruit", types, _all(words[1]), words[2]]]
        case "hire":
            return [["hire", _all(words[0]), words[1]]]
        case "place":
            return [["place", words[0], _all(words[1]), words[2]]]
        case "install":
            return [["install", _all(words[0])]]
        case _:
            return [[word, *words]]
    return []


def _all(regions: str) -> str:
    return "+".join(REGIONS) if regions == "any" else regions


def gain(table: Table, seat: int, aspect: str, count: int) -> None:
    """As many tokens as there are (ZHG-UNI-05)."""
    table.players[seat].tokens[aspect] += min(count, table.supply(aspect))


def sail(table: Table, seat: int, spaces: int) -> list[Frame]:
    """Move the boat; returns the frames of the symbols, in route order (ZHG-CRT-21, -22)."""
    player = table.players[seat]
    frames: list[Frame] = []
    for _ in range(spaces):
        if player.boat == table.printed.boat_end:
            break
        player.boat += 1
        if player.boat in table.printed.one:
            frames.append(["symbol"])
        if player.boat in table.printed.two:
            frames += [["symbol"], ["symbol"]]
        if player.boat in table.printed.master:
            frames.append(["master"])
    return frames


def _count(table: Table, seat: int, what: str, here: str) -> int:
    match what:
        case "governor":
            return sum(table.governors(seat, region) for region in REGIONS)
        case "palace":
            return sum(land.palaces[seat] for land in table.lands.values())
        case "wall":
            return sum(seat in section.slots for section in table.walls.values())
        case "soldier_placed":
            return table.placed(seat)
        case "round":
            return table.round
        case "alchemists_there":
            return sum(not card.isdigit() for card in table.players[seat].board[here].cards)
        case _:
            return table.count(seat, what)
