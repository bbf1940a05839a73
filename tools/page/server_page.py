"""The page of a record that a server has, to be downloaded from it."""

from records.audit.judged_file import UnreadableFile, judge_content
from records.files.record_file import UnreadableRecord
from tools.page.page import replay_page


def page_of(name: str, content: bytes) -> str:
    """A page to step through a record, given as a record file; raises UnreadableRecord."""
    judged = judge_content(name, content)
    if isinstance(judged, UnreadableFile):
        raise UnreadableRecord(2, str(judged.fault).removeprefix("line 2: "))
    return replay_page(judged)
