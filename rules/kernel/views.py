"""What a viewer may know of a state, a move and its events: a game declares what is secret, field by field.

    VIEWS = Views(
        State,
        hidden("hands", face_down),  # a tuple by seat: others see what face_down makes of it
        hidden("players.stock", lambda _: None),  # a total, though every change of it was public
        hidden_from_all("deck", face_down),
        secret(CardDrawn, "card", lambda state, event: event.seat),
        secret(Dealt, "card", its_seat, shown=back_of),  # others see the back
        secret_choice(Bid, "card"),  # of a move: only its actor sees it
    )

States, moves and events are msgspec Structs. Who may see a secret is asked with that secret already hidden,
so the answer rests on public facts only.
"""

from collections.abc import Callable
from typing import Final, Generic, TypeAlias, TypeVar, cast

from msgspec import Struct, structs

from rules.kernel import game
from rules.kernel.actors import AUDITOR, SPECTATOR, Actor, Office, Seat, Viewer

State = TypeVar("State", bound=Struct)
Shown = TypeVar("Shown", bound=Struct)
Move = TypeVar("Move", bound=Struct)
Event = TypeVar("Event", bound=Struct)
Part = TypeVar("Part")

SeenBy: TypeAlias = Seat | tuple[Seat, ...] | None
"""The seats that may see something; None is everybody."""


class NotDeclared(TypeError):
    """A secret is declared for a field that does not exist."""


class HiddenPart:
    """A field of the state that not everybody may see."""

    def __init__(self, path: str, conceal: Callable[[object], object], *, by_seat: bool) -> None:
        self.part, _, self.inner = path.partition(".")
        self.conceal: Final = conceal
        self.by_seat: Final = by_seat
        self._public: tuple[object, object] = (self, None)
        """The last field that was viewed for a spectator, and what was seen of it."""

    def seen(self, state: Struct, viewer: Viewer) -> object:
        """The field as the viewer sees it."""
        whole = getattr(state, self.part)
        if viewer is not SPECTATOR:
            return self._seen(whole, viewer)
        known, public = self._public
        if known is not whole:  # most moves change no hand, and leave the field the same object
            public = self._seen(whole, viewer)
            self._public = whole, public
        return public

    def _seen(self, whole: object, viewer: Viewer) -> object:
        if not self.by_seat:
            return self._concealed(whole)
        parts = cast("tuple[object, ...]", whole)
        return tuple([kept if seat == viewer else self._concealed(kept) for seat, kept in enumerate(parts)])

    def _concealed(self, kept: object) -> object:
        if not self.inner:
            return self.conceal(kept)
        owner = cast("Struct", kept)
        return structs.replace(owner, **{self.inner: self.conceal(getattr(owner, self.inner))})


def hidden(path: str, conceal: Callable[[Part], object]) -> HiddenPart:
    """A tuple by seat, or (`players.hand`) a field of what such a tuple holds: each seat sees its own."""
    return HiddenPart(path, cast("Callable[[object], object]", conceal), by_seat=True)


def hidden_from_all(path: str, conceal: Callable[[Part], object]) -> HiddenPart:
    """A field that no seat may see."""
    return HiddenPart(path, cast("Callable[[object], object]", conceal), by_seat=False)


class OwnChoice:
    """A part of a move that only its actor may see."""

    def __init__(
        self,
        kind: type[Struct],
        part: str,
        shown: Callable[[object], object],
        applies: Callable[[object], bool] = lambda _: True,
    ) -> None:
        if part not in kind.__struct_fields__:
            known = ", ".join(kind.__struct_fields__)
            raise NotDeclared(f"{kind.__name__} has no part {part}; it has {known}")
        self.kind: Final = kind
        self.part: Final = part
        self.applies: Final = applies
        """Whether the choice is secret in a state, by public facts."""
        self._shown: Final = shown

    def concealed(self, value: Shown) -> Shown:
        """As those see it who may not see the part."""
        return structs.replace(value, **{self.part: self._shown(getattr(value, self.part))})


class SecretField(OwnChoice, Generic[State]):
    """A part of a move or an event that not everybody may see."""

    def __init__(
        self,
        kind: type[Struct],
        part: str,
        audience: Callable[[State, Struct], SeenBy],
        shown: Callable[[object], object],
    ) -> None:
        super().__init__(kind, part, shown)
        self._audience: Final = audience

    def audience(self, state: State, value: Struct) -> tuple[Seat, ...] | None:
        """The seats that may see it; None is everybody."""
        found = self._audience(state, self.concealed(value))
        return (found,) if isinstance(found, int) else found


