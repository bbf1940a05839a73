"""Values made of named parts, for what is made at every move.

They are written out, so that mypyc makes of them what a struct is in C, and acyclic, so that the garbage
collector passes them by; elsewhere a frozen dataclass will do.
"""

from typing import ClassVar, TypeVar

from mypy_extensions import mypyc_attr


@mypyc_attr(acyclic=True)
class Value:
    """Equal to another of its class with equal parts.

    A subclass is final. Its parts stand in __match_args__, in the order in which its constructor takes them,
    and are Final: mypy lets nobody change them, and neither does the compiled form.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *parts: object) -> None:
        """A value of these parts."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        return type(self) is type(other) and _parts(self) == _parts(other)

    def __hash__(self) -> int:
        return hash((type(self), *_parts(self)))

    def __reduce__(self) -> tuple[type[object], tuple[object, ...]]:
        return type(self), _parts(self)

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).__match_args__)
        return f"{type(self).__name__}({told})"


AnyValue = TypeVar("AnyValue", bound=Value)


def replaced(value: AnyValue, **parts: object) -> AnyValue:
    """The value with some of its parts changed."""
    unknown = parts.keys() - set(type(value).__match_args__)
    if unknown:
        raise TypeError(f"{type(value).__name__} has no part {', '.join(sorted(unknown))}")
    return type(value)(*[parts.get(name, getattr(value, name)) for name in type(value).__match_args__])


def _parts(value: Value) -> tuple[object, ...]:
    return tuple([getattr(value, name) for name in type(value).__match_args__])
