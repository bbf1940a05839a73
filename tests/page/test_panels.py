"""Panels on a page: the board as a drawing, everything else as text, escaped."""

from records.games.page_panels import page_panels
from rules.kernel.display import TextStyle
from rules.kernel.panels import (
    LAST,
    Grid,
    HandPanel,
    Look,
    Market,
    Owner,
    PanelCard,
    PanelToken,
    SeatTable,
    Space,
    Track,
)
from rules.kernel.squares import Size, Square

BOARD = Grid("", Size(1, 1), {0: Square("m", TextStyle())}, below=("draw pile 3",))
TOKEN = PanelToken("1▲", Look("#1c8048", "#ffffff"), LAST)


def test_the_first_grid_is_the_board_and_its_lines_are_text() -> None:
    shown = page_panels((BOARD,))

    assert shown.board is not None
    assert "draw pile" not in "".join(shown.board.parts)
    assert shown.beside == ('<p class="below">draw pile 3</p>',)


def test_a_game_without_a_grid_has_no_board() -> None:
    shown = page_panels((HandPanel("hand of green", ()),))

    assert shown.board is None
    assert "<h3>hand of green</h3>" in shown.beside[0]
    assert ">-</li>" in shown.beside[0]


def test_every_text_of_a_panel_is_on_the_page() -> None:
    panels = (
        Track("elixir", (Space("3", (TOKEN,), "two coins"),)),
        Market("court", (PanelCard("57", ("draw a card",), (TOKEN,)),)),
        SeatTable("clans", ("coins",), (Owner("Reed", "<g/>", ("4",), is_seat=False),)),
        Grid("map", Size(1, 1), {0: Square("z", TextStyle())}),
    )

    text = "".join(page_panels((BOARD, *panels)).beside)

    for said in (
        "elixir",
        "3",
        "two coins",
        "1▲*",
        "court",
        "57",
        "draw a card",
        "Reed",
        "coins 4",
        "map",
        ">z<",
    ):
        assert said in text


def test_texts_of_a_component_set_are_escaped() -> None:
    shown = page_panels((Market("<b>", (PanelCard("<script>", ("a & b",)),)),))

    assert "<script>" not in shown.beside[0]
    assert "&lt;script&gt;" in shown.beside[0]
    assert "a &amp; b" in shown.beside[0]


def test_cards_in_columns_say_so_in_their_class() -> None:
    cards = tuple(PanelCard(str(number)) for number in range(4))

    assert '<ul class="market columns columns-2">' in page_panels((Market("a", cards, 2),)).beside[0]
    assert '<ul class="market">' in page_panels((Market("a", cards),)).beside[0]
