"""What cards say, in the few words that a picture has room for."""

from typing import Final

from rules.great_wall.component_file import AbilityPart
from rules.great_wall.horde_cards import SpotReward
from rules.great_wall.kinds import KINDS, RESOURCES, Figures, Holdings, Kind
from rules.great_wall.operations import Gain, Reward
from rules.great_wall.parts import ArtefactCard, GeneralCard, RequestCard

_SCOPES: Final = {"each": "every player gives", "one": "one player gives", "state": "there must be"}
_COUNTED: Final = {
    "claimed": "claimed horde",
    "advisor": "advisor",
    "foreman-level": "level of a foreman",
    "soldier-out": "soldier out",
    "clerk": "clerk",
}


def resources_in_words(amounts: Holdings) -> str:
    """'2 wood and 1 gold'."""
    return " and ".join(each_resource(amounts))


def each_resource(amounts: Holdings) -> list[str]:
    """'2 wood' and '1 gold', each by itself."""
    return [f"{n} {resource.word}" for resource, n in zip(RESOURCES, amounts, strict=True) if n]


def figures_in_words(figures: Figures, between: str = " and ") -> str:
    """'1 archer and 2 horsemen'; nothing for nobody."""
    return between.join(counted(kind, count) for kind, count in zip(KINDS, figures, strict=True) if count)


def counted(kind: Kind, count: int) -> str:
    """'2 horsemen', '1 archer', 'no spearman'."""
    return f"{count or 'no'} {_several(kind.word) if count > 1 else kind.word}"


def _several(word: str) -> str:
    return word.replace("man", "men") if "man" in word else f"{word}s"


def reward_in_words(reward: Reward) -> str:
    """'1 wood', '2 honour each assistant'."""
    what = reward.resource.word if isinstance(reward, Gain) else "honour"
    return f"{reward.n} {what}" + (" per assistant" if reward.per_assistant else "")


def ability_in_words(card: GeneralCard) -> str:
    """'recruit: 1 wood'."""
    return f"{card.on.value}: {', '.join(map(reward_in_words, card.rewards))}"


def artefact_in_words(card: ArtefactCard) -> str:
    """'3 honour per claimed horde'."""
    return f"{card.n} honour per {_COUNTED[card.count]}"


def request_in_words(card: RequestCard) -> str:
    """'every player gives 2 wood'."""
    needs = [resources_in_words(card.pay), figures_in_words(card.sacrifice)]
    needs.append(f"{card.honour} honour" if card.honour else "")
    needs.append(f"{card.claimed} claimed hordes" if card.claimed else "")
    needs.append(f"{card.wall_levels} levels of wall" if card.wall_levels else "")
    if card.hordes_a_section is not None:
        needs.append(f"at most {card.hordes_a_section} hordes in each section")
    return f"{_SCOPES[card.scope]} {' and '.join(filter(None, needs))}"


def modifier_in_words(ability: AbilityPart) -> str:
    """'immune to archers in front', 'mortality +1'."""
    front = " in front" if ability.when == "front" else ""
    if ability.to is not None:
        return f"immune to {_several(ability.to)}{front}"
    what = "each barricade" if ability.stat == "barricade" else ability.stat
    return f"{what} {ability.by:+}{front}"


def spot_in_words(reward: SpotReward | None) -> str:
    """An empty spot, with what a soldier gains there."""
    if reward is None:
        return "free"
    return f"free: {reward.n} {'honour' if reward.resource is None else reward.resource.word}"
