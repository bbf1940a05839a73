"""The effects that the rulebook's annex states: of cards, wall faces, governor and start tiles, rewards."""

import enum
from dataclasses import dataclass
from typing import Final

from rules.zhanguo.effects import (
    ANYWHERE,
    HERE,
    CalmHere,
    CalmRegions,
    Counted,
    Effects,
    FreeGovernor,
    FreePalace,
    FreeWall,
    GainTokens,
    HireWorkers,
    MoveBoat,
    MoveOfficials,
    MoveWorkers,
    PlaceAlchemists,
    PlaceSoldierFree,
    RaiseUnrest,
    RecruitOfficials,
    ResetRegions,
    ScoreEach,
    ScoreRound,
    TakeTokens,
    UnlockSoldiers,
)
from rules.zhanguo.pieces import ASPECTS, OFFICIALS, Aspect, Official, Region

_COST: Final = RaiseUnrest(HERE)
_ANY: Final = "any"

# Unification cards (L1047-1087): the id and what is printed beside it.


def _recruit_here(types: tuple[Official, ...]) -> Effects:
    return (RecruitOfficials(types, HERE, 1),)


ABILITIES: Final[dict[str, dict[str, Effects]]] = {
    "ZHG-ABL-01": {"": (MoveBoat(1),)},
    "ZHG-ABL-02": {
        **{official.word: _recruit_here((official,)) for official in OFFICIALS},
        _ANY: _recruit_here(OFFICIALS),
    },
    "ZHG-ABL-03": {"": (MoveWorkers(1, must=True),)},
    "ZHG-ABL-04": {"": (MoveOfficials(2),)},
    "ZHG-ABL-05": {"": (CalmRegions(1),)},
    "ZHG-ABL-06": {"": (TakeTokens(1),)},
    "ZHG-ABL-07": {"": (ScoreEach(1, Counted.ALCHEMIST_CARD),)},
    "ZHG-ABL-08": {
        each.value: (ScoreEach(1, each),) for each in (Counted.GOVERNOR, Counted.WALL, Counted.PALACE)
    },
    "ZHG-ABL-09": {},
    "ZHG-ABL-10": {"": (_COST, HireWorkers(HERE, 1))},
    "ZHG-ABL-11": {aspect.word: (_COST, ScoreEach(1, Counted(aspect.word))) for aspect in ASPECTS},
}
"""By id and argument; ZHG-ABL-09 has its tokens as argument."""
PRINTED_TOKENS: Final = "ZHG-ABL-09"


def ability(key: str, argument: str) -> Effects | None:
    """What a Unification card does; None where the annex has no such ability."""
    if key == PRINTED_TOKENS:
        aspects = printed_tokens(argument)
        return None if aspects is None else (_COST, GainTokens(aspects))
    return ABILITIES.get(key, {}).get(argument)


def printed_tokens(text: str) -> tuple[Aspect, ...] | None:
    """The aspects of 'writing+laws'; None where it is no such list."""
    words = {aspect.word: aspect for aspect in ASPECTS}
    parts = text.split("+")
    return tuple(words[part] for part in parts) if all(part in words for part in parts) else None


# Alchemist and Master cards (L1093-1131).

ALCHEMIST_EFFECTS: Final[dict[str, Effects]] = {
    "ZHG-ALC-01": (HireWorkers(HERE, 1),),
    "ZHG-ALC-02": (RecruitOfficials(OFFICIALS, HERE, 1),),
    "ZHG-ALC-03": (CalmHere(), CalmRegions(1)),
    "ZHG-ALC-04": (MoveOfficials(3),),
    "ZHG-ALC-05": (_COST, TakeTokens(2)),
}
MASTER_EFFECTS: Final[dict[str, Effects]] = {
    "ZHG-MAS-01": (ScoreEach(2, Counted.ALCHEMIST_CARD_HERE),),
    "ZHG-MAS-02": (UnlockSoldiers(1),),
    "ZHG-MAS-03": (ScoreEach(1, Counted.SOLDIER_PLACED),),
    "ZHG-MAS-04": (_COST, HireWorkers(HERE, 2)),
    "ZHG-MAS-05": (ScoreRound(),),
}

# Wall faces (L1137-1189).


