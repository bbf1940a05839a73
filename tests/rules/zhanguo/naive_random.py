"""Crowded positions of Zhanguo by chance: full regions, restless boards, last pieces, boats near the end."""

import random

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_course import SIX, begin_row
from tests.rules.zhanguo.naive_effects import have_effect
from tests.rules.zhanguo.naive_printed import REFERENCE, Printed
from tests.rules.zhanguo.naive_random_board import lay_board, lay_main_board
from tests.rules.zhanguo.naive_set import (
    ACTIONS,
    ASPECTS,
    BONUS,
    LOW,
    NUMBERS,
    REGIONS,
)
from tests.rules.zhanguo.naive_table import OPTIONS, RIVAL, RULINGS
from tests.rules.zhanguo.naive_tables import NAMES

PHASES = ("play", "play", "act", "step", "step", "soldiers", "rewards", "pay", "return")


def random_table(chance: random.Random, printed: Printed = REFERENCE) -> Naive:
    """A match somewhere in its course, in which nothing is about to happen of itself."""
    match = unsettled_table(chance, printed)
    match.settle()
    return match


def late_rival_table(chance: random.Random, printed: Printed = REFERENCE) -> Naive:
    """Li Si acts or pays next late in a match, with hardly a piece or a condition left."""
    match = _set_up(chance, chance.choice(OPTIONS["rival"][1:]), printed)
    phase = chance.choice(("reveal", "reveal", "pay"))
    _lay(chance, match, phase, chance.randint(4, 5))
    if phase == "pay":
        human = match.players[match.human()]
        match.track.sort(key=lambda seat: seat == match.rival)
        match.stack = [["pay", str(match.human() + 1), "1"]]
        human.locked, human.entrance = human.locked + human.entrance - 1, 1
        human.tokens["laws"] = max(human.tokens["laws"], 3)
        for player in match.players:
            player.tokens["laws"] = min(player.tokens["laws"], 4)
    match.settle()
    return match


def unsettled_table(chance: random.Random, printed: Printed = REFERENCE) -> Naive:
    """A match somewhere in its course, in which something may be about to happen of itself."""
    match = _set_up(chance, chance.choice(("none", chance.choice(OPTIONS["rival"]))), printed)
    phase = chance.choice(PHASES)
    if match.rival is not None and chance.randrange(3) == 0:
        phase = "reveal"
    return _lay(chance, match, phase, chance.randint(1, 5))


def _lay(chance: random.Random, match: Naive, phase: str, number: int) -> Naive:
    match.round = number
    match.track = chance.sample(range(match.seats), match.seats)
    seat = chance.choice([each for each in match.track if each != match.rival])
    left = _hand_sizes(chance, match, seat, phase)
    _lay_cards(chance, match, left, phase)
    for each in range(match.seats):
        lay_board(chance, match, each)
    lay_main_board(chance, match, late=number > 3 and phase in ("reveal", "pay"))
    _lay_tokens(chance, match, phase)
    _set_frames(chance, match, seat, phase)
    return match


def _set_up(chance: random.Random, rival: str, printed: Printed) -> Naive:
    settings = {name: chance.choice(values) for name, values in (OPTIONS | RULINGS).items()}
    settings["rival"] = rival
    names = list(NAMES[: chance.randint(2, 4)])
    if rival != "none":
        names = chance.sample([NAMES[0], RIVAL], 2)
    match = Naive(names, settings, recorded=chance.random() < 0.5, printed=printed)
    while match.top[0] in ("first", "deal"):
        match.play(None, chance.choice(match.legal(None)))
    match.start = {}
    return match


def _hand_sizes(chance: random.Random, match: Naive, seat: int, phase: str) -> dict[int, int]:
    """How many cards each seat has left; those before the one that plays have had one turn more."""
    humans = [each for each in match.track if each != match.rival]
    if phase in ("rewards", "pay", "return"):
        return dict.fromkeys(humans, 0)
    most = chance.randint(1, 6 if match.round > 1 else 5)
    before = humans[: humans.index(seat)]
    sizes = {each: most - 1 if each in before else most for each in humans}
    if phase in ("act", "step", "soldiers") or (phase == "reveal" and match.track[0] == seat):
        sizes[seat] -= 1
    return sizes


