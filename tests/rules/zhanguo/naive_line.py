"""Position lines of Zhanguo, read and written by the plain model for itself (section 23)."""

from collections.abc import Sequence

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_printed import REFERENCE, Printed
from tests.rules.zhanguo.naive_set import (
    ALCHEMISTS,
    ASPECTS,
    LARGE,
    MASTERS,
    NUMBERS,
    OFFICIALS,
    REGIONS,
    SITES,
)
from tests.rules.zhanguo.naive_table import OPTIONS, RULINGS, Column, Land, Player, Spot, Table

OFFICIAL_LETTERS = {"a": "alchemist", "r": "architect", "g": "general"}
WORDS_BEFORE_SEATS = 9
SEAT_PARTS = 8
IN_OPTIONS = {name: values for name, values in (OPTIONS | RULINGS).items() if name != "table"}


def write_line(table: Table) -> str:
    """Everything in a position line."""
    return " ".join(
        (
            table.printed.name,
            f"{table.settings['table']}.{table.round}",
            f"{_seats(table.track) or '-'}|{''.join('-' if s is None else str(s + 1) for s in table.column)}",
            ",".join(table.court) or "-",
            "/".join(_write_spot(spot) for spot in table.spots.values()),
            "/".join(f"{section.face}:{_seats(section.slots)}" for section in table.walls.values()),
            "/".join("".join(pile) or "-" for pile in table.piles.values()),
            "/".join(_write_land(land) for land in table.lands.values()),
            "".join(table.masters) or "-",
            *(_write_player(player) for player in table.players),
            ">".join(":".join(frame) for frame in table.stack),
            *_write_options(table),
        )
    )


def _seats(places: Sequence[int | None]) -> str:
    return "".join("." if seat is None else str(seat + 1) for seat in places)


def _write_spot(spot: Spot) -> str:
    """The slots are printed on the tile, so there are none before the deal."""
    return f"{spot.target}=?" if spot.tile == "?" else f"{spot.target}={spot.tile}:{_seats(spot.slots)}"


def _write_land(land: Land) -> str:
    tiles = (
        f"{tile}:{_seats(land.spaces[2 * number : 2 * number + 2])}"
        for number, tile in enumerate(land.governor_tiles)
    )
    return ";".join(
        ("".join(land.tiles), "".join(map(str, land.palaces)), ",".join(tiles), "".join(map(str, land.area)))
    )


def _write_player(player: Player) -> str:
    large = "".join(LARGE[n] for n, aspect in enumerate(ASPECTS) if aspect in player.large)
    hand = sorted(player.hand, key=[*NUMBERS, "w?", "c?", "l?"].index)
    return ":".join(
        (
            player.name,
            str(player.vp),
            str(player.boat),
            f"{player.locked}.{player.entrance}",
            ".".join(str(player.tokens[aspect]) for aspect in ASPECTS) + large,
            ",".join(hand),
            "".join(sorted(player.aside)) or "-",
            "/".join(_write_column(player, player.board[region]) for region in REGIONS),
        )
    )


def _write_column(player: Player, column: Column) -> str:
    tiles = player.emperors
    cards = (f"{card}*{tiles[card]}" if card in tiles else card for card in column.cards)
    officials = "".join(letter * column.officials[name] for letter, name in OFFICIAL_LETTERS.items())
    return f"{','.join(cards)};{officials};{column.workers};{column.unrest}"


def _write_options(table: Table) -> list[str]:
    written = []
    if table.start:
        tiles = ("".join(table.start[seat]) for seat in table.track if seat in table.start)
        written.append("start=" + ",".join(tiles))
    if table.recorded:
        written.append("draws=recorded")
    if table.rival is not None:
        left, gone = (",".join(map(str, cards)) or "-" for cards in (table.actions, table.discarded))
        kept = "/".join("".join(table.kept[region]) or "-" for region in REGIONS)
        written += [f"actions={left}/{gone}", f"kept={kept}", f"deck={''.join(table.deck) or '-'}"]
    changed = [name for name, values in IN_OPTIONS.items() if table.settings[name] != values[0]]
    return written + [f"{name}={table.settings[name]}" for name in sorted(changed)]


