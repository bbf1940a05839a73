"""Writes SVG: elements, and documents that show an image with the seats below it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Final

from rules.kernel.display import EMBLEM, VectorImage

FONT: Final = "Verdana,'DejaVu Sans',sans-serif"

_PAD: Final = 12
_LINE: Final = 34
_SIZE: Final = 15
_GROUND: Final = "#fbf7ec"
_TEXT: Final = "#2b2620"
_MAX_NAME_LENGTH: Final = 40
"""Characters of a name that are shown, so that one long name does not make the whole image wider."""


_MAX_FACTS_LENGTH: Final = 120
"""Characters of the facts of a seat on one line; about as wide as the widest board."""
_FURTHER: Final = 20
"""Height of each further line of the facts of a seat, and of each line of the caution."""
_MAX_CAUTION_LENGTH: Final = 80
"""Characters of a line of the caution; a warning makes no board wider than its legend would."""


@dataclass(frozen=True, slots=True)
class LegendLine:
    """One seat in the legend below an image."""

    emblem: str
    name: str
    facts: str


def element(name: str, text: str | None = None, /, **attributes: str | float) -> str:
    """An SVG element; an attribute stroke_width is written as stroke-width, and the text is escaped."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items()
    )
    return f"<{name}{written}/>" if text is None else f"<{name}{written}>{escape(text, quote=False)}</{name}>"


def group(parts: Iterable[str], /, **attributes: str | float) -> str:
    """A group of elements that share attributes, on one line."""
    return element("g", **attributes).removesuffix("/>") + ">" + "".join(parts) + "</g>"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 2):g}"


def document(  # noqa: PLR0913 - all but the first three are named
    drawing: VectorImage,
    legend: Sequence[LegendLine],
    below: str,
    *,
    title: str,
    description: str,
    caution: str = "",
) -> str:
    """A complete SVG file: the image, the seats below it, and below those a line of text and the caution."""
    lines = [
        f"{'' if place else _shortened(seat.name)}  {facts}"
        for seat in legend
        for place, facts in enumerate(_facts(seat))
    ]
    warning = wrap(caution, _MAX_CAUTION_LENGTH)
    # Text cannot be measured here, so its width is estimated from above by the average character.
    widest = max(len(line) for line in (*lines, below, *warning)) * _SIZE * 0.62
    width = max(drawing.width, round(widest) + EMBLEM + 3 * _PAD)
    end = drawing.height + sum(map(_height, legend)) + _LINE
    height = end + _FURTHER * len(warning) + _PAD
    head = element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height}",
        role="img",
        font_family=FONT,
    )
    return "\n".join(
        (
            head.removesuffix("/>") + ">",
            element("title", title),
            element("desc", description),
            element("rect", width=width, height=height, fill=_GROUND),
            *drawing.parts,
            *_legend(drawing.height, legend, below),
            *(_line(text, end + 8 + place * _FURTHER) for place, text in enumerate(warning)),
            "</svg>\n",
        )
    )


def _legend(top: int, legend: Sequence[LegendLine], below: str) -> Iterator[str]:
    left = _PAD + EMBLEM // 2
    right = left + EMBLEM // 2 + _PAD
    for seat in legend:
        middle = top + _LINE // 2
        yield group([seat.emblem], transform=f"translate({left} {middle})")
        first, *further = _facts(seat)
        name = element("tspan", _shortened(seat.name), font_weight="bold")
        facts = element("tspan", first, dx=_PAD)
        open_tag = element("text", x=right, y=middle + 5, font_size=_SIZE, fill=_TEXT).removesuffix("/>")
        yield f"{open_tag}>{name}{facts}</text>"
        for place, line in enumerate(further, start=1):
            y = middle + 5 + place * _FURTHER
            yield element("text", line, x=right, y=y, font_size=_SIZE, fill=_TEXT)
        top += _height(seat)
    yield _line(below, top + 22)


def _line(text: str, y: int) -> str:
    return element("text", text, x=_PAD, y=y, font_size=_SIZE, font_weight="bold", fill=_TEXT)


def _facts(seat: LegendLine) -> list[str]:
    return wrap(seat.facts, _MAX_FACTS_LENGTH) or [""]


def _height(seat: LegendLine) -> int:
    return _LINE + _FURTHER * (len(_facts(seat)) - 1)


def _shortened(name: str) -> str:
    return name if len(name) <= _MAX_NAME_LENGTH else f"{name[: _MAX_NAME_LENGTH - 1]}…"