def _lay_cards(chance: random.Random, match: Naive, left: dict[int, int], phase: str) -> None:
    """Every human has drawn two of each aspect a round, and has played all but the hand."""
    numbers = {letter: chance.sample(NUMBERS[40 * n : 40 * n + 40], 40) for n, letter in enumerate("wcl")}
    to_court = chance.random()
    for seat, size in left.items():
        player = match.players[seat]
        in_hand = chance.sample(SIX, size)
        for letter in SIX:
            for _ in range(match.round):
                card = numbers[letter].pop()
                if letter in in_hand and match.round:
                    in_hand.remove(letter)
                    known = match.recorded and chance.randrange(4)
                    player.hand.append(card if known else letter + "?")
                    continue
                column = player.board[chance.choice(REGIONS)]
                if len(column.cards) < 3 and chance.random() > to_court:
                    column.cards.append(card)
                else:
                    match.court.append(card)
    if match.rival is not None:
        _lay_rival_cards(chance, match, left, phase, numbers)
    chance.shuffle(match.court)


def _lay_rival_cards(
    chance: random.Random,
    match: Naive,
    left: dict[int, int],
    phase: str,
    numbers: dict[str, list[str]],
) -> None:
    """Li Si's Action cards and Unification cards up to his turn."""
    assert match.rival is not None
    human_turns = 6 - left[match.human()]
    if phase in ("act", "step", "soldiers"):
        human_turns -= 1
    first = match.track[0] == match.rival
    turns = human_turns + first if phase != "reveal" else human_turns - (not first)
    if phase in ("rewards", "pay", "return"):
        turns = 6
    early = match.round == 1
    removed = [card for card in match.printed.one_shot if chance.randrange(2) and not early]
    left_over = [card for card in match.actions if card not in removed]
    chance.shuffle(left_over)
    played = left_over[:turns]
    match.actions = sorted(left_over[turns:])
    match.discarded = sorted(card for card in played if card not in match.printed.one_shot)
    board = match.players[match.rival].board
    for number in range(1, match.round + 1):
        now = number == match.round
        deck = list(SIX)
        for _ in range(sum(card <= 5 for card in played) if now else chance.randint(1, 3)):
            letter = chance.choice(deck)
            deck.remove(letter)
            room = [region for region in REGIONS[:number] if len(board[region].cards) < 3]
            card_number = numbers[letter].pop()
            if room:
                board[room[0]].cards.append(card_number)
            else:
                match.court.append(card_number)
        match.deck = deck


def _lay_tokens(chance: random.Random, match: Naive, phase: str) -> None:
    """Before the first turn of a round nobody has large tokens or more than five."""
    untouched = all(len(player.hand) == 6 for seat, player in enumerate(match.players) if seat != match.rival)
    for aspect in ASPECTS:
        for seat in chance.sample(range(match.seats), match.seats):
            most = 1 if untouched else chance.choice((1, 2, 3, 9))
            match.players[seat].tokens[aspect] = chance.randint(0, min(most, match.supply(aspect)))
        builders = [seat for seat in range(match.seats) if match.palaces_left(seat) < 6]
        if builders and chance.randrange(2) and phase != "return" and not untouched:
            match.players[chance.choice((builders[0], chance.choice(builders)))].large.append(aspect)


def _set_frames(chance: random.Random, match: Naive, seat: int, phase: str) -> None:
    name = str(seat + 1)
    match phase:
        case "play" | "act":
            match.stack = [[phase, name]]
        case "soldiers":
            match.stack = [[phase, name, "turn"]]
        case "reveal":
            match.stack = [[phase]]
        case "rewards":
            match.stack = [["offer", name, "1"]]
            begin_row(match, 1)
        case "pay":
            match.stack = [[phase, str(match.track[0] + 1), "0"]]
        case "return":
            match.stack = [[phase, str(match.track[0] + 1)]]
        case _:
            _set_step(chance, match, seat)
    if phase == "act" and not match.court:
        match.stack = [["soldiers", name, "turn"]]


def _set_step(chance: random.Random, match: Naive, seat: int) -> None:
    """The activation step, mostly in the middle of some effect."""
    action = chance.choice(ACTIONS)
    test = True
    if len(match.court) > 1:
        covered, played = (int(card) for card in match.court[-2:])
        test = played < covered if action in LOW else played > covered
    match.stack = [["step", str(seat + 1), action, "yes" if test else "no", "-"]]
    if not match.court:
        match.stack = [["soldiers", str(seat + 1), "turn"]]
    elif chance.randrange(4):
        region = chance.choice(REGIONS)
        effects = {*match.printed.ability.values(), *(each for halves in BONUS.values() for each in halves)}
        effect = chance.choice(sorted(effects))
        if "unrest" not in effect or match.players[seat].board[region].unrest < 3:
            have_effect(match, seat, effect, region)
