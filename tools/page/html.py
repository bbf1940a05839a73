"""HTML as text: whatever is not marked as HTML already is shown as it stands."""

from html import escape
from typing import Final

_VOID: Final = frozenset({"input", "link", "meta"})


class Html(str):
    """Text that is HTML."""

    __slots__ = ()


def tag(name: str, /, *content: str | None, **attributes: str | int | None) -> Html:
    """An element with its content; an attribute that is None is left out, and data_at stands for data-at."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{told}>" if name in _VOID else f"<{name}{told}>{joined(*content)}</{name}>")


def joined(*content: str | None) -> Html:
    """Pieces one after the other; None is nothing."""
    return Html(
        "".join(
            part if isinstance(part, Html) else escape(part, quote=False)
            for part in content
            if part is not None
        )
    )
