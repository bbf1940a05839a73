"""A base class for small immutable values that are created on every move.

Their classes are written out instead of generated, so that mypyc compiles them to C structs, and marked as
acyclic, so that the garbage collector skips them. Elsewhere, use a frozen dataclass.
"""

from typing import ClassVar, TypeVar

from mypy_extensions import mypyc_attr


@mypyc_attr(acyclic=True)
class Value:
    """Equal to another value of the same class with equal parts.

    A subclass is final. Its parts are listed in __match_args__, in the order of its constructor's arguments,
    and are Final: mypy does not allow changing them, and neither does the compiled form.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *parts: object) -> None:
        """A value with these parts."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        return type(self) is type(other) and _parts(self) == _parts(other)

    def __hash__(self) -> int:
        return hash((type(self), *_parts(self)))

    def __reduce__(self) -> tuple[type[object], tuple[object, ...]]:
        return type(self), _parts(self)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).__match_args__)
        return f"{type(self).__name__}({parts})"


AnyValue = TypeVar("AnyValue", bound=Value)


def replaced(value: AnyValue, **parts: object) -> AnyValue:
    """A copy of the value with some of its parts replaced."""
    unknown = parts.keys() - set(type(value).__match_args__)
    if unknown:
        raise TypeError(f"{type(value).__name__} has no part {', '.join(sorted(unknown))}")
    return type(value)(*[parts.get(name, getattr(value, name)) for name in type(value).__match_args__])


def _parts(value: Value) -> tuple[object, ...]:
    return tuple([getattr(value, name) for name in type(value).__match_args__])
