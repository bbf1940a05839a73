"""`shiji perft`."""

import pytest

from tests.tools.running import run


@pytest.mark.parametrize(
    ("board", "seats", "depth", "count"),
    [
        ("bird", 2, 0, 1),
        ("bird", 2, 1, 252),
        ("bird", 2, 2, 72090),
        ("map:R..", 3, 1, 9),
        ("map:R..", 3, 2, 0),
        ("map:R", 4, 1, 0),
    ],
)
def test_the_count_is_the_last_line(board: str, seats: int, depth: int, count: int) -> None:
    arguments = ("perft", "--board", board, "--seats", str(seats), "--depth", str(depth))

    assert run(*arguments).stdout == f"{count}\n"
    assert run(*arguments, "--divide").stdout.splitlines()[-1] == str(count)


@pytest.mark.parametrize(
    ("game", "board", "seats"),
    [("qin", "bird", 2), ("khan", "khan-reference-0", 2), ("zhanguo", "zhg-ref-1", 2)],
)
def test_without_board_and_seats_it_is_the_first_set_and_the_fewest_that_play_against_each_other(
    game: str, board: str, seats: int
) -> None:
    given = ("perft", "--game", game, "--depth", "1")

    count = run(*given).stdout

    assert int(count) > 0
    assert count == run(*given, "--board", board, "--seats", str(seats)).stdout


def test_divide_prints_the_count_for_each_first_placement() -> None:
    output = run("perft", "--board", "bird", "--seats", "2", "--depth", "2", "--divide").stdout.splitlines()

    counts = dict(line.split(": ") for line in output[:-1])
    assert len(counts) == 252
    assert sum(map(int, counts.values())) == int(output[-1])
    assert next(iter(counts)) == "Re5Re6"


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--seats", "0", "0 is not in the range 1<=x<=8."),
        ("--seats", "1", "Qin is for 2 to 4 seats, not 1"),
        ("--seats", "5", "Qin is for 2 to 4 seats, not 5"),
        ("--edition", "qin/2", "no edition of Qin is called 'qin/2'; known: qin/1"),
        ("--option", "stuck", "'stuck' is not NAME=VALUE"),
        ("--option", "stuck=end", "no option is called 'stuck': the game has no options"),
        ("--depth", "-1", "-1 is not in the range 0<=x<=72."),
        ("--depth", "73", "73 is not in the range 0<=x<=72."),
        ("--depth", "two", "'two' is not a valid integer."),
        ("--board", "lion", "nobody has transcribed the Lion side yet"),
        ("--board", "", "no board is called ''"),
        ("--board", "map:R./...", "row 2 of the map is 3 long, the first 2"),
        ("--board", "map:...", "the map has no starting territory"),
    ],
)
def test_an_invalid_argument_is_refused(option: str, value: str, why: str) -> None:
    arguments = {"--board": "bird", "--seats": "2", "--depth": "1", option: value}

    result = run("perft", *(part for argument in arguments.items() for part in argument))

    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Invalid value for '{option}': {why}" in result.stderr