class WallCount(enum.Enum):
    """What a wall face counts."""

    ARCHITECT = "architect"
    ALCHEMIST = "alchemist"
    GENERAL = "general"
    WORKER = "worker"
    PAIR = "pair"
    SET_OF_FOUR = "set of four"
    PALACE = "palace"
    GOVERNOR = "governor"
    WRITING = "writing"
    CURRENCY = "currency"
    LAWS = "laws"
    ALCHEMIST_CARD = "alchemist card"
    CALM = "calm"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class WallFace:
    """What a wall is worth for each of what is counted, by the strokes of its slot."""

    count: WallCount
    vp: tuple[int, int, int]


_LOW, _MIDDLE, _SETS = (1, 2, 3), (2, 3, 4), (2, 4, 6)
WALL_FACES: Final[dict[str, WallFace]] = {
    "ZHG-WAL-01": WallFace(WallCount.ARCHITECT, _MIDDLE),
    "ZHG-WAL-02": WallFace(WallCount.ALCHEMIST, _MIDDLE),
    "ZHG-WAL-03": WallFace(WallCount.GENERAL, _MIDDLE),
    "ZHG-WAL-04": WallFace(WallCount.WORKER, _MIDDLE),
    "ZHG-WAL-05": WallFace(WallCount.PAIR, _MIDDLE),
    "ZHG-WAL-06": WallFace(WallCount.SET_OF_FOUR, _SETS),
    "ZHG-WAL-07": WallFace(WallCount.PALACE, _LOW),
    "ZHG-WAL-08": WallFace(WallCount.GOVERNOR, _LOW),
    "ZHG-WAL-09": WallFace(WallCount.WRITING, _LOW),
    "ZHG-WAL-10": WallFace(WallCount.CURRENCY, _LOW),
    "ZHG-WAL-11": WallFace(WallCount.LAWS, _LOW),
    "ZHG-WAL-12": WallFace(WallCount.ALCHEMIST_CARD, _LOW),
    "ZHG-WAL-13": WallFace(WallCount.CALM, _LOW),
    "ZHG-WAL-14": WallFace(WallCount.ORDER, _MIDDLE),
}

# Governor tiles (L1230-1246, L1193-1212): left and right space.


def _two(official: Official) -> Effects:
    return (RecruitOfficials((official,), ANYWHERE, 2),)


def _each(each: Counted) -> Effects:
    return (ScoreEach(1, each),)


GOVERNOR_BONUSES: Final[tuple[tuple[Effects, Effects], ...]] = (
    ((), ()),
    (_each(Counted.PALACE), (MoveBoat(3),)),
    (_each(Counted.WALL), (MoveOfficials(4),)),
    ((CalmRegions(2),), _each(Counted.ALCHEMIST_CARD)),
    ((UnlockSoldiers(1),), _two(Official.ALCHEMIST)),
    ((PlaceAlchemists(1, ANYWHERE),), _each(Counted.WRITING)),
    ((MoveOfficials(3),), _each(Counted.LAWS)),
    ((UnlockSoldiers(1),), (MoveWorkers(2, must=False),)),
    ((HireWorkers(ANYWHERE, 1),), (MoveBoat(2),)),
    (_two(Official.GENERAL), (HireWorkers(ANYWHERE, 1),)),
    (_two(Official.ARCHITECT), _each(Counted.CURRENCY)),
)
"""By tile, the blank one first."""

# Palace tiles (L1218-1222).

TILE_VP: Final = 3
"""For each card of its kind in the region."""
UNREST_TILE_VP: Final = 2
"""For each card in the region, of any kind."""

# Start tiles (L1252-1272). Every one first recruits a general at Chu.

_CHU: Final = (Region.CHU,)
_GENERAL: Final = RecruitOfficials((Official.GENERAL,), _CHU, 1)
PLAIN_START: Final[dict[str, Effects]] = {
    "ZHG-STA-03": (_GENERAL, MoveBoat(2)),
    "ZHG-STA-04": (RaiseUnrest(_CHU), _GENERAL, UnlockSoldiers(1), MoveBoat(1)),
    "ZHG-STA-05": (RaiseUnrest((Region.CHU, Region.YAN)), _GENERAL, HireWorkers(_CHU, 1)),
    "ZHG-STA-06": (RaiseUnrest((Region.WEI, Region.ZHAO, Region.QI)), _GENERAL, PlaceAlchemists(1, _CHU)),
}
OFFICIAL_START: Final = "ZHG-STA-01"
TOKEN_START: Final = "ZHG-STA-02"  # noqa: S105 - a kind of start tiles


