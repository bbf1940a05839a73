"""The pages in a real browser: mouse and keyboard, desktop and phone, both themes."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.layout import WIDTHS, layout_faults
from tests.page.records import (
    FIRST,
    GREAT_WALL,
    KHAN,
    KHAN_REFUSED,
    LONG,
    NASTY,
    REFUSED,
    ZHANGUO,
    judged,
    nasty_page,
    page_of,
    page_of_two,
    page_with_a_takeback,
)

pytestmark = pytest.mark.xdist_group("browser")  # all tests share one browser

DESKTOP = (1280, 800)
PHONE = (360, 740)
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
"""The accessibility checker axe-core."""
STORAGE_TIMEOUT_SECONDS = 60.0
"""Timeout for the browser to store the theme; generous, for a busy machine."""


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    texts = {
        "first": page_of(FIRST),
        "refused": page_of(REFUSED),
        "long": page_of(LONG),
        "diff": page_of_two(judged(FIRST), judged(REFUSED)),
        "khan": page_of(KHAN),
        "khan-refused": page_of(KHAN_REFUSED),
        "zhanguo": page_of(ZHANGUO),
        "great-wall": page_of(GREAT_WALL),
        "takeback": page_with_a_takeback(folder),
        "nasty": nasty_page(folder),
    }
    found = {}
    for name, text in texts.items():
        found[name] = folder / f"{name}.html"
        found[name].write_text(text, encoding="utf-8")
    return found


@contextmanager
def opened(
    browser: Browser,
    path: Path,
    *,
    at: str = "",
    size: tuple[int, int] = DESKTOP,
    scheme: Literal["light", "dark"] = "light",
) -> Iterator[Page]:
    """Open a page; at the end the console must be empty, and nothing requested from the network."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url) if request.url[:5] != "file:" else None)
    page.goto(f"{path.as_uri()}{at}")
    try:
        yield page

        assert [fault for fault in faults if not fault.startswith("data:image/svg")] == []
    finally:
        context.close()


def heading(page: Page) -> str:
    return page.locator(".pane:not([hidden]) .heading").first.inner_text()


def assert_at(page: Page, entry: int) -> None:
    expect(page.locator(".entries a[aria-current]").first).to_have_attribute("href", f"#entry={entry}")
    assert page.url.endswith(f"#entry={entry}")
    assert page.locator("#slider").input_value() == str(entry)


def test_buttons_slider_and_links_step_through_the_record(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["first"]) as page:
        assert heading(page) == "At the start, before entry 1 of 4"

        page.get_by_role("button", name="Forward").click()
        assert_at(page, 1)
        assert heading(page) == "After entry 1 of 4: green Re6Be5"
        expect(page.locator(".events li")).to_have_text(
            [
                "green placed blue on e5 and red on e6 QIN-TURN-1",
                "green founded a red province of 2 cells at e6, with 1 pagoda QIN-FOUND-1",
            ]
        )
        expect(page.locator(".seats tbody tr").first.locator("td")).to_have_text(["23", "1", "? ? ?"])
        expect(page.locator(".turn")).to_have_text("violet to place")

        page.get_by_role("button", name="To the end").click()
        assert_at(page, 4)
        expect(page.locator(".comment").first).to_have_text("three cells against two: green takes it all")
        page.get_by_role("button", name="Back", exact=True).click()
        assert_at(page, 3)
        page.get_by_role("link", name="2 violet").click()
        assert_at(page, 2)
        page.locator("#slider").fill("1")
        assert_at(page, 1)
        page.get_by_role("button", name="To the start").click()
        assert_at(page, 0)


def test_a_link_opens_the_page_at_its_entry(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["long"], at="#entry=37") as page:
        assert_at(page, 37)
        assert heading(page).startswith("After entry 37 of ")
        current = page.locator(".entries a[aria-current]")
        assert current.evaluate(
            "link => { const list = link.closest('ol'), l = list.getBoundingClientRect(),"
            " a = link.getBoundingClientRect(); return a.top >= l.top - 1 && a.bottom <= l.bottom + 1; }"
        )


@pytest.mark.parametrize("at", ["#entry=999999", "#entry=-1", "#entry=x", "#nonsense"])
def test_a_link_to_a_missing_entry_does_no_harm(browser: Browser, pages: dict[str, Path], at: str) -> None:
    with opened(browser, pages["first"], at=at) as page:
        assert heading(page) in {"At the start, before entry 1 of 4", "After entry 4 of 4: violet Re8Rf8"}


