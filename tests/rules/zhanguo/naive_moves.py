"""What each move of a plain match of Zhanguo does, before anything follows of itself."""

from tests.rules.zhanguo.naive_course import (
    end_soldiers,
    give_tokens_back,
    next_draw,
    next_pay,
    next_return,
    pass_offer,
)
from tests.rules.zhanguo.naive_deal import deal
from tests.rules.zhanguo.naive_effects import gain, have_effect, sail
from tests.rules.zhanguo.naive_judge import due_aspect, read_words
from tests.rules.zhanguo.naive_rewards import reward_of_row
from tests.rules.zhanguo.naive_rival import deal_to_rival, play_card, reveal
from tests.rules.zhanguo.naive_set import (
    ASPECTS,
    BONUS,
    KINDS,
    LARGE,
    LETTERS,
    LOW,
    OFFICIALS,
    SECTIONS,
    SMALL,
)
from tests.rules.zhanguo.naive_table import Player, Table, kind_of


def carry_out(table: Table, move: str) -> None:
    """Carry out a legal move of the actor who is awaited."""
    kind, words = read_words(move)
    match kind:
        case "first":
            first = [player.name for player in table.players].index(words[0])
            table.track = [(first + step) % table.seats for step in range(table.seats)]
            table.stack = [["deal"]]
        case "deal":
            if table.top == ["deal"]:
                deal(table, words[0])
            else:
                deal_to_rival(table, words[0])
        case "draw":
            _draw(table, words[0])
        case "reveal":
            reveal(table, int(words[0]))
        case "card":
            play_card(table, words[0])
        case "soldier" if table.top == ["rival-soldier"]:
            assert table.rival is not None
            table.stack.pop(0)
            table.place_soldier(table.rival, words[0])
        case _:
            _by_seat(table, table.base_seat(), kind, words)


def _draw(table: Table, card: str) -> None:
    seat = table.base_seat()
    letter = LETTERS[due_aspect(table)]
    table.players[seat].hand.append(letter + "?" if card == "?" else card)
    next_draw(table, seat)


def _by_seat(table: Table, seat: int, kind: str, words: list[str]) -> None:
    player = table.players[seat]
    match kind:
        case "start":
            del table.start[seat]
            player.board["chu"].officials["general"] += 1
            have_effect(table, seat, table.printed.start[words[0]])
        case "unify" | "court" | "forfeit":
            _play_card(table, seat, kind, words)
        case "recruit":
            _recruit(table, seat, words[0], words[1])
        case "search":
            _begin_step(table, seat, "elixir")
            table.stack[:0] = sail(table, seat, 3)
        case "install":
            _install(table, seat, words[0], words[1])
        case "hire":
            _hire(table, seat, words[0])
        case "palace":
            _build_palace(table, seat, words)
        case "wall":
            _build_wall(table, seat, words)
        case "activate":
            _activate(table, seat, words[0])
        case "accept":
            row = table.top[2]
            give_tokens_back(table, seat, int(row))
            table.set_base("reward", seat, row)
            have_effect(table, seat, reward_of_row(table, int(row)))
        case "pass":
            pass_offer(table)
        case "pay" | "return":
            _give_tokens(table, seat, kind, words[0])
        case "done":
            _end(table, seat)
        case _:
            _choose(table, seat, kind, words)


# Cards.


def _play_card(table: Table, seat: int, kind: str, words: list[str]) -> None:
    player, card = table.players[seat], words[0]
    unknown = LETTERS[kind_of(card)] + "?"
    player.hand.remove(card if card in player.hand else unknown)
    for other in table.players:  # the card was here, so it is not where the record had it
        other.hand = [unknown if held == card else held for held in other.hand]
    if kind == "court":
        table.court.append(card)
        table.set_base("act", seat)
        return
    if kind == "unify":
        column = player.board[words[1]]
        position = table.position_of_next(seat, words[1])
        column.cards.append(card)
        gain(table, seat, kind_of(card), position)
        column.unrest += position - 1
    else:
        table.court.append(card)
    table.set_base("soldiers", seat, "turn")


def _begin_step(table: Table, seat: int, action: str) -> None:
    """The activation step comes beneath what the action still needs."""
    test = True
    if len(table.court) > 1:
        covered, played = int(table.court[-2]), int(table.court[-1])
        test = played < covered if action in LOW else played > covered
    table.set_base("step", seat, action, "yes" if test else "no", "-")


def _activate(table: Table, seat: int, card: str) -> None:
    used = table.top[4]
    table.top[4] = card if used == "-" else f"{used}+{card}"
    region = table.region_of(seat, card)
    assert region is not None
    have_effect(table, seat, table.printed.ability[card], region)


# Court actions and their free versions.


def _recruit(table: Table, seat: int, official: str, region: str) -> None:
    officials = table.players[seat].board[region].officials
    if table.top[0] == "act":
        officials[official] += 1
        _begin_step(table, seat, "recruit")
        return
    _, types, _, number = table.stack.pop(0)
    if "+" not in types:
        officials[official] += min(int(number), table.reserve(seat, official))
        return
    officials[official] += 1
    if int(number) > 1:
        table.stack.insert(0, ["recruit", types, region, str(int(number) - 1)])


