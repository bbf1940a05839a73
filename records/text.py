"""Text that may enter a record: not too long, and without characters that steer a terminal or its reader."""

import re
from typing import Final

MAX_REQUEST_ID_CHARS: Final = 200
"""Characters of a request id: room for a UUID and what an app puts before it."""

MAX_STATEMENT_CHARS: Final = 1000
"""Characters of what somebody states: a claim, a decision, a reason."""

MAX_NAME_CHARS: Final = 100
"""Characters of the name of a seat, a tag, a ruling or an option or their value, an edition or a game."""

MAX_TAG_VALUE_CHARS: Final = 16_384
"""Characters of the value of a tag, and of a comment, which is kept as one."""

MAX_COMPONENTS_CHARS: Final = 65_536
"""Characters of the components of a match: a board or a set may be given in full."""

MAX_PERSON_ID_CHARS: Final = 200
"""Characters of the id of a person."""

MAX_PERSONAL_FIELD_CHARS: Final = 50
"""Characters of the kind of a fact about a person: 'name', 'club'."""

MAX_PERSONAL_VALUE_CHARS: Final = 500
"""Characters of a fact about a person."""

_CONTROL: Final = r"\x00-\x1f\x7f-\x9f"
_LINES: Final = r"\u2028\u2029"
_DIRECTIONS: Final = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""The characters with the Unicode property Bidi_Control."""
_SURROGATES: Final = r"\ud800-\udfff"
"""No characters at all: UTF-8 cannot write them."""
_REFUSED: Final = re.compile(f"[{_CONTROL}{_LINES}{_DIRECTIONS}{_SURROGATES}]")


class BadText(ValueError):
    """Text that no record takes; says where it was found and what is wrong with it."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(field, why)  # as they are, so that a process can send it to another
        self.field = field
        """The field of a message or an entry: 'claim', 'tags[2].value'."""
        self.why = why

    def __str__(self) -> str:
        return f"{self.field}: {self.why}"


def text_fault(text: str, most: int, *, least: int = 0) -> str | None:
    """Why no record takes the text; None where one does."""
    if not least <= len(text) <= most:
        return f"it has {least or 'at most'}{' to' if least else ''} {most} characters, not {len(text)}"
    found = _REFUSED.search(text)
    if found is None:
        return None
    return f"character {found.start() + 1} is {_code(found[0])}, {_kind(found[0])}: leave it out"


def check_text(field: str, text: str, most: int, *, least: int = 0) -> None:
    """BadText if no record takes the text."""
    why = text_fault(text, most, least=least)
    if why is not None:
        raise BadText(field, why)


def escaped(text: str) -> str:
    r"""The text as it may be shown anywhere, with \u202e and the like for what no record takes any more."""
    return _REFUSED.sub(lambda found: _escape(found[0]), text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code >> 8 else f"\\x{code:02x}"


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _kind(character: str) -> str:
    for characters, kind in (
        (_CONTROL, "a control character"),
        (_LINES, "a line separator"),
        (_DIRECTIONS, "a control of the direction of text"),
    ):
        if re.match(f"[{characters}]", character):
            return kind
    return "no character that UTF-8 can write"
