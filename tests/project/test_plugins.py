"""Games of other distributions: found by their entry points, refused by name where something is wrong."""

import json
from pathlib import Path

import pytest

from records.games.shipped import SHIPPED
from tests.project.distributions import install
from tests.project.places import ROOT
from tests.tools.running import run_process

GOOFSPIEL = {"goofspiel": "tests.rules.kit.goofspiel:GOOFSPIEL"}
MATCH = """\
[Format "shiji/1"]
[Game "goofspiel"]
[Edition "goofspiel/1"]
[Rulings ""]
[Components "goofspiel-0"]
[Seats "green red"]
[Draws "unrecorded"]
[Result "*"]

1. draw ?
2. draw ?
3. draw ?
4. draw ?
5. draw ?
6. draw ?
7. draw ?
8. draw ?
9. draw 5
10. green bid 1
11. red bid 2
"""


def test_a_registered_game_is_known_after_those_of_shiji(tmp_path: Path) -> None:
    install(tmp_path, "bidding", GOOFSPIEL)

    done = run_process("games", "--json", PYTHONPATH=str(tmp_path))

    keys = [json.loads(line)["game"] for line in done.out.splitlines()]
    assert keys == [*SHIPPED.keys, "goofspiel"]


def test_its_records_are_judged_where_it_is_installed_and_refused_by_name_elsewhere(tmp_path: Path) -> None:
    install(tmp_path / "site", "bidding", GOOFSPIEL)
    record = tmp_path / "match.shiji"
    record.write_text(MATCH)

    with_it = run_process("verify", record, PYTHONPATH=str(tmp_path / "site"))
    without = run_process("verify", record)

    assert with_it.code == 0, with_it
    assert without.code == 2
    assert "no game is called 'goofspiel'; known: qin, khan" in without.err
    assert "; any other must be installed beside Shiji" in without.err


def test_an_archive_is_audited_but_for_matches_of_a_missing_game_which_are_named(tmp_path: Path) -> None:
    install(tmp_path / "site", "bidding", GOOFSPIEL)
    goofspiel, qin, archive = tmp_path / "goofspiel.shiji", tmp_path / "qin.shiji", tmp_path / "archive.db"
    goofspiel.write_text(MATCH)
    qin.write_bytes((ROOT / "tests/records/golden/qin/shared-victory.shiji").read_bytes())
    imported = run_process("import", archive, goofspiel, qin, PYTHONPATH=str(tmp_path / "site"))
    assert imported.code == 0, imported

    with_it = run_process("audit", archive, PYTHONPATH=str(tmp_path / "site"))
    without = run_process("audit", archive)
    summary = json.loads(run_process("audit", "--json", archive).out.splitlines()[-1])["summary"]

    assert with_it.code == 0, with_it
    assert without.code == 1
    assert "cannot be audited: no game is called 'goofspiel'; known: qin, khan" in without.out
    assert "corrupt" not in without.out
    assert summary["verdicts"] == {"verified": 1}


def test_a_distribution_that_is_found_twice_is_one(tmp_path: Path) -> None:
    install(tmp_path / "one", "bidding", GOOFSPIEL)
    install(tmp_path / "two", "bidding", GOOFSPIEL)

    done = run_process("games", PYTHONPATH=f"{tmp_path / 'one'}:{tmp_path / 'two'}")

    assert done.code == 0
    assert done.out.count("goofspiel: Goofspiel") == 1


IMPORTS = "from dataclasses import replace\nfrom tests.rules.kit.goofspiel import GOOFSPIEL\n"
OTHER_KEY = f"""{IMPORTS}
about = replace(GOOFSPIEL.game.about, key=%r)
GAME = replace(GOOFSPIEL, game=replace(GOOFSPIEL.game, about=about))
"""
SAME_RULES = f"""{IMPORTS}
about = GOOFSPIEL.game.about
about = replace(about, rules=about.rules + about.rules[:1])
GAME = replace(GOOFSPIEL, game=replace(GOOFSPIEL.game, about=about))
"""


@pytest.mark.parametrize(
    ("installed", "said"),
    [
        (
            [("bidding", GOOFSPIEL, ""), ("forgery", GOOFSPIEL, "")],
            "two games are called 'goofspiel', one of bidding 0.1 and one of forgery 0.1; uninstall one",
        ),
        (
            [("forgery", {"qin": "faked:GAME"}, OTHER_KEY % "qin")],
            "two games are called 'qin', one of Shiji and one of forgery 0.1; uninstall one",
        ),
        (
            [("broken", {"broken": "faked:GAME"}, "import no_such_module")],
            "the game 'broken' of broken 0.1 cannot be imported: ModuleNotFoundError",
        ),
        (
            [("broken", {"broken": "faked:GAME"}, "GAME = 'a game'")],
            "the game 'broken' of broken 0.1: faked:GAME is no rules.kernel.api.Plugin",
        ),
        (
            [("broken", {"broken": "faked:GAME"}, OTHER_KEY % "goofspiel")],
            "the game 'broken' of broken 0.1 has the key 'goofspiel': the entry point must have that name",
        ),
        (
            [("broken", {"goofspiel": "faked:GAME"}, f"{IMPORTS}GAME = replace(GOOFSPIEL, apart=())\n")],
            "the game 'goofspiel' of broken 0.1 contradicts itself: State.table is a Setup",
        ),
        (
            [("broken", {"goofspiel": "faked:GAME"}, SAME_RULES)],
            "the game 'goofspiel' of broken 0.1 contradicts itself: two rules are called GOOF-TURN-1",
        ),
    ],
    ids=["two", "shipped", "import", "no plug-in", "key", "state", "rules"],
)
def test_a_game_that_cannot_be_used_is_an_error_at_start(
    tmp_path: Path, installed: list[tuple[str, dict[str, str], str]], said: str
) -> None:
    for name, games, text in installed:
        install(tmp_path, name, games, **({"faked": text} if text else {}))

    done = run_process("games", PYTHONPATH=str(tmp_path))

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"Error: {said}")


def test_the_server_does_not_start_with_two_games_of_one_key(tmp_path: Path) -> None:
    install(tmp_path, "bidding", GOOFSPIEL)
    install(tmp_path, "forgery", GOOFSPIEL)

    done = run_process("serve", "--check-config", PYTHONPATH=str(tmp_path))

    assert (done.code, done.err.count("two games are called 'goofspiel'")) == (2, 1)


def test_the_doctor_lists_the_games_of_others(tmp_path: Path) -> None:
    install(tmp_path, "bidding", GOOFSPIEL)

    done = run_process("doctor", PYTHONPATH=str(tmp_path))

    assert "plug-ins: goofspiel of bidding 0.1: their code runs in the server" in done.out


@pytest.mark.parametrize("name", ["rules", "records", "service"])
def test_a_foreign_package_of_a_name_of_ours_is_reported_instead_of_a_traceback(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")

    done = run_process("doctor", PYTHONPATH=str(tmp_path))

    assert done.code == 2
    assert f"{tmp_path / name} has the name of a package of Shiji" in done.err


def test_the_doctor_reports_a_distribution_that_installs_a_package_of_a_name_of_ours(tmp_path: Path) -> None:
    install(tmp_path, "linter", {})
    (tmp_path / "linter-0.1.dist-info/top_level.txt").write_text("rules\n")

    done = run_process("doctor", "--json", PYTHONPATH=str(tmp_path))

    findings = [json.loads(line) for line in done.out.splitlines()]
    assert [found["advice"] for found in findings if found["health"] == "wrong"] == [
        "pip uninstall linter, then install Shiji again"
    ]
    assert done.code == 1
