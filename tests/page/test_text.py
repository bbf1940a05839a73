"""The HTML of a page: self-contained, escaped, and readable without the script."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path

import pytest

from records.codec.evidence import Dispute, encode_dispute
from records.entry import EntryKind
from records.files.record_file import write_record
from records.ledger.builder import Notice
from records.ledger.notices import add_notice
from rules.kernel.actors import Seat
from tests.page.records import (
    FIRST,
    KHAN,
    LONG,
    NASTY,
    REFUSED,
    judged,
    nasty_page,
    page_of,
    page_of_two,
    page_with_a_takeback,
)
from tests.records.matches import MOVES, begin, ledger_in_memory
from tests.records.texts import text


class Outline(HTMLParser):
    """The elements of a page with their attributes, and its whole text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, attribute: str) -> list[str | None]:
        return [found[attribute] for _, found in self.elements if attribute in found]


def test_a_comment_is_shown_without_its_semicolon(tmp_path: Path) -> None:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Re8Re9 ; a strong start"), encoding="utf-8")

    shown = Outline(page_of(path)).text

    assert "a strong start" in shown
    assert "; a strong start" not in shown


def test_a_page_names_its_match_and_what_judged_it(tmp_path: Path) -> None:
    table = begin(ledger_in_memory())
    table.play(*MOVES)
    path = tmp_path / "match.jsonl"
    path.write_bytes(b"".join(write_record(table.entries)))

    shown = Outline(page_of(path)).text

    for fact in (table.match, table.entries[-1].hash.hex(), f"Shiji {version('shiji')}"):
        assert fact in shown


def test_a_page_loads_nothing_from_elsewhere() -> None:
    outline = Outline(page_of(LONG))
    links = [*outline.values("href"), *outline.values("src")]

    assert links
    assert all(link and link.startswith(("#", "data:")) for link in links)
    assert not outline.values("style")
    assert not [name for _, found in outline.elements for name in found if name.startswith("on")]


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_nothing_else() -> None:
    page = page_of(FIRST)
    (policy,) = [
        found["content"]
        for _, found in Outline(page).elements
        if found.get("http-equiv") == "Content-Security-Policy"
    ]
    script = re.findall(r'<script(?: type="module")?>(.*?)</script>', page, re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (*script, *style)]

    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}' 'sha256-{hashes[1]}';"
        f" style-src 'sha256-{hashes[2]}'; img-src data:; connect-src 'none'; base-uri 'none';"
        " form-action 'none'"
    )


def test_text_of_a_record_is_escaped(tmp_path: Path) -> None:
    page = nasty_page(tmp_path)
    outline = Outline(page)
    block = re.search(r'<script type="application/json" id="record">(.*?)</script>', page, re.DOTALL)

    assert [tag for tag, _ in outline.elements].count("script") == 5  # data, two programs and two records
    assert not [tag for tag, _ in outline.elements if tag in {"img", "b"}]
    assert NASTY in outline.text
    assert block is not None
    assert NASTY in json.loads(block[1])["strings"]


def test_the_verdict_and_every_entry_can_be_read_without_the_script() -> None:
    page = " ".join(Outline(page_of(REFUSED)).text.split())

    for line in (
        "Illegal at entry 3 of 3",
        "QIN-ABSORB-4 No join on a tie",
        "the red provinces would be joined at a tie: green 2, violet 2",
        "A tile cannot join provinces if two or more players would tie for the most cells.",
        "of the Gigamic edition lines 173-188, eggertspiele rules sheet of 2012 line 146, line 160 (AMB-08)",
        "join-tie=lead (AMB-08): Only a tie for the most cells forbids it.",
        "green Re6Be5",
        "the kitchen table",
    ):
        assert line in page


@pytest.mark.parametrize("path", [FIRST, REFUSED, LONG], ids=lambda path: path.stem)
def test_every_link_leads_to_an_entry_or_to_a_rule_on_the_page(path: Path) -> None:
    page = page_of(path)
    outline = Outline(page)
    known = {f"#{name}" for name in outline.values("id")}
    links = {link for link in outline.values("href") if link and link.startswith("#")}

    assert {link for link in links if not link.startswith("#entry=")} <= known
    for step in range(len(judged(path).entries) + 1):
        assert f"#entry={step}" in links


