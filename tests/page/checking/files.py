"""Records to check in a browser, and pages that check them."""

import base64
from pathlib import Path

from msgspec import structs
from playwright.sync_api import Page, expect

from records.evidence.ed25519 import SIGNATURE_SIZE
from records.files.record_file import read_record, write_record
from tests.project.places import ROOT
from tests.tools.mutating import rechained

GOLDEN = ROOT / "tests/records/golden"
SUFFIXES = {".shiji", ".jsonl", ".bundle"}

JUDGE_MILLISECONDS = 400_000
"""How long a test waits for the judge, which loads 10 MB of Python first; a busy machine needs a minute."""


def golden_files() -> list[Path]:
    """Every golden record, transcript and bundle, good and bad."""
    return sorted(path for path in GOLDEN.rglob("*") if path.suffix in SUFFIXES)


def named(path: Path) -> str:
    return str(path.relative_to(GOLDEN))


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def judge_here(page: Page) -> None:
    """Click the button, and wait until the browser has judged."""
    page.get_by_role("button", name="Judge every move again here").click()
    expect(page.locator(".judged .said")).to_be_visible(timeout=JUDGE_MILLISECONDS)


def checks(page: Page) -> dict[str, str]:
    """What the browser found about the hashes and signatures, by the name of the check."""
    expect(page.locator(".checks[data-done]")).to_be_visible()
    found = (text.partition(": ") for text in page.locator(".checks b").all_inner_texts())
    return {name: state.removesuffix(".") for name, _, state in found}


def signature_forged(content: bytes) -> bytes:
    """The record with nonsense for the last signature in it, and with the hashes that follow from that."""
    entries = list(read_record(content).entries)
    last = max(number for number, entry in enumerate(entries) if entry.signature)
    entries[last] = structs.replace(entries[last], signature=bytes(SIGNATURE_SIZE))
    return b"".join(write_record(rechained(entries)))