def secret(
    kind: type[Shown],
    part: str,
    audience: Callable[[State, Shown], SeenBy],
    shown: Callable[[Part], object] = lambda _: None,
) -> SecretField[State]:
    """A part of a move or an event, who may see it, and what others see of it: nothing, unless stated."""

    def audience_of(state: State, value: Struct) -> SeenBy:
        return audience(state, value) if isinstance(value, kind) else None

    return SecretField(kind, part, audience_of, cast("Callable[[object], object]", shown))


def secret_choice(
    kind: type[Shown],
    part: str,
    shown: Callable[[Part], object] = lambda _: None,
    *,
    applies: Callable[[State], bool] = lambda _: True,
) -> OwnChoice:
    """A part of a move that only the seat may see that makes it: an answer to a sealed task.

    `applies` says in which states the question is sealed, where the same move also answers an open one.
    """
    return OwnChoice(
        kind,
        part,
        cast("Callable[[object], object]", shown),
        cast("Callable[[object], bool]", applies),
    )


def _as_declared(one: SecretField[State]) -> game.Secret[State]:
    def audience(state: State, _: Actor, part: object) -> game.Audience | None:
        found = one.audience(state, part) if isinstance(part, one.kind) else None
        return None if found is None else frozenset(found)

    return game.Secret(one.kind, one.part, audience)


class Views(Generic[State, Move, Event]):
    """The views of a game, derived from what it declares; the auditor sees everything."""

    def __init__(self, kind: type[State], *declared: HiddenPart | SecretField[State] | OwnChoice) -> None:
        self._hidden: Final = tuple(one for one in declared if isinstance(one, HiddenPart))
        for one in self._hidden:
            if one.part not in kind.__struct_fields__:
                raise NotDeclared(f"{kind.__name__} has no field {one.part}")
        self._secrets: Final[dict[type[Struct], list[SecretField[State]]]] = {}
        self._choices: Final[dict[type[Struct], list[OwnChoice]]] = {}
        for each in declared:
            if isinstance(each, SecretField):
                self._secrets.setdefault(each.kind, []).append(each)
            elif isinstance(each, OwnChoice):
                self._choices.setdefault(each.kind, []).append(each)

    def state(self, state: State, viewer: Viewer) -> State:
        """The state as the viewer may know it."""
        if viewer is AUDITOR or not self._hidden:
            return state
        for one in self._hidden:
            state = structs.replace(state, **{one.part: one.seen(state, viewer)})
        return state

    def public(self, state: State) -> State:
        """The state as everybody may know it."""
        return self.state(state, SPECTATOR)

    def move(self, state: State, actor: Actor, move: Move, viewer: Viewer) -> Move:
        """A move as the viewer may know it, from the state before it."""
        if viewer is not AUDITOR and viewer != actor:
            for choice in self._choices.get(type(move), ()):
                move = choice.concealed(move) if choice.applies(state) else move
        return self._seen(state, move, viewer)

    def events(self, state: State, events: tuple[Event, ...], viewer: Viewer) -> tuple[Event, ...]:
        """Its events, likewise."""
        return tuple([self._seen(state, event, viewer) for event in events])

    def _seen(self, state: State, value: Shown, viewer: Viewer) -> Shown:
        declared = self._secrets.get(type(value))
        if declared is None or viewer is AUDITOR:
            return value
        seen = value
        for one in declared:
            audience = one.audience(state, value)
            if audience is not None and viewer not in audience:
                seen = one.concealed(seen)
        return seen

    @property
    def secrets(self) -> tuple[game.Secret[State], ...]:
        """Every secret, as a game declares them."""
        fields = [_as_declared(each) for declared in self._secrets.values() for each in declared]
        choices = [self._choice_as_declared(each) for declared in self._choices.values() for each in declared]
        return (*fields, *choices)

    @staticmethod
    def _choice_as_declared(one: OwnChoice) -> game.Secret[State]:
        def audience(state: State, actor: Actor, part: object) -> game.Audience | None:
            if not isinstance(part, one.kind) or not one.applies(state):
                return None
            return frozenset(() if isinstance(actor, Office) else (actor,))

        return game.Secret(one.kind, one.part, audience)
