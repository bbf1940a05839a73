"""What pages say of errors: in words for readers, where calls have advice for programs."""

from collections.abc import Mapping
from typing import Final, cast
from urllib.parse import quote

from msgspec import Struct, json

from service.errors import Reason
from service.http.faults import HttpError

_DAMAGED_STATUS: Final = 409
"""The status of a page of a damaged match: its request was good, and the server is well."""

_RELOAD: Final = "Load the page again in a moment."
_TOO_NEW: Final = "A newer version of Shiji may know it: ask the operator of this server."

_ADVICE: Final[Mapping[str, str]] = {
    "BAD_FIELD": "Correct that, and try again.",
    "UNREADABLE_REQUEST": "Load the page again; if that does not help, tell the operator of this server.",
    "UNREADABLE_MOVE": "Choose one of the legal moves in the list, or point at the board.",
    "UNREADABLE_RECORD": "Choose a transcript, a record, a bundle or a page that Shiji wrote.",
    "BAD_SETUP": "Correct that, and try again.",
    "BAD_PAGE_TOKEN": "Begin with the first page of the archive.",
    "NO_CREDENTIALS": "Open the link that you were given, or enter your token.",
    "NOT_SIGNED": "Play this seat with the program that has its key.",
    "NOT_YOUR_ROLE": "Open the page with a token that allows this.",
    "NOT_YOUR_SEAT": "Open the link that you were given for your seat.",
    "NOT_YOUR_MATCH": "Open the page with a token of the owner of the match.",
    "NO_SUCH_MATCH": "Check the address. The archive lists all matches.",
    "NO_SUCH_ENTRY": "The page of the match opens at its last entry.",
    "OUTSIDE_LOG": "Check the address.",
    "RULE_BROKEN": "Choose one of the legal moves in the list, or point at the board.",
    "RECORD_NOT_VERIFIED": "Only records that are legal and intact are stored.",
    "MATCH_NOT_OVER": "Come back when the match is over.",
    "NOT_VOUCHED": "Load the page again to see how the match stands.",
    "MATCH_FROZEN": "The match waits until the arbiter has settled the dispute. This page shows it then.",
    "RECORD_IS_COPY": "It is played where it was started.",
    "RECORD_FULL": "Start a new match.",
    "TOO_MANY_NOTICES": "Play on: moves still have room.",
    "NO_DEALER": "Ask the operator of this server to start it with the secret of this match.",
    "NO_LOG_KEY": "Ask the operator of this server for a log key.",
    "SEQUENCE_TAKEN": "Somebody else was faster. Look at what was played, then choose again.",
    "REQUEST_REUSED": "Load the page again, and choose again.",
    "RECORD_EXISTS": "Compare the two records.",
    "UNKNOWN_GAME": _TOO_NEW,
    "UNKNOWN_EDITION": _TOO_NEW,
    "UNKNOWN_RULING": _TOO_NEW,
    "UNKNOWN_OPTION": _TOO_NEW,
    "UNKNOWN_ENTRY": _TOO_NEW,
    "TOO_LARGE": "Download the record on the machine of the server.",
    "TOO_MANY_CALLS": _RELOAD,
    "QUOTA_REACHED": "Ask the operator of this server for more. Matches that were started go on.",
    "SLOW_CONSUMER": _RELOAD,
    "STREAM_ENDED": _RELOAD,
    "WORKER_LOST": _RELOAD,
    "STORAGE_FULL": "Nothing was stored. Try again later; the operator of this server must free space.",
    "STORAGE_UNAVAILABLE": _RELOAD,
    "STORAGE_FORBIDDEN": "Tell the operator of this server: its database forbids it.",
    "DRAINING": _RELOAD,
    "CORRUPT_RECORD": "Its audit says how much of it is good. The operator of this server may have a backup.",
    "INTERNAL": "Report the id to the operator of this server.",
    "NO_SUCH_PAGE": "Check the address, or begin at the archive.",
    "ONLY_READ": "Matches are started on the pages of a server that writes, which shiji serve runs.",
    "WRONG_VERB": "Begin at the archive.",
    "WRONG_TYPE": "Begin at the archive.",
}
"""What readers can do, by the reason of the error; all others have advice that readers understand, too."""


class PageLink(Struct, frozen=True):
    """A link that helps."""

    address: str
    text: str


class PageError(Struct, frozen=True):
    """An error as a page shows it."""

    status: int
    reason: str
    message: str
    why: str
    """More about it; empty if the message says all."""
    advice: str
    links: tuple[PageLink, ...]


def page_status(error: HttpError) -> int:
    """The status of an error of a page, or of its twin in JSON."""
    return _DAMAGED_STATUS if error.body.get("reason") == Reason.CORRUPT_RECORD.name else error.status


def page_error(error: HttpError, *, has_token: bool) -> PageError:
    """An error in words for readers."""
    body = {name: value for name, value in error.body.items() if isinstance(value, str)}
    reason, message, why = body.get("reason", ""), body["message"], ""
    metadata = _metadata(error)
    match = quote(metadata.get("match_id", ""), safe="")
    links = []
    if reason == Reason.NO_CREDENTIALS.name and not has_token:
        message = "the page is shown to those who have a token"
    elif reason == Reason.NOT_YOUR_ROLE.name:
        message = f"your token does not allow this: the role {metadata.get('role', '')} does"
    elif reason == Reason.CORRUPT_RECORD.name and match:
        message, why = "this match is damaged", message
        links.append(PageLink(f"/matches/{match}/dispute", "Audit and disputes of this match"))
    elif reason == Reason.NO_SUCH_MATCH.name and match:
        links.append(PageLink(f"/?id={match}", "Matches whose ids begin like that"))
    elif reason == Reason.NO_SUCH_ENTRY.name and match:
        links.append(PageLink(f"/matches/{match}", "To the match"))
    return PageError(
        page_status(error), reason, message, why, page_advice(reason) or body.get("advice", ""), tuple(links)
    )


def page_advice(reason: str) -> str:
    """What readers can do; empty where the advice for programs serves them as well."""
    return _ADVICE.get(reason, "")


def advice_script() -> str:
    """The advice, for scripts of pages that call methods."""
    return f"export const ADVICE = {json.encode(_ADVICE).decode()};\n"


def _metadata(error: HttpError) -> Mapping[str, str]:
    for detail in cast("list[dict[str, dict[str, object]]]", error.body.get("details", [])):
        if found := detail["debug"].get("metadata"):
            return cast("Mapping[str, str]", found)
    return {}
