"""Damaged transcripts are judged or refused, and never crash the command; tests/fuzz tries many more."""

import json
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.running import run

TRANSCRIPTS = 300
GOLDEN = Path(__file__).parents[1] / "records/golden/qin"
ORIGINALS = [
    (GOLDEN / f"{name}.shiji").read_bytes()
    for name in ("corridor", "end-declared-on-a-lake", "forced-pass", "starts-side-by-side", "unfinished")
]
SCRAPS = (
    *b'[]";.=*?/\\~RYBabz0129\x00\xff\r\n\t ',
    b"1. green pass",
    b"draw RB from 9",
    b"deal green RR ? YB",
    b'[Rulings "stuck=end"]',
    b'[Board "map:RYB/.../a.a"]',
    b"Ra1Ba2",
    b"end",
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A transcript with some bytes removed, some inserted, and perhaps its lines shuffled."""
    data = draw(st.sampled_from(ORIGINALS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = draw(st.integers(start, min(len(data), start + 12)))
        scrap = draw(st.sampled_from(SCRAPS) | st.binary(max_size=4))
        data = data[:start] + (bytes([scrap]) if isinstance(scrap, int) else scrap) + data[stop:]
    if draw(st.booleans()):
        data = b"\n".join(draw(st.permutations(data.split(b"\n"))))
    return data


@st.composite
def replayed(draw: st.DrawFn) -> bytes:
    """A transcript with its moves shuffled, in which every line is still readable."""
    tags, _, rest = draw(st.sampled_from(ORIGINALS)).decode().partition("\n\n")
    moves = re.findall(r"^[0-9]+\. ([^;\n]+)", rest, re.MULTILINE)
    shuffled = draw(st.permutations(moves))
    entries = "\n".join(f"{number}. {move}" for number, move in enumerate(shuffled, start=1))
    return f"{tags}\n\n{entries}\n".encode()


@given(damaged() | replayed())
@settings(max_examples=TRANSCRIPTS)
def test_a_damaged_transcript_gets_a_verdict(data: bytes) -> None:
    result = run("verify", "--json", "-", stdin=data)

    report = json.loads(result.stdout)
    codes = {"verified": 0, "illegal": 1, "diverged": 1, "unreadable": 2}
    assert result.exit_code == codes[report["verdict"]]
    assert (report["verdict"] == "illegal") == bool(report["rules"])
    assert (report["verdict"] == "unreadable") == (not report["position"])


@given(damaged())
@settings(max_examples=TRANSCRIPTS // 3)
def test_a_damaged_transcript_is_shown_or_refused(data: bytes) -> None:
    judged, shown = run("verify", "-", stdin=data), run("show", "-", stdin=data)

    assert judged.exit_code in {0, 1, 2}
    assert (shown.exit_code == 2) == (judged.exit_code == 2)
    assert "\x00" not in judged.output + shown.output