def read_line(line: str, printed: Printed = REFERENCE) -> Naive:
    """A match that goes on from a position line."""
    words = line.split(" ")
    seats = [word for word in words[WORDS_BEFORE_SEATS:] if _is_of_a_seat(word)]
    turn, *options = words[WORDS_BEFORE_SEATS + len(seats) :]
    given = dict(option.split("=", 1) for option in options)
    _, table_and_round, track, court, spots, walls, piles, lands, masters = words[:WORDS_BEFORE_SEATS]
    name, number = table_and_round.split(".")
    settings = {name: value for name, value in given.items() if name in IN_OPTIONS}
    match = Naive(
        [word.split(":")[0] for word in seats],
        settings | {"table": name},
        recorded="draws" in given,
        printed=printed,
    )
    match.round = int(number)
    on_track, in_column = track.split("|")
    match.track = [int(seat) - 1 for seat in on_track if seat != "-"]
    match.column = [None if seat == "-" else int(seat) - 1 for seat in in_column]
    match.court = _listed(court)
    for spot, word in zip(match.spots.values(), spots.split("/"), strict=True):
        target, _, rest = word.partition("=")
        tile, _, slots = rest.partition(":")
        spot.target, spot.tile, spot.slots = target, tile, _read_seats(slots) if slots else spot.slots
    for section, word in zip(match.walls.values(), walls.split("/"), strict=True):
        section.face, _, slots = word.partition(":")
        section.slots = _read_seats(slots)
    for site, word in zip(SITES, piles.split("/"), strict=True):
        match.piles[site] = _named(word)
    for land, word in zip(match.lands.values(), lands.split("/"), strict=True):
        _read_land(land, word)
    match.masters = _named(masters)
    match.players = [_read_player(word) for word in seats]
    match.stack = [frame.split(":") for frame in turn.split(">")]
    _read_options(match, given)
    return match


def _is_of_a_seat(word: str) -> bool:
    """A turn may have as many colons, but its fields never have slashes."""
    return word.count(":") == SEAT_PARTS - 1 and "/" in word


def _listed(word: str) -> list[str]:
    return word.split(",") if word not in ("", "-") else []


def _named(word: str) -> list[str]:
    """Names of a letter and a digit, one after the other."""
    return [] if word == "-" else [word[at : at + 2] for at in range(0, len(word), 2)]


def _read_seats(word: str) -> list[int | None]:
    return [None if seat == "." else int(seat) - 1 for seat in word]


def _read_land(land: Land, word: str) -> None:
    tiles, palaces, governors, area = word.split(";")
    land.tiles, land.palaces, land.area = list(tiles), [*map(int, palaces)], [*map(int, area)]
    named = [tile.split(":") for tile in _listed(governors)]
    land.governor_tiles = [tile for tile, _ in named]
    land.spaces = [seat for _, spaces in named for seat in _read_seats(spaces)]


def _read_player(word: str) -> Player:
    name, vp, boat, soldiers, tokens, hand, aside, board = word.split(":")
    small = tokens.rstrip(LARGE)
    locked, entrance = soldiers.split(".")
    player = Player(
        name,
        int(vp),
        int(boat),
        int(locked),
        int(entrance),
        dict(zip(ASPECTS, map(int, small.split(".")), strict=True)),
        [ASPECTS[LARGE.index(letter)] for letter in tokens[len(small) :]],
        _listed(hand),
        _named(aside),
    )
    for column, part in zip(player.board.values(), board.split("/"), strict=True):
        cards, officials, workers, unrest = part.split(";")
        for card in _listed(cards):
            card_name, _, tile = card.partition("*")
            column.cards.append(card_name)
            if tile:
                player.emperors[card_name] = tile
        column.officials = {
            official: officials.count(letter) for letter, official in OFFICIAL_LETTERS.items()
        }
        column.workers, column.unrest = int(workers), int(unrest)
    assert all(card in (*ALCHEMISTS, *MASTERS) for card in player.aside)
    assert list(player.board["chu"].officials) == list(OFFICIALS)
    return player


def _read_options(match: Naive, given: dict[str, str]) -> None:
    if "start" in given:
        waiting = [seat for seat in match.track if seat != match.rival]
        tiles = given["start"].split(",")
        dealing = match.stack[-1][0] == "deal"
        owners = waiting[: len(tiles)] if dealing else waiting[len(waiting) - len(tiles) :]
        match.start = {seat: _start_tiles(word) for seat, word in zip(owners, tiles, strict=True)}
    if match.rival is not None:
        left, gone = given["actions"].split("/")
        match.actions = [int(card) for card in _listed(left)]
        match.discarded = [int(card) for card in _listed(gone)]
        kept = given["kept"].split("/")
        match.kept = {
            region: [] if tiles == "-" else list(tiles) for region, tiles in zip(REGIONS, kept, strict=True)
        }
        match.deck = [] if given["deck"] == "-" else list(given["deck"])


def _start_tiles(word: str) -> list[str]:
    return ["S" + number for number in word.split("S")[1:]]