def start_with_official(official: Official) -> Effects:
    """The kind of start tiles that recruits one more official."""
    return (_GENERAL, RecruitOfficials((official,), _CHU, 1))


def start_with_tokens(region: Region, aspects: tuple[Aspect, ...]) -> Effects:
    """The kind of start tiles that gives tokens for unrest."""
    return (RaiseUnrest((region,)), _GENERAL, GainTokens(aspects))


# Unification tables (L1277-1390).


def _at(region: Region) -> tuple[Region, ...]:
    return (region,)


def _officials(count: int, official: Official, *where: Region) -> Effects:
    return (RecruitOfficials((official,), where or ANYWHERE, count),)


def _of_choice(count: int, *where: Region) -> Effects:
    return (RecruitOfficials(OFFICIALS, where or ANYWHERE, count),)


_CHU_OR_WEI: Final = (Region.CHU, Region.WEI)
_ZHAO_OR_QI: Final = (Region.ZHAO, Region.QI)
_HIRE_2: Final[Effects] = (HireWorkers(ANYWHERE, 2),)
_HIRE_2_WEI: Final[Effects] = (HireWorkers(_at(Region.WEI), 2),)
_WALL: Final[Effects] = (FreeWall(),)
_PALACE: Final[Effects] = (FreePalace(),)
_UP_TO_TWO: Final[Effects] = (PlaceAlchemists(2, ANYWHERE),)


@dataclass(frozen=True, slots=True)
class RewardTable:
    """A unification table: rows from the top, each with a reward for every round."""

    rows: tuple[Aspect, ...]
    cells: tuple[tuple[Effects, ...], ...]
    """By row and round."""


REWARD_TABLES: Final[dict[str, RewardTable]] = {
    "T1": RewardTable(
        (Aspect.WRITING, Aspect.CURRENCY, Aspect.LAWS),
        (
            (
                _of_choice(1, Region.CHU),
                (PlaceAlchemists(1, ANYWHERE),),
                (FreeGovernor(_CHU_OR_WEI),),
                (UnlockSoldiers(2),),
                _PALACE,
            ),
            (
                _officials(2, Official.GENERAL, Region.CHU),
                (MoveBoat(4),),
                _HIRE_2,
                (FreeGovernor(_ZHAO_OR_QI),),
                (UnlockSoldiers(1), PlaceSoldierFree()),
            ),
            (
                _officials(2, Official.ARCHITECT, Region.CHU),
                _HIRE_2_WEI,
                (ResetRegions(3),),
                _WALL,
                (FreeGovernor(ANYWHERE),),
            ),
        ),
    ),
    "T2": RewardTable(
        (Aspect.LAWS, Aspect.WRITING, Aspect.CURRENCY),
        (
            (_of_choice(1, Region.CHU), (ResetRegions(2),), _HIRE_2, (PlaceSoldierFree(),), _WALL),
            (
                (MoveBoat(3),),
                _officials(1, Official.GENERAL, Region.WEI) + _officials(1, Official.ARCHITECT, Region.WEI),
                _of_choice(2),
                (FreeGovernor(_ZHAO_OR_QI),),
                _PALACE,
            ),
            (
                (HireWorkers(ANYWHERE, 1),),
                _officials(2, Official.ALCHEMIST),
                _UP_TO_TWO,
                _WALL,
                (MoveBoat(7),),
            ),
        ),
    ),
    "T3": RewardTable(
        (Aspect.CURRENCY, Aspect.LAWS, Aspect.WRITING),
        (
            (
                _officials(2, Official.ARCHITECT, Region.CHU),
                _HIRE_2_WEI,
                _of_choice(2),
                (UnlockSoldiers(2),),
                _WALL,
            ),
            (
                (HireWorkers(ANYWHERE, 1),),
                _of_choice(1),
                _UP_TO_TWO,
                (FreeGovernor(_ZHAO_OR_QI),),
                _PALACE,
            ),
            (
                _officials(2, Official.GENERAL, Region.CHU),
                (MoveBoat(4),),
                _HIRE_2,
                _WALL,
                (FreeGovernor(ANYWHERE),),
            ),
        ),
    ),
}