def test_a_page_can_be_used_with_the_keyboard_alone(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["refused"]) as page:
        page.keyboard.press("Tab")
        expect(page.locator(":focus")).to_have_text("Skip to the board")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowLeft")
        assert_at(page, 2)
        page.keyboard.press("ArrowRight")
        assert_at(page, 3)
        page.keyboard.press("ArrowRight")
        assert_at(page, 3)

        seen = []
        for _ in range(40):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.dataset.to || document.activeElement.id"))
            if seen[-1] == "slider":
                break
        assert [name for name in seen if name in {"first", "back", "next", "last", "violation"}] == [
            "first",
            "back",
            "next",
            "last",
            "violation",
        ]
        page.keyboard.press("Home")
        assert_at(page, 0)
        page.keyboard.press("End")
        assert_at(page, 3)
        page.keyboard.press("Home")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        assert_at(page, 3)


def test_screen_readers_are_given_what_happened(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["first"]) as page:
        expect(page.get_by_role("status")).to_have_text("")
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("status")).to_contain_text("green founded a red province of 2 cells at e6")
        expect(page.get_by_role("img", name="Board after entry 1 of 4: green Re6Be5")).to_be_visible()
        page.get_by_text("The board in words").click()
        expect(page.locator(".holds dd").first).to_have_text("red province of 2 cells at e6")


def test_the_page_of_an_illegal_record_opens_at_its_violation(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with opened(browser, pages["refused"]) as page:
        assert heading(page) == "Entry 3 of 3 is refused: green Re8Rf8"
        expect(page.locator(".verdict .said")).to_have_text("Illegal at entry 3 of 3")
        expect(page.locator(".verdict article")).to_contain_text("No join on a tie")
        expect(page.locator(".events.refused li")).to_contain_text("joined at a tie: green 2, violet 2")
        page.locator(".events a").click()
        assert page.url.endswith("#QIN-ABSORB-4")
        page.get_by_role("button", name="To the start").click()
        assert_at(page, 0)
        page.get_by_role("button", name="To the first violation").click()
        assert_at(page, 3)


def test_two_records_are_side_by_side_from_their_first_difference(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with opened(browser, pages["diff"], at="#entry=2") as page:
        boards = page.locator(".pane:not([hidden])")
        expect(boards).to_have_count(1)
        expect(boards.locator(".name")).to_contain_text(" = ")

        page.get_by_role("button", name="To the first difference").click()
        expect(boards).to_have_count(2)
        expect(boards.locator(".heading")).to_have_text(
            ["after entry 3 of 4: green Rd7Yd8", "entry 3 of 3 is refused: green Re8Rf8"]
        )
        left, right = (board.bounding_box() for board in boards.all())
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] <= right["x"]

        page.keyboard.press("ArrowRight")
        expect(boards.locator(".heading").first).to_have_text("after entry 4 of 4: violet Re8Rf8")
        expect(page.locator(".verdict .said")).to_have_count(2)


def test_moves_taken_back_are_still_shown(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["takeback"], at="#entry=7") as page:
        expect(page.locator(".pane:not([hidden]) .name")).to_have_text(["as it stands", "taken back"])


def reload_until(page: Page, holds: Callable[[], bool]) -> None:
    """Reloads a page until something holds: it may be faster than the storage that it reads."""
    end = time.monotonic() + STORAGE_TIMEOUT_SECONDS
    page.reload()
    while not holds():
        assert time.monotonic() < end, "nothing was stored"
        page.wait_for_timeout(50)
        page.reload()


def test_the_theme_follows_the_system_and_the_button(browser: Browser, pages: dict[str, Path]) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, pages["first"]) as page:
        light = page.evaluate(background)
        page.get_by_role("button", name="Dark theme").click()
        toggled = page.evaluate(background)
        assert toggled != light
        reload_until(page, lambda: bool(page.evaluate(background) == toggled))
    with opened(browser, pages["first"], scheme="dark") as page:
        assert page.evaluate(background) == toggled
        page.get_by_role("button", name="Light theme").click()
        assert page.evaluate(background) == light


