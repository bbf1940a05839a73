"""docs/evidence.md agrees with the code; its test vectors were computed by another program."""

import re
from typing import get_args

from records.entry import Entry, EntryKind, MatchId, entry_hash
from records.evidence import note
from records.evidence.concealment import (
    CHOICE,
    VIEW,
    Commitment,
    PartHasher,
    Slot,
    choice_content,
    format_concealed,
    view_content,
)
from records.evidence.ed25519 import SecretKey
from records.evidence.personal_commitment import commit_personal
from records.evidence.sealing import Pledge, commit_secret, commit_share, deck_key, mix, seal, shuffle
from records.evidence.signing import Claim, RotationClaim, public_text, secret_text
from records.evidence.witness import WitnessRefusal
from tests.project.places import ROOT

PAGE = (ROOT / "docs/evidence.md").read_text()
VECTORS = dict(re.findall(r"^\| ([^|]+?) \| [^|]+ \| `([^`|]+)` \|$", PAGE, re.MULTILINE))

MATCH, PREVIOUS = MatchId("m1"), bytes(range(32))
KEY, NEXT = SecretKey(b"\1" * 32), SecretKey(b"\3" * 32)
CLAIM = Claim(MATCH, 3, EntryKind.MOVE, 0, PREVIOUS, b"Re8Re9")
SECRET, SHARES = b"s" * 32, {0: b"g" * 32, 1: b"v" * 32}
TOKENS = tuple("abcdefghij")


def test_keys_and_signatures_are_those_of_the_page() -> None:
    assert VECTORS["public key"] == public_text(KEY.public)
    assert VECTORS["secret key"] == secret_text(KEY)
    assert VECTORS["claim"] == CLAIM.digest.hex()
    assert VECTORS["signature"] == KEY.sign(CLAIM.digest).hex()
    assert VECTORS["rotation"] == RotationClaim(MATCH, 4, 0, PREVIOUS, NEXT.public).digest.hex()


def test_sealed_orders_are_those_of_the_page() -> None:
    shares = tuple((seat, commit_share(MATCH, seat, share)) for seat, share in SHARES.items())
    pledge = Pledge(MATCH, commit_secret(MATCH, SECRET), shares)
    seed = mix(pledge, SECRET, SHARES)
    order = seal(MATCH, 0, TOKENS, seed)

    assert VECTORS["secret's commitment"] == pledge.secret.hex()
    assert [VECTORS["share's commitment"], VECTORS["other share's commitment"]] == [
        commitment.hex() for _, commitment in shares
    ]
    assert VECTORS["seed"] == seed.hex()
    assert VECTORS["shuffle 0"] == "".join(order.tokens)
    assert VECTORS["shuffle 1"] == "".join(shuffle(seed, 1, TOKENS))
    assert VECTORS["salt"] == order.salts[0].hex()
    assert VECTORS["leaf hash"] == order.nodes(0, 0).hex()
    assert VECTORS["root"] == order.seal.root.hex()


def test_concealed_parts_are_those_of_the_page() -> None:
    hasher, seed, view = PartHasher(MATCH), bytes.fromhex(VECTORS["seed"]), bytes.fromhex(VECTORS["view"])
    draw, pick = Slot(3, 0, VIEW, -1, 2), Slot(4, 0, CHOICE, 1, 2)
    salt = hasher.derive_salt(seed, draw, PREVIOUS, view)
    digest = hasher.digest(draw, salt, view)
    chosen = hasher.digest(pick, b"c" * 32, choice_content(b"pick economy"))
    entry = Entry(
        match=MATCH,
        sequence=3,
        kind=EntryKind.MOVE,
        actor=-1,
        move=b"draw ?",
        events=b"TileDrawn?",
        state=b"\x09" * 32,
        request="r1",
        recorded=1_700_000_000_000_000,
        previous=PREVIOUS,
        concealed=format_concealed([Commitment(VIEW, 2, digest)]),
    )
    claimed = Claim(MATCH, 4, EntryKind.CHOOSE, 1, PREVIOUS, b"", 2, bytes([CHOICE, *bytes(7), 2]) + chosen)

    assert view == view_content(b"draw RB", b"TileDrawn")
    assert VECTORS["view's salt"] == salt.hex()
    assert VECTORS["view's digest"] == digest.hex()
    assert VECTORS["entry hash, version 2"] == entry_hash(entry).hex()
    assert VECTORS["choice's digest"] == chosen.hex()
    assert VECTORS["claim, version 2"] == claimed.digest.hex()


def test_decks_with_names_are_those_of_the_page() -> None:
    seed = bytes.fromhex(VECTORS["seed"])
    order = seal(MATCH, 0, TOKENS, seed, "tactics")

    assert VECTORS["key of a deck"] == deck_key(seed, MATCH, "tactics").hex()
    assert VECTORS["order of a deck"] == "".join(order.tokens)
    assert VECTORS["leaf hash of a deck"] == order.nodes(0, 0).hex()


def test_a_personal_commitment_is_that_of_the_page() -> None:
    assert VECTORS["name"] == commit_personal(b"k" * 32, "name", "Sima Qian").hex()


def test_every_vector_is_checked() -> None:
    assert len(VECTORS) == 24


def test_every_refusal_of_a_witness_and_every_limit_is_named() -> None:
    assert all(f"| {refusal.__name__} |" in PAGE for refusal in get_args(WitnessRefusal))
    assert f"at most {note.MAX_NOTE_BYTES // 1024} KiB and {note.MAX_SIGNATURES} signatures" in PAGE


def test_the_page_links_only_to_existing_files() -> None:
    links = re.findall(r"\]\((?!https:)([^)#]+)[^)]*\)", PAGE)

    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
