"""Matches of entry version 1, which this build plays on and no longer starts, for tests and goldens."""

from dataclasses import replace

from typing_extensions import override

from records.entry import ENTRY_VERSION_1, MatchHeader
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger


class Version1Ledger(Ledger):
    """Starts matches as builds did that knew no other version."""

    @override
    def judge_start(self, header: MatchHeader, request: str) -> PreparedAppend:
        """A header that states no entry version is of version 1."""
        return self.judge_header(replace(header, entry_version=ENTRY_VERSION_1), request)
