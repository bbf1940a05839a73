"""Events in words: one sentence for each class of events, with the rules that caused it.

    DESCRIBE = (
        sentences(State)
        .on(e.YurtPlaced, "{seat} placed a yurt on {cell}", rulebook.SETUP_6)
        .on(e.TurnBegan, "the turn of {seat} began", lambda state, event: …)
        .of(EVENTS, lambda state: state.table)
    )

The parts of an event stand in braces by their names and are written by their terms. A function may choose the
sentence or a rule; it is given the state before the event.
"""

from collections.abc import Callable
from string import Formatter
from typing import Final, Generic, Never, TypeAlias, TypeVar, cast

from rules.kernel.display import EventText
from rules.kernel.rule import Rule
from rules.kernel.statements import Misstated, Statements

State = TypeVar("State")
Table = TypeVar("Table")
Event = TypeVar("Event")
Further = TypeVar("Further")
Known = TypeVar("Known", contravariant=True)

_Sentence: TypeAlias = tuple[
    str | Callable[[State, object], str], tuple[Rule | Callable[[State, object], Rule], ...]
]


class Sentences(Generic[State, Known]):
    """Sentences for some classes of events: see `sentences`."""

    def __init__(self, sentences: dict[type[object], _Sentence[State]]) -> None:
        self._sentences: Final = sentences

    def on(
        self,
        kind: type[Further],
        text: str | Callable[[State, Further], str],
        *rules: Rule | Callable[[State, Further], Rule],
    ) -> "Sentences[State, Known | Further]":
        """What an event of this class says, and by which rules it happened."""
        return Sentences({**self._sentences, kind: cast("_Sentence[State]", (text, rules))})

    def unsaid(self, kind: type[Further]) -> "Sentences[State, Known | Further]":
        """Events of this class are bookkeeping: they have no sentence, and accounts leave them out."""
        return self.on(kind, "")

    def of(
        self, stated: Statements[Table, Event], table_of: Callable[[State], Table]
    ) -> Callable[[State, Event], EventText]:
        """The sentences of all events of a game; it is an error if one is missing or names a strange part."""
        for one in stated.each:
            text = self._sentences[one.make][0] if one.make in self._sentences else None
            if text is None:
                raise Misstated(f"{one.make.__name__} has no sentence")
            parts = (
                {name for _, name, _, _ in Formatter().parse(text) if name}
                if isinstance(text, str)
                else set()
            )
            if strange := parts - set(one.names):
                raise Misstated(f"{one.make.__name__} has no part {' or '.join(sorted(strange))}")

        def describe(state: State, event: Event) -> EventText:
            one, table = stated.of[type(event)], table_of(state)
            text, rules = self._sentences[one.make]
            sentence = text if isinstance(text, str) else text(state, event)
            values = zip(one.names, one.terms, one.parts(event), strict=True)
            written = {
                name: term.write(table, part) for name, term, part in values if f"{{{name}}}" in sentence
            }
            cited = tuple([rule if isinstance(rule, Rule) else rule(state, event) for rule in rules])
            return EventText(sentence.format_map(written), cited)

        return describe


def sentences(_: type[State]) -> Sentences[State, Never]:
    """None yet: add one for each class of events with `on`, and end with `of`."""
    return Sentences({})
