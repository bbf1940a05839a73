"""What the cards are that moves choose by their ids: names, what they give and what they ask."""

from typing import Final

from rules.great_wall.card_words import each_resource, request_in_words, reward_in_words
from rules.great_wall.kinds import SEALED, Advisor, General, Occasion
from rules.great_wall.moves import ChooseActive, ChooseGeneral, Dismiss, Enlist, Fulfil, HireAdvisor, Move
from rules.great_wall.parts import GeneralCard
from rules.great_wall.state import State
from rules.great_wall.table import Table
from rules.kernel.text import listed

_OCCASIONS: Final = {
    Occasion.UPGRADE: "for each foreman upgraded",
    Occasion.DONATE: "for each donation",
    Occasion.RECRUIT: "for each soldier recruited",
    Occasion.COVER: "for each soldier put on a horde",
    Occasion.SHOOT: "for each shot of an archer",
    Occasion.BARRICADE: "for each barricade built",
    Occasion.WALL: "for each part of the wall built",
    Occasion.HIRE: "for each clerk or advisor hired",
    Occasion.TACTIC: "for each tactic played",
    Occasion.CLAIM: "for each horde claimed",
    Occasion.SHARE: "for each defeated horde with an own soldier on it",
    Occasion.KILLED: "for each soldier lost",
    Occasion.SAVED: "for each soldier saved",
    Occasion.SHAME: "for each shame gained",
    Occasion.INCOME: "every Summer",
    Occasion.HOLD: "for each section that holds in Winter",
}


def name_in_words(identifier: str) -> str:
    """'song-ci' is 'Song Ci'."""
    return identifier.replace("-", " ").title()


def gives_in_words(card: GeneralCard) -> str:
    """'2 honour per assistant for each foreman upgraded'."""
    return f"{listed(list(map(reward_in_words, card.rewards)))} {_OCCASIONS[card.on]}"


def general_in_words(table: Table, general: General) -> str:
    """What a general is called, gives and starts with."""
    card = table.parts.generals[general]
    name = name_in_words(table.parts.general_names.names[general])
    tactics = f"{card.tactics} tactic{'' if card.tactics == 1 else 's'}"
    start = listed([*each_resource(card.start), tactics, f"tea value {card.tea}"])
    return f"{name} gives {gives_in_words(card)} and starts with {start}"


def advisor_in_words(table: Table, advisor: Advisor) -> str:
    """What an advisor gives while active."""
    return f"gives {gives_in_words(table.parts.advisors[advisor])} while active"


def explain(state: State, move: Move) -> str:
    """The card that a move chooses; nothing for a choice that is sealed, and for moves that choose none."""
    table = state.table
    match move:
        case ChooseGeneral(general=general) if general is not SEALED:
            return general_in_words(table, general)
        case ChooseActive(advisor=advisor) if advisor is not SEALED:
            return advisor_in_words(table, advisor)
        case HireAdvisor(advisor=hired) | Enlist(advisor=hired) | Dismiss(advisor=hired):
            return advisor_in_words(table, hired)
        case Fulfil(request=request):
            return request_in_words(table.parts.requests[request])
        case _:
            return ""
