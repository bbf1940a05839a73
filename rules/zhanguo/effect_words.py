"""Effects, conditions and counts in words, for pictures and pages."""

from typing import Final, assert_never

from rules.kernel.text import either, listed
from rules.zhanguo import effects as f
from rules.zhanguo.annex import WallCount, WallFace
from rules.zhanguo.components import NeedPart
from rules.zhanguo.effects import Counted
from rules.zhanguo.pieces import OFFICIALS, REGIONS, TargetKind, TileKind

_COUNTED: Final = {
    Counted.ALCHEMIST_CARD: "own Alchemist card",
    Counted.ALCHEMIST_CARD_HERE: "own Alchemist card here",
    Counted.SOLDIER_PLACED: "own soldier placed",
    Counted.GOVERNOR: "own governor",
    Counted.WALL: "own wall",
    Counted.PALACE: "own palace",
    Counted.WRITING: "own writing card",
    Counted.CURRENCY: "own currency card",
    Counted.LAWS: "own laws card",
}
_FACES: Final = {
    WallCount.ARCHITECT: "region with an architect",
    WallCount.ALCHEMIST: "region with an alchemist",
    WallCount.GENERAL: "region with a general",
    WallCount.WORKER: "region with a worker",
    WallCount.PAIR: "region with two cards of one kind",
    WallCount.SET_OF_FOUR: "set of all four kinds of cards",
    WallCount.PALACE: "region with an own palace",
    WallCount.GOVERNOR: "region with an own governor",
    WallCount.WRITING: "region with a writing card",
    WallCount.CURRENCY: "region with a currency card",
    WallCount.LAWS: "region with a laws card",
    WallCount.ALCHEMIST_CARD: "region with an Alchemist card",
    WallCount.CALM: "region without unrest",
    WallCount.ORDER: "region with officials, no fewer than unrest",
}


def effect_words(effects: f.Effects) -> str:
    """'unrest +1 here, then 1 worker here'; 'nothing' for a space without a bonus."""
    return ", then ".join(map(_one, effects)) or "nothing"


def _where(where: f.Where) -> str:
    if where == f.HERE:
        return "here"
    if where == REGIONS:
        return "in any region"
    return f"in {either([region.title for region in where])}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _one(effect: f.Effect) -> str:  # noqa: C901 - one case per operation
    match effect:
        case f.MoveBoat():
            return f"boat {effect.by}"
        case f.RecruitOfficials():
            noun = "official" if effect.types == OFFICIALS else effect.types[0].word
            return f"recruit {_count(effect.count, noun)} {_where(effect.where)}"
        case f.HireWorkers():
            return f"hire {_count(effect.count, 'worker')} {_where(effect.where)}"
        case f.MoveOfficials():
            return f"move officials up to {_count(effect.most, 'step')}"
        case f.MoveWorkers():
            return f"move workers {'' if effect.must else 'up to '}{_count(effect.count, 'step')}"
        case f.CalmRegions():
            return "unrest -1 in any region" if effect.times == 1 else f"unrest -1 in {effect.times} regions"
        case f.CalmHere():
            return "unrest -1 here"
        case f.ResetRegions():
            return f"unrest to 0 in up to {_count(effect.most, 'region')}"
        case f.RaiseUnrest():
            regions = listed([region.title for region in effect.where])
            return f"unrest +1 {'here' if effect.where == f.HERE else f'in {regions}'}"
        case f.TakeTokens():
            return f"{_count(effect.count, 'token')} of choice"
        case f.GainTokens():
            return f"tokens of {listed([aspect.word for aspect in effect.aspects])}"
        case f.ScoreEach():
            return f"{effect.vp} VP for each {_COUNTED[effect.each]}"
        case f.ScoreRound():
            return "VP as the number of the round"
        case f.UnlockSoldiers():
            return f"unlock {_count(effect.count, 'soldier')}"
        case f.PlaceAlchemists():
            up_to = "up to " if effect.count > 1 else ""
            return f"place {up_to}{_count(effect.count, 'Alchemist card')} {_where(effect.where)}"
        case f.PlaceSoldierFree():
            return "place a soldier without its condition"
        case f.FreeGovernor():
            return f"a free governor {_where(effect.where)}"
        case f.FreePalace():
            return "a free palace in any region"
        case f.FreeWall():
            return "a free wall"
        case _:
            assert_never(effect)


def face_words(face: WallFace) -> str:
    """'2, 3 or 4 VP for each region with a worker'."""
    return f"{either([str(vp) for vp in face.vp])} VP for each {_FACES[face.count]}"


def need_words(need: NeedPart, kind: TargetKind) -> str:
    """A condition of the Mausoleum."""
    where = "there" if kind is not TargetKind.ELIXIR else ""
    parts = [
        (need.governors, f"{_count(need.governors, 'governor')} {where}"),
        (need.palaces, f"{_count(need.palaces, 'palace')} {where}"),
        (need.cards, f"{_count(need.cards, 'card')} {where}"),
        (need.walls, f"{_count(need.walls, 'wall')} {where}"),
        (need.boat_space, f"boat on space {need.boat_space}"),
        (need.boat_vp, f"boat at {need.boat_vp} VP"),
        (need.alchemist_cards, _count(need.alchemist_cards, "Alchemist card")),
    ]
    return listed([words.strip() for wanted, words in parts if wanted])


def tile_words(kind: TileKind) -> str:
    """'3 VP per writing card'."""
    if kind is TileKind.UNREST_ALL:
        return "unrest +1 and 2 VP per card"
    return f"3 VP per {kind.word.removesuffix('_card').replace('_', ' ')} card"
