"""The server's pages of an archive that a hostile person wrote to: nothing runs, nothing is displaced."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.header import encode_header
from records.entry import MatchHeader
from tests.page.layout import WIDTHS, layout_faults
from tests.page.opening import Opened, axe_faults
from tests.page.records import NASTY
from tests.records.archives import add
from tests.records.matches import MOVES, forged, header, played, renamed
from tests.records.texts import text
from tests.service.calls import request_id
from tests.service.servers import Running, serving

TURNED = "\u202e\u2066"
"""Characters that turn the direction of all text after them, which the service takes from nobody."""

HOSTILE = f"{NASTY}{TURNED}"
LONG = HOSTILE + "x" * (10_000 - len(HOSTILE))
LONGEST_TAG = NASTY.replace("\u2028", "") + "y" * 10_000
LONGEST_NAMES = ("g" * 100, "v" * 100)

OUTSIDE = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    const turns = /[\\u202a-\\u202e\\u2066-\\u2069]/.test(data);
    if (turns && !parentElement.closest("bdi")) found.push(data.slice(0, 80));
  }
  return found;
}"""
"""Texts that could turn the direction of those around them."""


def stored(path: Path, changed: MatchHeader, name: str) -> str:
    """A match with a header that the service would not have written; its id."""
    record = renamed(played(*MOVES), name)
    add(path, forged(record, 0, move=encode_header(changed)))
    return name


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, dict[str, str]]]:
    """A server, and the addresses of its pages by name."""
    path = tmp_path_factory.mktemp("hostile") / "shiji.db"
    usual = header()
    tagged = stored(path, replace(usual, tags=(("Event", LONG), ("Place", HOSTILE))), "tagged")
    seated = stored(path, replace(usual, setup=replace(usual.setup, seats=(HOSTILE, "v" * 10_000))), "seated")
    with serving(path, "--web", "127.0.0.1:0") as server:
        started = server.stub.StartMatch(
            pb.StartMatchRequest(
                request_id=request_id(),
                game="qin",
                seats=LONGEST_NAMES,
                tags=[headers.Tag(name="Event", value=LONGEST_TAG)],
            )
        ).match.match_id
        claim = NASTY.replace("\u2028", "")
        server.stub.OpenDispute(
            pb.OpenDisputeRequest(
                match_id=started,
                request_id=request_id(),
                actor=entries.Actor(seat=0),
                claim=claim + "z" * (1000 - len(claim)),
            )
        )
        content = text(f"green Re8Re9 ; {claim}{'c' * 10_000}").encode()
        commented = server.stub.ImportRecord(pb.ImportRecordRequest(content=content)).match_id
        yield (
            server,
            {
                "archive": "/",
                "search": "/?q=x",
                "tagged": f"/matches/{tagged}",
                "tagged dispute": f"/matches/{tagged}/dispute",
                "seated": f"/matches/{seated}",
                "seated dispute": f"/matches/{seated}/dispute",
                "long names": f"/matches/{started}?as=0",
                "disputed": f"/matches/{started}/dispute",
                "commented": f"/matches/{commented}",
                "compared": f"/compare?a={commented}&b={started}",
                "address": f"/matches/{'%3Cb%3E' * 10}?entry=%E2%80%AE",
            },
        )


NAMES = (
    "archive",
    "search",
    "tagged",
    "tagged dispute",
    "seated",
    "seated dispute",
    "long names",
    "disputed",
    "commented",
    "compared",
    "address",
)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_tags_and_comments_are_only_text(
    browser: Browser, site: tuple[Running, dict[str, str]], name: str
) -> None:
    server, addresses = site
    with Opened(browser, server.web) as opened:
        for width in (min(WIDTHS), 1280):
            page = opened.page(addresses[name], width)

            assert layout_faults(page) == []
            assert axe_faults(page) == []
            assert page.locator("main img, main script, main style, main iframe").count() == 0
            assert page.locator("script").count() == 1
            assert page.title() != "owned"
            assert page.evaluate(OUTSIDE) == []
        assert opened.foreign == []


def test_what_is_hostile_is_shown_all_the_same(
    browser: Browser, site: tuple[Running, dict[str, str]]
) -> None:
    server, addresses = site
    with Opened(browser, server.web) as opened:
        assert NASTY[:40] in opened.page("/").locator(".matches").inner_text()
        for name in ("tagged", "disputed", "commented"):
            assert NASTY[:40] in str(opened.page(addresses[name]).locator("main").text_content()), name