def test_a_finished_match_says_who_won_in_its_headline_and_opens_at_its_last_entry() -> None:
    page = page_of(KHAN)

    scores = "red 26, yellow 8, blue 32, green 20"
    assert (
        f"<h1>Khan: red, yellow, blue, green – blue won: nobody can conquer any more ({scores})</h1>" in page
    )
    assert f'"first":{judged(KHAN).report.entries}' in page


def test_a_long_match_makes_a_small_page() -> None:
    entries = len(judged(LONG).entries)

    assert entries > 80
    assert len(page_of(LONG).encode()) < 500_000


def test_the_same_record_makes_the_same_page() -> None:
    assert page_of(FIRST) == page_of(FIRST)


def test_records_with_different_starts_have_no_common_part(tmp_path: Path) -> None:
    other = tmp_path / "other.shiji"
    other.write_text(FIRST.read_text().replace("green violet", "green white").replace("violet", "white"))

    page = page_of_two(judged(FIRST), judged(other))

    assert '"common":-1,' in page


def test_a_hidden_tile_is_not_on_the_page_until_the_record_reveals_it(tmp_path: Path) -> None:
    """The hand is shown as recorded, tile by tile; a tile that is `?` in the record is `?` on the page."""
    path = tmp_path / "match.shiji"
    path.write_text(
        FIRST.read_text().replace("unrecorded", "recorded").split("1. ")[0]
        + "1. deal green RB ? ?\n2. deal violet ? ? ?\n3. green Re6Be5\n4. draw YY\n"
    )
    block = re.search(r'id="record">(.*?)</script>', page_of(path), re.DOTALL)
    assert block is not None
    data = json.loads(block[1])
    hands = [data["strings"][frame["facts"][0][2]] for frame in data["panes"][0]]

    assert hands == ["-", "RB ? ?", "RB ? ?", "? ?", "YY ? ?"]


def test_beside_a_transcript_a_record_file_is_shown_without_what_was_taken_back(tmp_path: Path) -> None:
    page_with_a_takeback(tmp_path)
    transcript = tmp_path / "match.shiji"
    transcript.write_text(text("green Re8Re9", "violet Yg8Bh8", "green Re10Rd10", "violet Yg9Yg10"))
    stored = judged(tmp_path / "match.jsonl")

    beside = page_of_two(judged(transcript), stored)
    itself = page_of_two(stored, stored)

    assert '"common":4,' in beside
    assert "goes back" not in beside
    assert '"common":7,' in itself
    assert "arbiter goes back to entry 2" in itself
    assert "not judged" not in beside + itself


def test_a_notice_in_a_record_file_is_no_difference_from_a_transcript(tmp_path: Path) -> None:
    table = begin(ledger_in_memory())
    table.play(*MOVES[:2])
    claim = Notice(EntryKind.OPEN_DISPUTE, Seat(0), encode_dispute(Dispute(1, "that was my cell")))
    table.last = add_notice(table.ledger, table.match, 2, "dispute", claim).entry.sequence
    table.play(MOVES[2])
    stored, transcript = tmp_path / "match.jsonl", tmp_path / "match.shiji"
    stored.write_bytes(b"".join(write_record(table.entries)))
    transcript.write_text(text(*MOVES[:3]))

    page = page_of_two(judged(stored), judged(transcript))

    assert '"common":3,' in page
    assert "disputes" not in page


def test_entries_after_an_illegal_one_are_listed_as_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "match.shiji"
    path.write_text(text("green Ra1Ra2", "violet pass"))

    shown = " ".join(Outline(page_of(path)).text.split())

    assert "1 green Ra1Ra2 illegal" in shown
    assert "2 violet pass not judged" in shown


def test_moves_taken_back_are_shown_beside_those_played_instead(tmp_path: Path) -> None:
    page = page_with_a_takeback(tmp_path)
    block = re.search(r'id="record">(.*?)</script>', page, re.DOTALL)
    assert block is not None
    data = json.loads(block[1])
    kept, gone = [[data["strings"][frame["heading"]] for frame in pane] for pane in data["panes"]]

    assert data["common"] == 4
    assert kept[4:7] == [
        "after entry 4 of 7 (not in the transcript): violet Yg9Yg10",
        "after entry 5 of 7 (not in the transcript): arbiter goes back to entry 2",
        "after entry 6 of 7 (3 in the transcript): green Rd10Re10",
    ]
    assert gone[5:] == ["after entry 4 of 7 (not in the transcript): violet Yg9Yg10"] * 3
