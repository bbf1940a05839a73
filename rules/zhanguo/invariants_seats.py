"""What is true of every seat in every state (ZHG-INV-01 to -07, -10, -12, -14, -15)."""

from collections.abc import Iterator
from itertools import permutations

from rules.kernel.actors import Seat
from rules.zhanguo.frames import DealDue, EmperorDue, FirstDue, StartDue
from rules.zhanguo.invariants_turns import base_of, is_untouched
from rules.zhanguo.pieces import (
    ALCHEMISTS,
    ASPECTS,
    FULL,
    OFFICIALS,
    REGIONS,
    SITES,
    SOLDIERS,
    UNREST,
    Card,
    EmperorTile,
    Section,
    Site,
    is_master,
    is_unification,
)
from rules.zhanguo.start import opening_player
from rules.zhanguo.state import TOKENS, State


def token_problems(state: State, seat: Seat) -> Iterator[str]:
    """ZHG-INV-01, -02."""
    player = state.players[seat]
    for aspect in ASPECTS:
        most = max(other.tokens[aspect] for other in state.players)
        if player.tokens[aspect] < 0 or (state.supply(aspect) < 0 and player.tokens[aspect] == most):
            yield f"there are {TOKENS[state.table.players]} tokens of {aspect.word}"
        if aspect in player.large and any(aspect in other.large for other in state.players[:seat]):
            yield f"the large token of {aspect.word} is there twice"


def piece_problems(state: State, seat: Seat) -> Iterator[str]:
    """ZHG-INV-03 to -05."""
    player, name = state.players[seat], state.table.names[seat]
    for official in OFFICIALS:
        if player.reserve(official) < 0 or any(domain.officials[official] < 0 for domain in player.domains):
            yield f"{name} has more than four of {official.word}"
    if min(state.governors_left(seat), state.palaces_left(seat), state.walls_left(seat)) < 0:
        yield f"{name} has more pieces on the main board than there are"
    placed = sum(spot.slots.count(seat) for spot in state.mausoleum)
    if min(player.locked, player.entrance) < 0 or player.locked + player.entrance + placed != SOLDIERS:
        yield f"{name} has other than {SOLDIERS} soldiers"
    if player.locked == SOLDIERS:
        yield f"{name} has a soldier at the entrance from the beginning"


def region_problems(state: State, seat: Seat) -> Iterator[str]:
    """ZHG-INV-06, -07, -14, -15."""
    player, name = state.players[seat], state.table.names[seat]
    for region, domain in zip(REGIONS, player.domains, strict=True):
        if not 0 <= domain.unrest <= UNREST:
            yield f"{name} has unrest {domain.unrest} in {region.title}"
        if len(domain.cards) > FULL:
            yield f"{name} has more than {FULL} cards in {region.title}"
        if domain.workers < 0:
            yield f"{name} has fewer than no workers in {region.title}"
    if not 0 <= player.boat <= state.table.printed.route.end:
        yield f"the boat of {name} is not on the route"


def extra_cards(state: State, seat: Seat) -> list[Card]:
    """Alchemist and Master cards of a seat, set aside or above its board."""
    player = state.players[seat]
    above = [placed.card for _, placed in player.cards()]
    return [*player.aside, *(card for card in above if not is_unification(card))]


def alchemist_problems(state: State, seat: Seat) -> Iterator[str]:
    """ZHG-INV-10."""
    if sorted(card for card in extra_cards(state, seat) if not is_master(card)) != list(ALCHEMISTS):
        yield f"{state.table.names[seat]} has other Alchemist cards than A1 to A5"


def opening_problems(state: State, seat: Seat) -> Iterator[str]:
    """Nobody has gained anything before choosing a start tile, nor Li Si before his first turn."""
    base = base_of(state)
    if seat == state.table.rival:
        waits = state.round <= 1 and is_untouched(state)
    else:
        chooses = isinstance(base, StartDue) and bool(state.start_tiles(seat))
        waits = chooses or isinstance(base, (FirstDue, DealDue))
    if waits and state.players[seat] != opening_player(state.table, seat):
        yield f"{state.table.names[seat]} has gained something before the first choice"


def own_emperors(state: State, seat: Seat) -> list[EmperorTile]:
    """Emperor tiles that a seat has taken, on its cards or still to be put on one."""
    tiles = [placed.emperor for _, placed in state.players[seat].cards() if placed.emperor is not None]
    if state.acting == seat:
        tiles += [frame.tile for frame in state.agenda if isinstance(frame, EmperorDue)]
    return tiles


def emperor_problems(state: State, seat: Seat) -> Iterator[str]:
    """Every tile was taken with the first wall of a section, or of a site (ZHG-INV-12)."""
    own = own_emperors(state, seat)
    if seat == state.table.rival and own:
        yield "Li Si takes Emperor tiles out of the game"
        return
    emperor = state.table.printed.emperor
    for site in SITES:
        if any(emperor(tile).site is site for tile in own) and not _could_claim(state, site):
            name = state.table.names[seat]
            yield f"{name} has an Emperor tile of site {site.word} without the first wall of a section there"


def _could_claim(state: State, site: Site) -> bool:
    """Whether each tile of a site that lies on a card can have come with another section's first wall."""
    emperor = state.table.printed.emperor
    owners = [
        seat for seat in state.table.seats for tile in own_emperors(state, seat) if emperor(tile).site is site
    ]
    if state.table.rulings.claim_by_site and len(owners) > 1:
        return False
    halves = (Section(2 * site), Section(2 * site + 1))
    return any(
        all(seat in state.walls[section].slots for seat, section in zip(owners, sections, strict=True))
        for sections in permutations(halves, len(owners))
    )
