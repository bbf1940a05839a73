"""Builds HTML: text that is not marked as HTML is escaped."""

from html import escape
from typing import Final

_VOID_ELEMENTS: Final = frozenset({"input", "link", "meta"})
"""Elements without content and end tag, of those that the pages use."""


class Html(str):
    """Text that is HTML already and is not escaped again."""

    __slots__ = ()


def tag(name: str, /, *content: str | None, **attributes: str | int | None) -> Html:
    """An element with its content; attributes that are None are left out, and data_at becomes data-at."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID_ELEMENTS:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(*content)}</{name}>")


def joined(*content: str | None) -> Html:
    """The pieces in sequence; None is left out."""
    return Html(
        "".join(
            part if isinstance(part, Html) else escape(part, quote=False)
            for part in content
            if part is not None
        )
    )
