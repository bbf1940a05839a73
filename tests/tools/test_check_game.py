"""`shiji check-game`."""

import json
from pathlib import Path

import pytest

from tests.project.distributions import install
from tests.tools.running import Done, run, run_process

SOUND = """\
from rules.kernel.api import Plugin
from tests.rules.kit.dike.game import DIKE, EVENTS, MOVES
from tests.rules.kit.dike.values import State

GAME = Plugin(DIKE, State, lambda state: state.table, MOVES, EVENTS)
"""
BROKEN = f"""\
from dataclasses import replace

import rules.kernel.api
from rules.kernel import api, tasks
from rules.kernel.tasks import task
from records.entry import Entry
{SOUND}
GAME = replace(GAME, game=replace(DIKE, max_entries=2))
"""
CASES = """\
[[case]]
id = "1.A.1"
title = "Fish are caught"
position = "dike-0 dike=2 river=0 green=0/0 then=act:green"
move = "green fish"
verdict = "legal"
rules = []
why = "Nothing forbids it."
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    install(folder, "rivers", {"dike": "river:GAME"}, river=SOUND)
    return folder


def check(site: Path, *arguments: str | Path) -> Done:
    return run_process("check-game", "dike", "--tries", "2", *arguments, PYTHONPATH=str(site))


def test_a_game_that_keeps_all_laws_exits_with_0(site: Path) -> None:
    done = check(site)

    assert (done.code, done.err) == (0, "")
    *tried, last = done.out.splitlines()
    assert {line.split()[0] for line in tried} == {"holds"}
    assert last.split("; ") == [
        "not tried law 9: every rule is broken by a case, or says why nothing can",
        "it needs published cases: --cases FILE",
    ]
    assert "holds     law 3: no invariant is broken in a reachable state (2 tries)" in done.out
    assert "holds     law: public facts are the same in every view (2 tries)" in done.out
    assert "law 8: the results are the same under two hash seeds" in done.out
    assert "a plug-in imports rules.kernel.api and nothing else of Shiji (1 try)" in done.out


def test_what_is_broken_is_said_with_the_seed_that_shows_it_again(tmp_path: Path) -> None:
    install(tmp_path, "rivers", {"dike": "river:GAME"}, river=BROKEN)

    done = check(tmp_path, "--json", "--seed", "7")

    found = {tried["law"]: tried for line in done.out.splitlines() if (tried := json.loads(line))["broken"]}
    assert done.code == 1
    assert found["law 7: a match ends within its bound"] == {
        "law": "law 7: a match ends within its bound",
        "tries": 1,
        "broken": "the match goes on beyond 2 entries",
        "seed": 7,
        "skipped": None,
    }
    assert found["a plug-in imports rules.kernel.api and nothing else of Shiji"]["broken"] == (
        "river.py, line 4, imports rules.kernel.tasks; "
        "river.py, line 5, imports rules.kernel.tasks.task; "
        "river.py, line 6, imports records.entry.Entry: "
        "only rules.kernel.api is public"
    )


def test_a_game_that_is_not_installed_is_named() -> None:
    done = run("check-game", "go")

    assert done.exit_code == 2
    assert "no game is called 'go'" in done.stderr


# The .proto.


def test_the_proto_is_written_once_and_compared_from_then_on(site: Path, tmp_path: Path) -> None:
    proto = tmp_path / "dike.proto"

    assert check(site, "--proto", proto).code == 0
    written = proto.read_text()
    assert "package dike.v1;" in written

    assert check(site, "--proto", proto).code == 0
    assert proto.read_text() == written


def test_what_is_new_is_added_to_the_proto(site: Path, tmp_path: Path) -> None:
    proto = tmp_path / "dike.proto"
    check(site, "--proto", proto)
    written = proto.read_text()
    proto.write_text(written.replace("    Fish fish = 2;\n", ""))

    assert check(site, "--proto", proto).code == 0
    assert proto.read_text() == written


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("Fish fish = 3;", "Move.fish was `Fish = 3` and is `Fish = 2`"),
        ("Fish catch = 2;", "Move.catch was `Fish = 2` and has vanished"),
    ],
)
def test_a_number_that_has_changed_is_refused_and_the_proto_stays(
    site: Path, tmp_path: Path, before: str, said: str
) -> None:
    proto = tmp_path / "dike.proto"
    check(site, "--proto", proto)
    released = proto.read_text().replace("Fish fish = 2;", before)
    proto.write_text(released)

    done = check(site, "--proto", proto)

    assert done.code == 1
    assert said in done.out
    assert proto.read_text() == released


def test_a_file_that_is_no_proto_of_ours_is_not_overwritten(site: Path, tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("Dear diary")

    done = check(site, "--proto", diary)

    assert done.code == 2
    assert "line 1: 'Dear diary' is none that `shiji check-game --proto` writes" in done.err
    assert diary.read_text() == "Dear diary"


@pytest.mark.parametrize(("game", "title"), [("qin", "Qin"), ("khan", "Khan")])
def test_the_proto_of_a_game_of_shiji_is_part_of_it(tmp_path: Path, game: str, title: str) -> None:
    done = run("check-game", game, "--proto", tmp_path / "game.proto")

    assert done.exit_code == 2
    assert f"the .proto of {title} is part of Shiji" in done.stderr
    assert not (tmp_path / "game.proto").exists()


# Cases.


def test_cases_are_judged_and_every_rule_needs_one(site: Path, tmp_path: Path) -> None:
    cases = tmp_path / "cases.toml"
    cases.write_text(CASES)

    done = check(site, "--cases", cases)

    assert done.code == 1
    assert "case 1.A.1: " in done.out
    assert "broken    law 9: every rule is broken by a case, or says why nothing can" in done.out
    assert "not tried" not in done.out


def test_cases_that_cannot_be_read_exit_with_2(site: Path, tmp_path: Path) -> None:
    cases = tmp_path / "cases.toml"
    cases.write_text("case = 1")

    assert check(site, "--cases", cases).code == 2
    assert check(site, "--cases", tmp_path / "nowhere.toml").code == 2
