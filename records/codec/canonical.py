"""Canonical bytes of a state, derived from its fields: equal for equal states of a match and for no others.

A state is a msgspec Struct, and msgspec writes it in one pass. What it would write alike for different
values, or not at all, is refused at import with the field that is wrong.
"""

import enum
from collections.abc import Callable, Iterable
from types import NoneType, UnionType
from typing import Annotated, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, structs

from rules.kernel.bits import WIDE
from rules.kernel.statements import parts_of

State = TypeVar("State", bound=Struct)

_FIRST_TOO_LARGE: Final = 1 << 64
"""The smallest number that msgspec does not encode: it takes 64 bits."""
_ARRAY: Final = "array"


class NotCanonical(TypeError):
    """A field of a state whose bytes would not tell different values apart."""


def canonical(kind: type[State], *, apart: Iterable[str] = ("table",)) -> Callable[[State], bytes]:
    """What writes the bytes of a state; `apart` are the fields that never change in a match."""
    names = tuple(field.name for field in structs.fields(kind) if field.name not in set(apart))
    hints = get_type_hints(kind, include_extras=True)
    seen: set[type[object]] = {kind}
    for name in names:
        _check(hints[name], f"{kind.__name__}.{name}", seen)
    parts = parts_of(names)
    encode = msgspec.msgpack.Encoder().encode

    def state_bytes(state: State) -> bytes:
        try:
            return encode(parts(state))
        except OverflowError:
            raise NotCanonical(_too_large(names, parts(state))) from None

    return state_bytes


def _too_large(names: tuple[str, ...], parts: tuple[object, ...]) -> str:
    for name, part in zip(names, parts, strict=True):
        try:
            msgspec.msgpack.encode(part)
        except OverflowError:
            return f"{name} has an integer of more than 64 bits: keep it as bytes"
    return "an integer of more than 64 bits"


def _check(hint: object, where: str, seen: set[type[object]]) -> None:
    origin = get_origin(hint)
    supertype = getattr(hint, "__supertype__", None)
    if supertype is not None:
        _check(supertype, where, seen)
    elif origin is Annotated:
        _check_annotated(get_args(hint), where, seen)
    elif origin in {Union, UnionType}:
        _check_union(get_args(hint), where, seen)
    elif origin is tuple:
        for part in get_args(hint):
            if part is not Ellipsis:
                _check(part, where, seen)
    elif isinstance(origin, type) and origin in _WHY_NOT:
        raise NotCanonical(f"{where} is {_WHY_NOT[origin]}")
    elif isinstance(hint, type):
        _check_class(hint, where, seen)
    else:
        raise NotCanonical(f"{where} is {hint!r}, which has no canonical bytes")


def _check_annotated(args: tuple[object, ...], where: str, seen: set[type[object]]) -> None:
    for note in args[1:]:
        limits = (note.le, note.lt) if isinstance(note, msgspec.Meta) else ()
        if note is WIDE or any(limit is not None and limit > _FIRST_TOO_LARGE for limit in limits):
            raise NotCanonical(f"{where} is an integer that may have more than 64 bits: keep it as bytes")
    _check(args[0], where, seen)


_PLAIN: Final = (bool, int, str, bytes, NoneType)
_WHY_NOT: Final[dict[type[object], str]] = {
    float: "a float: two ways to compute it may differ",
    dict: "a dict, whose order is that of insertion: keep sorted pairs",
    set: "a set, whose order differs between processes: keep a sorted tuple",
    frozenset: "a frozenset, whose order differs between processes: keep a sorted tuple",
    list: "a list, which can change: keep a tuple",
}


def _check_class(kind: type[object], where: str, seen: set[type[object]]) -> None:
    if kind in _PLAIN or issubclass(kind, enum.Enum) or kind in seen:
        return
    if kind in _WHY_NOT:
        raise NotCanonical(f"{where} is {_WHY_NOT[kind]}")
    if not issubclass(kind, Struct):
        raise NotCanonical(f"{where} is a {kind.__name__}, which is no Struct and has no canonical bytes")
    seen.add(kind)
    hints = get_type_hints(kind, include_extras=True)
    for field in structs.fields(kind):
        _check(hints[field.name], f"{kind.__name__}.{field.name}", seen)


def _check_union(args: tuple[object, ...], where: str, seen: set[type[object]]) -> None:
    """Alternatives must differ in their bytes: by their type in msgpack, or by a tag."""
    taken: dict[str, str] = {}
    for part in args:
        _check(part, where, seen)
        name = getattr(part, "__name__", str(part))
        for mark in _marks(part):
            for other, its_name in taken.items():
                if _alike(mark, other):
                    raise NotCanonical(f"{where} is {its_name} or {name}{_ALIKE}")
            taken[mark] = name


def _alike(one: str, other: str) -> bool:
    """A tag is the first member of an array, so a plain array can look like a tagged one."""
    return one == other or (_ARRAY in {one, other} and one.partition(":")[0] == other.partition(":")[0])


_ALIKE: Final = ", which can have the same bytes: give the structs tags"


def _marks(hint: object) -> list[str]:
    """What the first bytes of its values show."""
    supertype = getattr(hint, "__supertype__", None)
    if supertype is not None:
        return _marks(supertype)
    if get_origin(hint) is Annotated:
        return _marks(get_args(hint)[0])
    if not isinstance(hint, type) or get_origin(hint) is tuple:
        return [_ARRAY]
    if issubclass(hint, enum.Enum):
        return sorted({type(member.value).__name__ for member in hint})
    if issubclass(hint, Struct):
        config = hint.__struct_config__
        layout = _ARRAY if config.array_like else "map"
        return [layout if config.tag is None else f"{layout}:{config.tag}"]
    return [hint.__name__]
