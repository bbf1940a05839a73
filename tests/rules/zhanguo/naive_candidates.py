"""Every text that might be a move of a seat in a frame of Zhanguo, in the order of lists (section 20)."""

from itertools import chain, combinations, combinations_with_replacement, product

from tests.rules.zhanguo.naive_set import (
    ALCHEMISTS,
    ASPECTS,
    CARDS,
    KINDS,
    LARGE,
    MASTERS,
    OFFICIALS,
    REGIONS,
    SECTIONS,
    SMALL,
    SPOTS,
    START,
)

TOKENS = LARGE + SMALL


def _texts(kind: str, *words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" ".join((kind, *chosen)) for chosen in product(*words))


def token_sets(kind: str, sizes: range, tokens: str) -> tuple[str, ...]:
    sets = chain.from_iterable(combinations_with_replacement(tokens, size) for size in sizes)
    in_order = sorted(sets, key=lambda chosen: [TOKENS.index(token) for token in chosen])
    return tuple(f"{kind} {''.join(chosen)}" for chosen in in_order)


FOUR = ("1", "2", "3", "4")
PAYING = sorted(
    ("+".join(chosen) for size in (1, 2, 3) for chosen in combinations(REGIONS, size)),
    key=lambda text: [REGIONS.index(region) for region in text.split("+")],
)
RECRUIT = _texts("recruit", OFFICIALS, REGIONS)
INSTALL = _texts("install", REGIONS, (*FOUR, "area"))
HIRE = _texts("hire", REGIONS)
COURT_PALACE = _texts("palace", REGIONS, REGIONS)
COURT_WALL = _texts("wall", SECTIONS, FOUR, tuple(PAYING))
OTHER_ACTS = (*RECRUIT, "search", *INSTALL, *HIRE, *COURT_PALACE)
ACT = (*OTHER_ACTS, *COURT_WALL)
MOVE = _texts("move", OFFICIALS, REGIONS, REGIONS)
PLACE = _texts("place", (*ALCHEMISTS, *MASTERS), REGIONS)
SOLDIER = _texts("soldier", SPOTS)

CANDIDATES: dict[str, tuple[str, ...]] = {
    "start": _texts("start", tuple(START)),
    "step": (*_texts("activate", tuple(CARDS)), *MOVE, "done"),
    "soldiers": (*SOLDIER, "done"),
    "offer": ("accept", "pass"),
    "pay": (*token_sets("pay", range(2, 4), TOKENS), "done"),
    "symbol": ("unlock", *PLACE),
    "master": _texts("master", MASTERS),
    "recruit": RECRUIT,
    "hire": HIRE,
    "officials": (*MOVE, "done"),
    "workers": (*_texts("move worker", REGIONS, REGIONS), "done"),
    "calm": _texts("calm", REGIONS),
    "reset": (*_texts("reset", REGIONS), "done"),
    "take": _texts("take", ASPECTS),
    "place": (*PLACE, "done"),
    "install": INSTALL,
    "palace": _texts("palace", REGIONS),
    "wall": _texts("wall", SECTIONS, FOUR),
    "soldier": SOLDIER,
    "tile": _texts("tile", tuple(KINDS.values())),
    "large": _texts("large", ASPECTS),
    "emperor": _texts("emperor", tuple(CARDS)),
    "rival-soldier": SOLDIER,
}
