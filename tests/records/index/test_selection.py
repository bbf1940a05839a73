"""Pages of an index have exactly the matches that pass, in order, whatever leads to them."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as some

from records.entry import MatchId
from records.index import rows, selection
from records.index.file import open_index
from records.index.selection import select_page
from records.index.values import AuditState, IndexedMatch, LastAudit, MatchQuery, PlayState, words_in

GAMES = ("qin", "khan", "")
SEATS = ("green", "violet", "Ann of Kitchen", "")
PLACES = ("the kitchen table", "Kitzbühel", "the club", "KITCHEN")
NUMBERS = some.integers(1, 40)


@some.composite
def matches(draw: some.DrawFn) -> list[IndexedMatch]:
    found = []
    for number in range(1, draw(NUMBERS) + 1):
        seats = tuple(draw(some.lists(some.sampled_from(SEATS[:3]), max_size=3, unique=True)))
        tags = tuple(("Place", place) for place in draw(some.lists(some.sampled_from(PLACES), max_size=2)))
        verdict = draw(some.sampled_from((None, *AuditState)[2:]) | some.none())
        found.append(
            IndexedMatch(
                number,
                MatchId(f"{draw(some.sampled_from('ab'))}{number:03}"),
                draw(some.sampled_from(GAMES)),
                "",
                seats,
                draw(some.integers(0, 6)),
                b"",
                tags,
                f" {' '.join(words_in([*seats, *(value for _, value in tags)]))} ",
                state=draw(some.sampled_from(PlayState)),
                stale=draw(some.booleans()),
                sequence=draw(some.integers(0, 3)),
                audited=None if verdict is None else LastAudit(verdict, draw(some.integers(0, 3)), 1, 1),
            )
        )
    return found


QUERIES = some.builds(
    MatchQuery,
    game=some.sampled_from(GAMES),
    seat=some.sampled_from(SEATS),
    state=some.sampled_from((None, *PlayState)),
    audit=some.sampled_from((None, *AuditState)),
    prefix=some.sampled_from(("", "", "a", "b0", "a01", "z")),
    text=some.sampled_from(("", "", "kit", "KITCHEN tab", "t", "kitz", "nobody", "gre")),
    start=some.none() | some.integers(0, 6),
    end=some.none() | some.integers(0, 6),
    newest_first=some.booleans(),
)


def filled(found: Sequence[IndexedMatch]) -> sqlite3.Connection:
    connection, _ = open_index(None)
    rows.insert(connection, found)
    return connection


@settings(deadline=None)
@given(matches(), QUERIES, some.integers(1, 5))
def test_pages_have_every_match_that_passes_once_and_in_order(
    found: list[IndexedMatch], query: MatchQuery, size: int
) -> None:
    with closing(filled(found)) as connection:
        listed: list[IndexedMatch] = []
        after: int | None = None
        while True:
            page = select_page(connection, query, after, size)
            listed += page.rows
            assert len(page.rows) <= size
            if page.last is None:
                break
            after = page.last

    def order(match: IndexedMatch) -> tuple[str, int, int]:
        return match.match if query.prefix else "", match.started, match.number

    passing = sorted(filter(query.passes(), found), key=order, reverse=query.newest_first)
    assert listed == passing


@settings(deadline=None)
@given(matches(), QUERIES)
def test_an_exact_total_is_the_number_of_matches_that_pass(
    found: list[IndexedMatch], query: MatchQuery
) -> None:
    with closing(filled(found)) as connection:
        page = select_page(connection, query, None, 3)

    if page.exact:
        assert page.total == len(list(filter(query.passes(), found)))
    else:
        assert any(match.stale for match in found)


def test_a_count_that_would_take_long_says_that_it_is_not_exact() -> None:
    many = [
        IndexedMatch(
            number, MatchId(f"{number}"), "qin", "", ("green",), 0, b"", words=" kitchen ", stale=False
        )
        for number in range(1, selection._MAX_COUNTED_ROWS + 50)  # noqa: SLF001 - its own bound
    ]
    with closing(filled(many)) as connection:
        by_seat = select_page(connection, MatchQuery(seat="green"), None, 1)
        by_game = select_page(connection, MatchQuery(game="qin"), None, 1)

    assert (by_seat.total, by_seat.exact) == (selection._MAX_COUNTED_ROWS, False)  # noqa: SLF001 - its own bound
    assert (by_game.total, by_game.exact) == (len(many), True)


def test_a_search_among_many_ends_with_a_page_that_is_short_and_not_the_last() -> None:
    many = [
        IndexedMatch(number, MatchId(f"{number}"), "qin", "", ("green",), number, b"", stale=False)
        for number in range(1, 2 * selection._MAX_EXAMINED_ROWS)  # noqa: SLF001 - its own bound
    ]
    rare = IndexedMatch(9999, MatchId("rare"), "khan", "", ("green",), 9999, b"", stale=False)
    with closing(filled([*many, rare])) as connection:
        first = select_page(connection, MatchQuery(seat="green", game="khan"), None, 5)
        second = select_page(connection, MatchQuery(seat="green", game="khan"), first.last, 5)

    assert first.rows == ()
    assert first.last is not None
    assert second.rows == (rare,)
