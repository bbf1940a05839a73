"""`shiji games`, `shiji rules` and `shiji boards`."""

import json
from contextlib import suppress

import pytest

from records.games.registry import GAMES, find_game
from records.games.shipped import SHIPPED
from rules.kernel.setup import BadSetup, GameKey, Setup
from rules.zhanguo.components import REFERENCE_LABEL
from tests.tools.running import run

QIN = find_game("qin").about
NAMES = [*(str(rule.id) for rule in QIN.rules), *(ruling.name for ruling in QIN.rulings)]


def objects(*arguments: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run(*arguments, "--json").stdout.splitlines()]


def test_every_game_is_listed_with_its_editions() -> None:
    output = run("games").stdout

    for game in GAMES:
        assert f"{game.about.key}: {game.about.title} (" in output
        assert all(f"  edition   {edition.key}: " in output for edition in game.about.editions)
    assert [game["game"] for game in objects("games")] == [*GAMES.keys]


def test_the_component_sets_of_games_are_listed_by_name() -> None:
    lines = run("games").stdout.splitlines()

    assert "  set       khan-reference-0" in lines
    assert "  board     bird" in lines


@pytest.mark.parametrize("command", [("games",), ("components",), ("components", "show", "zhg-ref-1")])
def test_the_invented_set_of_zhanguo_is_labelled_wherever_it_is_listed(command: tuple[str, ...]) -> None:
    assert REFERENCE_LABEL in " ".join(run(*command).stdout.replace("\n#", "").split())


def test_every_rule_and_ruling_of_a_game_is_listed() -> None:
    output = run("rules", "qin").stdout

    assert [rule.id for rule in QIN.rules if f"  {rule.id} " not in output] == []
    assert [ruling.name for ruling in QIN.rulings if f" {ruling.name}={ruling.default}\n" not in output] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_and_ruling_can_be_looked_up(name: str) -> None:
    result = run("rules", "qin", name)

    assert result.exit_code == 0
    assert result.stdout.startswith(f"{name} ")


def test_a_rule_is_shown_with_its_source_and_its_rulings() -> None:
    assert run("rules", "qin", "QIN-ABSORB-6").stdout == (
        "QIN-ABSORB-6 Majors are never lost\n"
        "  rule      A major can swallow smaller provinces, but stays with its owner for good. A join that"
        " the count would not clearly give to that owner is not allowed.\n"
        "  source    S0 L181-190, S1 L148 (AMB-11)\n"
        "  ruling    major-conflict=illegal (AMB-11): The tile cannot be placed there.\n"
        "  qin/1     S0: French rules sheet with the vocabulary of the Gigamic edition, damaged in places\n"
        "  qin/1     S1: eggertspiele rules sheet of 2012, in French translation\n"
    )


def test_a_rule_of_the_great_wall_is_shown_with_the_ruling_that_bears_on_it() -> None:
    _, _, source, ruling, *_ = run("rules", "great-wall", "GW-BLD-05").stdout.splitlines()

    assert source == "  source    L599 (AMB-13)"
    assert ruling.startswith("  ruling    warehouse-first=settled (AMB-13): No: what fits in the warehouse")


def test_a_ruling_that_settles_several_questions_is_found_by_each_number() -> None:
    by_number = [run("rules", "great-wall", number).stdout for number in ("AMB-01", "AMB-03", "AMB-15")]

    assert set(by_number) == {run("rules", "great-wall", "reed-counts").stdout}
    assert "  bears on  GW-RAI-01 Raids\n" in by_number[0]


def test_a_rule_that_no_move_can_break_says_why() -> None:
    assert (
        "  enforced  not by a check: no move takes a territory off the board\n"
        in run("rules", "qin", "QIN-PROV-3").stdout
    )


@pytest.mark.parametrize("name", ["major-conflict", "AMB-11", "amb-11", "Major-Conflict"])
def test_a_ruling_is_shown_with_its_readings_by_name_or_number(name: str) -> None:
    output = run("rules", "qin", name).stdout

    for line in (
        "major-conflict (AMB-11)\n  question  What if a join would give a major",
        "  reading   major-conflict=illegal (default): The tile cannot be placed there.\n",
        "  reading   major-conflict=major-keeps: ",
        "  reading   major-conflict=count-decides (not offered): ",
        "  why       S0 L181 and S1 L148 ",
        "  bears on  QIN-ABSORB-6 Majors are never lost\n",
    ):
        assert line in output


