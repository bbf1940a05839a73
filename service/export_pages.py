"""Exports that are delivered in pages: the files being delivered, and the tokens of their pages."""

import hashlib
import re
import tempfile
import threading
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from typing import IO, Final, NamedTuple

from records.entry import MatchId
from rules.kernel.actors import Viewer
from service.errors import CallError, Reason

_MOST_FILES: Final = 8
"""Files that are kept between the pages of exports; one more, and the oldest has to be written again."""

_TOKEN: Final = re.compile(r"([0-9]{1,6})-([0-9]{1,10})-([0-9a-f]{16})")
_DIGEST_DIGITS: Final = 16
"""Hexadecimal digits of an export's hash in its page token: enough that two exports never share one."""


class ExportKey(NamedTuple):
    """What determines the content of an export."""

    match: MatchId
    last: int
    """The sequence of the last entry in it."""
    viewer: Viewer
    parts: Viewer
    """As whom the viewer sees concealed parts."""
    as_record: bool


class PageToken(NamedTuple):
    """Where the next page of an export begins."""

    last: int
    """The sequence of the last entry of the export."""
    offset: int
    digest: str
    """The first digits of the SHA-256 of the whole file: pages of different files are never mixed."""

    @classmethod
    def read(cls, text: str) -> "PageToken":
        """Raises CallError if it is not a token of an export."""
        found = _TOKEN.fullmatch(text)
        if found is None:
            raise _bad_token()
        return cls(int(found[1]), int(found[2]), found[3])

    def write(self) -> str:
        """The token as text."""
        return f"{self.last}-{self.offset}-{self.digest}"


@dataclass(frozen=True, slots=True)
class DeliveredPage:
    """A part of a file."""

    content: bytes
    next_token: str
    """Empty for the last part."""


class _ExportFile:
    """The content of an export, in a file without a name."""

    def __init__(self, content: bytes) -> None:
        self._file: Final[IO[bytes]] = tempfile.TemporaryFile()  # noqa: SIM115 - it outlives the call
        self.close: Final = weakref.finalize(self, self._file.close)
        self._file.write(content)
        self.size: Final = len(content)
        self.digest: Final = hashlib.sha256(content).hexdigest()[:_DIGEST_DIGITS]

    def read(self, offset: int, size: int) -> bytes:
        self._file.seek(offset)
        return self._file.read(size)


class ExportPages:
    """LRU cache of the exports that are being delivered, so that each is written once; thread-safe."""

    def __init__(self, most: int = _MOST_FILES) -> None:
        self._most: Final = most
        self._lock: Final = threading.Lock()
        self._files: Final[OrderedDict[ExportKey, _ExportFile]] = OrderedDict()

    def page(
        self, key: ExportKey, token: PageToken | None, size: int, content: bytes | None = None
    ) -> DeliveredPage | None:
        """The page after the token, at most this size; None if the file is not kept, and not given here.

        Raises CallError if the token is of another file.
        """
        with self._lock:
            file = self._files.pop(key, None)
        if file is None:
            if content is None:
                return None
            file = _ExportFile(content)
        offset = 0 if token is None else token.offset
        if token is not None and (token.digest != file.digest or not 0 < offset < file.size):
            self._keep(key, file)
            raise _bad_token()
        content = file.read(offset, size)
        end = offset + len(content)
        if end >= file.size:
            file.close()
            return DeliveredPage(content, "")
        self._keep(key, file)
        return DeliveredPage(content, PageToken(key.last, end, file.digest).write())

    def _keep(self, key: ExportKey, file: _ExportFile) -> None:
        with self._lock:
            closed = [self._files.pop(key)] if key in self._files else []
            self._files[key] = file
            if len(self._files) > self._most:
                closed.append(self._files.popitem(last=False)[1])
        for each in closed:
            each.close()


def _bad_token() -> CallError:
    return CallError(
        Reason.BAD_PAGE_TOKEN,
        "page_token: it did not come from this server for this export, or what may be seen has changed: "
        "begin with the first page",
    )