def _install(table: Table, seat: int, region: str, space: str) -> None:
    column, land = table.players[seat].board[region], table.lands[region]
    if table.top[0] == "act":
        for official in OFFICIALS:
            column.officials[official] -= 1
        _begin_step(table, seat, "governor")
    else:
        table.stack.pop(0)
    column.unrest = 0
    if space == "area":
        land.area[seat] += 1
        return
    number = int(space) - 1
    land.spaces[number] = seat
    have_effect(table, seat, BONUS[land.governor_tiles[number // 2]][number % 2], region)


def _hire(table: Table, seat: int, region: str) -> None:
    column = table.players[seat].board[region]
    if table.top[0] == "act":
        column.workers += 2
        column.unrest += 1
        _begin_step(table, seat, "hire")
    else:
        column.workers += int(table.stack.pop(0)[2])


def _build_palace(table: Table, seat: int, words: list[str]) -> None:
    player, region = table.players[seat], words[0]
    if table.top[0] == "act":
        player.board[region].workers -= 2
        player.board[words[1]].workers -= 1
        _begin_step(table, seat, "palace")
        table.stack[:0] = [["tile", region], ["large"]]
    else:
        table.stack[:1] = [["tile", region]]
    table.lands[region].palaces[seat] += 1
    player.vp += 6


def _build_wall(table: Table, seat: int, words: list[str]) -> None:
    player, section, slot = table.players[seat], words[0], int(words[1])
    if table.top[0] == "act":
        for region in words[2].split("+"):
            player.board[region].workers -= 1
        _begin_step(table, seat, "wall")
    else:
        table.stack.pop(0)
    whole_site = table.settings["emperor-claim"] == "site"
    rivals = [each for each in SECTIONS if each == section or (whole_site and each[0] == section[0])]
    first = all(taken is None for each in rivals for taken in table.walls[each].slots)
    table.walls[section].slots[slot - 1] = seat
    pile = table.piles[section[0]]
    if first and pile and any(card not in player.emperors for card in table.cards(seat)):
        table.stack.insert(0, ["emperor", pile.pop(0)])


# Choices.


def _choose(table: Table, seat: int, kind: str, words: list[str]) -> None:
    player = table.players[seat]
    frame = table.top
    if frame[0] not in ("step", "soldiers"):
        table.stack.pop(0)
    match kind:
        case "unlock":
            table.unlock(seat)
        case "place":
            player.aside.remove(words[0])
            player.board[words[1]].cards.append(words[0])
            if frame[0] == "place":
                _again(table, frame, frame[2], "may")
        case "master":
            table.masters.remove(words[0])
            player.aside = sorted([*player.aside, words[0]])
        case "move":
            player.board[words[1]].officials[words[0]] -= 1
            player.board[words[2]].officials[words[0]] += 1
            if frame[0] == "step":
                table.set_base("soldiers", seat, "turn")
            else:
                _again(table, frame)
        case "move worker":
            player.board[words[0]].workers -= 1
            player.board[words[1]].workers += 1
            _again(table, frame, frame[2])
        case "calm":
            player.board[words[0]].unrest -= 1
            _again(table, frame, words[0] if frame[2] == "-" else f"{frame[2]}+{words[0]}")
        case "reset":
            player.board[words[0]].unrest = 0
            _again(table, frame)
        case "take":
            player.tokens[words[0]] += 1
            _again(table, frame)
        case "tile":
            _take_tile(table, player, frame[1], words[0])
        case "large":
            player.large.append(words[0])
        case "emperor":
            player.emperors[words[0]] = frame[1]
        case _:
            assert kind == "soldier"
            table.place_soldier(seat, words[0])


def _again(table: Table, frame: list[str], *fields: str) -> None:
    """The same choice once more, if it may be made several times."""
    if int(frame[1]) > 1:
        table.stack.insert(0, [frame[0], str(int(frame[1]) - 1), *fields])


def _take_tile(table: Table, player: Player, region: str, kind: str) -> None:
    table.lands[region].tiles.remove(LETTERS[kind])
    column = player.board[region]
    if kind == KINDS["u"]:
        column.unrest += 1
        player.vp += 2 * len(column.cards)
    else:
        player.vp += 3 * sum(kind_of(card) == kind for card in column.cards)


# Tokens, ends.


def _give_tokens(table: Table, seat: int, kind: str, tokens: str) -> None:
    player = table.players[seat]
    for token in tokens:
        if token in SMALL:
            player.tokens[ASPECTS[SMALL.index(token)]] -= 1
        else:
            player.large.remove(ASPECTS[LARGE.index(token)])
    if kind == "pay":
        table.unlock(seat)
        table.set_base("pay", seat, str(int(table.top[2]) + 1))
    else:
        next_return(table, seat)


def _end(table: Table, seat: int) -> None:
    frame = table.top
    if frame[0] == "step":
        table.set_base("soldiers", seat, "turn")
    elif frame[0] == "soldiers":
        end_soldiers(table)
    elif frame[0] == "pay":
        if int(frame[2]):
            table.set_base("soldiers", seat, "pay")
        else:
            next_pay(table, seat)
    else:
        table.stack.pop(0)