def test_rules_and_rulings_as_json() -> None:
    (rule,) = objects("rules", "qin", "QIN-PLACE-3")
    (ruling,) = objects("rules", "qin", "stuck")

    assert rule["rule"] == "QIN-PLACE-3"
    assert rule["rulings"] == ["touched-colour", "start-contact"]
    assert rule["unchecked"] is None
    assert (ruling["ruling"], ruling["default"], ruling["rules"]) == ("stuck", "pass", ["QIN-TURN-2"])
    assert len(objects("rules", "qin")) == len(QIN.rules) + len(QIN.rulings)


@pytest.mark.parametrize(
    ("name", "near"),
    [("QIN-PLACE-33", "QIN-PLACE-3"), ("PLACE-3", "QIN-PLACE-3"), ("majorconflict", "major-conflict")],
)
def test_an_unknown_rule_is_answered_with_similar_ones(name: str, near: str) -> None:
    result = run("rules", "qin", name)

    assert result.exit_code == 2
    assert f"Qin has no rule or ruling '{name}'; did you mean {near}" in result.stderr


def test_a_rule_without_a_similar_one_is_answered_with_a_command() -> None:
    result = run("rules", "qin", "%%%")

    assert result.exit_code == 2
    assert "`shiji rules qin` lists them all." in result.stderr


def test_an_unknown_game_is_refused() -> None:
    result = run("rules", "go")

    assert result.exit_code == 2
    assert "no game is called 'go'; known: qin" in result.stderr


def test_a_board_is_shown_with_its_provenance_and_disputed_cells() -> None:
    listed, drawn = run("boards").stdout, run("boards", "bird").stdout

    for output in (listed, drawn):
        assert "  size      13 × 13 cells, 151 of them steppe, 3 starts, 11 villages\n" in output
        assert "  verified  no, nobody has compared it with the printed board\n" in output
        assert "  note      Disputed cell b8: " in output
    assert "    7 . . . . R . Y . B . . . f\n" in drawn
    assert "map:ROW/ROW/…" in listed


def test_a_map_given_by_the_user_is_drawn() -> None:
    result = run("boards", "map:R../.~x")

    assert result.exit_code == 0
    assert "      a b c\n    1 R . .\n    2 . ~ x\n" in result.stdout


def test_boards_as_json() -> None:
    bird, khan, *_ = objects("boards")
    (own,) = objects("boards", "map:R.x")

    assert (bird["board"], bird["verified"], bird["columns"], bird["rows"]) == ("bird", False, 13, 13)
    assert (own["board"], own["verified"], own["map"]) == ("map:R.x", None, "R.x")
    assert (khan["game"], khan["board"], khan["columns"], khan["rows"]) == (
        "khan",
        "khan-reference-0",
        14,
        11,
    )


def test_the_board_of_a_component_set_is_drawn_and_called_invented() -> None:
    output = run("boards", "khan-reference-0").stdout

    assert "  size      14 × 11 cells, 132 of them land, 22 river\n" in output
    assert "  note      This is not the published game" in output
    assert "    1 M M M M ~ I I I I I ~ T T T\n" in output


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "lion",
            "nobody has transcribed the Lion side yet, so it is not shipped; known: bird, or give a map",
        ),
        ("Toad", "the expansion boards are not shipped"),
        ("brid", "no board is called 'brid'; known: bird"),
        ("map:R./.", "row 2 of the map is 1 long, the first 2 (column 8)"),
    ],
)
def test_a_board_that_is_not_shipped_is_refused_with_a_reason(name: str, why: str) -> None:
    result = run("boards", name)

    assert result.exit_code == 2
    assert why in result.stderr


@pytest.mark.parametrize("key", SHIPPED.keys)
def test_an_edition_is_played_with_the_numbers_of_seats_that_are_listed(key: GameKey) -> None:
    game = find_game(key)
    names = ("one", "two", "three", "four", "five", "six")
    components = game.about.components[0].name
    for edition in game.about.editions:
        playable = []
        for seats in range(1, len(names) + 1):
            with suppress(BadSetup):
                game.start(Setup(edition.key, names[:seats], components))
                playable.append(seats)

        assert tuple(playable) == edition.seats
