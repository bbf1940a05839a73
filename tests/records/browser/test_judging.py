"""What is verified in a browser rests on no signature that the browser did not check."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from records.browser.judge import Judging, report_of
from records.evidence.ed25519 import PublicKey, WrongSignature
from rules.kernel.setup import GameKey
from tests.page.checking.files import GOLDEN, signature_forged
from tests.tools.forms import form_named, original
from tests.tools.mutating import file_of

SIGNED = GOLDEN / "bundles/shiji-bundle-1-every-kind.jsonl"
LOGGED = GOLDEN / "version-2/sealed.bundle"
RECORD = GOLDEN / "version-2/khan-closed.jsonl"

Check = Callable[[bytes, bytes, bytes], bool | None]
"""Whether a signature is good; None if that cannot be known."""


class Report(Struct):
    """Parts of a report."""

    verdict: str
    sentence: str
    unchecked: int
    missing: list[str]
    proven: object = None


def judged(content: bytes, check: Check) -> Report:
    """Parts of the last report of a browser that checks signatures in this way."""
    return msgspec.json.decode(report_after(content, check), type=Report)


def report_after(content: bytes, check: Check) -> str:
    """The last report of a browser that checks signatures in this way."""
    judging = Judging("file", content)
    while True:
        report = judging.attempt()
        unknown = judging.unknown()
        if not unknown:
            return report
        for number, signed in enumerate(unknown):
            match check(*signed):
                case True:
                    judging.confirm(number)
                case False:
                    judging.refute(number)
                case None:
                    judging.leave_unchecked(number)


def is_good(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        PublicKey(key).verify(message, signature)
    except WrongSignature:
        return False
    return True


def no_ed25519(*_: bytes) -> None:
    """Answers as a browser without Ed25519."""


def log_changed(content: bytes) -> bytes:
    """The bundle with the last bytes of the signatures under its checkpoint changed."""
    line, _, rest = content.partition(b"\n")
    envelope = json.loads(line)
    note = envelope["log"]["checkpoint"].removesuffix("\n").split("\n")
    signed = note.index("") + 1
    note[signed:] = [f"{each[:-8]}AAAA{each[-4:]}" for each in note[signed:]]
    envelope["log"]["checkpoint"] = "\n".join(note) + "\n"
    first = json.dumps(envelope, separators=(",", ":"), ensure_ascii=False)
    return first.encode() + b"\n" + rest


@pytest.mark.parametrize("path", [SIGNED, LOGGED], ids=["signed", "logged"])
def test_a_browser_that_checks_every_signature_has_the_verdict_of_the_command(path: Path) -> None:
    content = path.read_bytes()

    assert report_after(content, is_good) == report_of("file", content)


def forged() -> dict[str, bytes]:
    """Files in which signatures are nonsense, and nothing else."""
    return {"entries": signature_forged(RECORD.read_bytes()), "log": log_changed(SIGNED.read_bytes())}


@pytest.mark.parametrize("which", forged())
def test_a_forged_signature_that_is_checked_is_refused(which: str) -> None:
    bad = forged()[which]

    assert judged(bad, is_good).verdict == "corrupt"
    assert report_after(bad, is_good) == report_of("file", bad)


@pytest.mark.parametrize("content", [RECORD.read_bytes(), forged()["entries"]], ids=["good", "forged"])
def test_a_record_with_signatures_that_nobody_checked_is_verified_as_far_as_shown(content: bytes) -> None:
    found = judged(content, no_ed25519)

    assert (found.verdict, found.unchecked) == ("as-shown", 25)
    assert found.sentence == "Verified as far as this browser can check: 25 signatures not checked"


@pytest.mark.parametrize("content", [SIGNED.read_bytes(), forged()["log"]], ids=["good", "forged"])
def test_a_bundle_with_signatures_that_nobody_checked_proves_only_its_chain(content: bytes) -> None:
    found = judged(content, no_ed25519)

    assert found.verdict == "as-shown"
    (why,) = found.missing
    assert found.proven == {
        "chain": True,
        "signatures": {"entries": 0, "why": why},
        "log": None,
        "cosignatures": [],
    }


def test_parts_that_are_left_out_are_named_beside_signatures_that_were_not_checked() -> None:
    record = original(GameKey("qin"), form_named("signed, for a spectator"))

    found = judged(file_of(record, None), no_ed25519)

    assert found.verdict == "as-shown"
    assert found.sentence.startswith("Verified as far as shown, ")
    assert "; verified as far as this browser can check: " in found.sentence
    assert len(found.missing) > 1


def test_one_signature_that_was_not_checked_is_enough_to_lower_the_verdict() -> None:
    asked: list[bytes] = []

    def all_but_one(key: bytes, message: bytes, signature: bytes) -> bool | None:
        asked.append(signature)
        return None if len(asked) == 1 else is_good(key, message, signature)

    found = judged(SIGNED.read_bytes(), all_but_one)

    assert len(asked) > 1
    assert (found.verdict, found.unchecked) == ("as-shown", 1)
    assert found.sentence == "Verified as far as this browser can check: 1 signature not checked"


def test_an_attempt_before_anything_was_checked_is_no_verdict_yet() -> None:
    judging = Judging("file", SIGNED.read_bytes())

    assert json.loads(judging.attempt())["verdict"] == "as-shown"
    assert judging.unknown() != []


def test_a_record_without_signatures_is_verified_in_every_browser() -> None:
    content = (GOLDEN / "version-2/plain.jsonl").read_bytes()

    assert report_after(content, no_ed25519) == report_of("file", content)