@pytest.mark.parametrize("name", ["refused", "long", "diff"])
def test_nothing_is_wider_than_the_screen_of_a_phone(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    with opened(browser, pages[name], size=PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        board = page.locator(".board").first.bounding_box()
        button = page.get_by_role("button", name="Forward").bounding_box()
        assert board is not None
        assert button is not None
        assert board["width"] > PHONE[0] * 0.85
        assert min(button["width"], button["height"]) >= 44
        # What two records come to is said before the boards, which may fill the first screen.
        assert name == "diff" or button["y"] + button["height"] <= PHONE[1]


def test_a_title_has_the_whole_width_of_a_phone(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["great-wall"], size=PHONE) as page:
        header = page.locator("header").bounding_box()
        title = page.locator("h1").bounding_box()
        assert header is not None
        assert title is not None
        assert title["width"] == header["width"]


def test_a_choice_of_a_general_is_explained_and_spoken(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["great-wall"], at="#entry=6") as page:
        expect(page.locator("p.explanation")).to_have_text("")
        page.get_by_role("button", name="Forward").click()

        expect(page.locator(".heading")).to_contain_text("green general general-08")
        words = "General 08 gives 2 chi per assistant for each part of the wall built and starts with 5 wood"
        expect(page.locator("p.explanation")).to_contain_text(words)
        expect(page.locator("#status")).to_contain_text(words)


@pytest.mark.parametrize("name", ["long", "khan"])
def test_the_whole_board_is_on_the_first_screen_of_a_desktop(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    with opened(browser, pages[name]) as page:
        board = page.locator(".board svg").first.bounding_box()

        assert board is not None
        assert board["y"] + board["height"] <= DESKTOP[1]
        assert board["height"] > DESKTOP[1] * 0.65


def test_the_rules_that_are_cited_stand_below_in_the_whole_width(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with opened(browser, pages["khan"]) as page:
        cited, entries = page.locator(".rules").bounding_box(), page.locator("aside").bounding_box()

        assert cited is not None
        assert entries is not None
        assert cited["y"] >= entries["y"] + entries["height"]
        assert cited["width"] > DESKTOP[0] * 0.9


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "name", ["refused", "long", "diff", "takeback", "khan", "khan-refused", "zhanguo", "great-wall"]
)
def test_nothing_is_covered_or_cut_off_and_no_page_scrolls_sideways(
    browser: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    at = "#entry=150" * (name in {"khan", "zhanguo", "great-wall"})
    with opened(browser, pages[name], at=at, size=(width, 800)) as page:
        assert layout_faults(page) == []


@pytest.mark.parametrize(
    ("part", "style", "fault"),
    [
        (".caution", "position: fixed; inset: 0; z-index: 2", "covered by"),
        (".wide", "width: 100rem", "the page scrolls sideways"),
        (".events", "width: 5rem; overflow: hidden; text-wrap: nowrap", "cut off"),
    ],
)
def test_a_page_that_is_laid_out_badly_is_found(
    browser: Browser, pages: dict[str, Path], part: str, style: str, fault: str
) -> None:
    with opened(browser, pages["khan"], at="#entry=150") as page:
        page.locator(part).first.evaluate(f"part => (part.style.cssText = '{style}')")

        assert any(found.startswith(fault) for found in layout_faults(page))


def test_a_page_of_khan_has_what_lies_beside_the_board_as_text(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with opened(browser, pages["khan"], at="#entry=150", size=PHONE) as page:
        expect(page.locator(".below")).to_have_text([re.compile("^pieces left: "), re.compile("^draw pile ")])
        expect(page.locator(".seats tbody tr").first.locator("td").last).to_have_text(
            "E.S.mountain E.SE.neighbour E.S.joker H.N.ice"
        )
        assert page.locator(".board svg text", has_text="pieces left").count() == 0


def test_text_of_a_record_is_never_executed(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["nasty"], at="#entry=1") as page:
        expect(page.locator(".pane:not([hidden]) .comment")).to_have_text(NASTY.replace("\u2028", " "))
        assert page.title().startswith("Qin: green, violet")
        assert page.locator("img").count() == 0


@pytest.mark.parametrize("name", ["refused", "long", "diff", "khan", "khan-refused", "zhanguo", "great-wall"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_accessibility_violation(
    browser: Browser, pages: dict[str, Path], name: str, scheme: Literal["light", "dark"]
) -> None:
    size = PHONE if scheme == "dark" else DESKTOP
    with opened(browser, pages[name], at="#entry=4" * (name == "diff"), scheme=scheme, size=size) as page:
        page.evaluate(AXE)
        found = page.evaluate("async () => (await axe.run()).violations.map(v => [v.impact, v.id, v.help])")

        assert found == []


def test_a_long_record_has_all_its_entries(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["long"]) as page:
        assert page.locator(".entries a").count() == 1 + len(judged(LONG).entries)
