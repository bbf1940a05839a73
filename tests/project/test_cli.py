import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from service.authorization import Role
from tests.project.places import ROOT, SHIJI
from tools.cli import SUBCOMMANDS, Subcommand, shiji


@click.command()
@click.option("--interrupted", is_flag=True)
def command(*, interrupted: bool) -> None:
    if interrupted:
        raise KeyboardInterrupt
    raise click.FileError("match.qin", "it is not there")


@pytest.fixture
def _failing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SUBCOMMANDS, "failing", Subcommand(__name__, "Fail."))


def test_help_lists_every_subcommand_and_imports_none() -> None:
    script = (
        "import sys\nfrom tools.cli import shiji\nshiji(['--help'], standalone_mode=False)\n"
        "print({'grpc', 'records', 'rules', 'service'} & {*sys.modules})\n"
    )

    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert [name for name in SUBCOMMANDS if f"\n  {name} " not in output] == []
    assert output.splitlines()[-1] == "set()"


def test_a_record_of_one_game_is_judged_without_the_others_and_without_what_opens_archives() -> None:
    script = (
        "import sys\nfrom tools.cli import shiji\nshiji(['verify', *sys.argv[1:]], standalone_mode=False)\n"
        "heavy = {'rules.qin', 'rules.khan', 'rules.zhanguo', 'rules.great_wall', 'grpc', 'sqlite_utils'}\n"
        "print(sorted(heavy & {*sys.modules}))\n"
    )
    record = ROOT / "tests/records/golden/qin/shared-victory.shiji"

    done = subprocess.run([sys.executable, "-c", script, record], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "['rules.qin']"


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_listed_subcommand_has_help(name: str) -> None:
    result = CliRunner().invoke(shiji, [name, "--help"])

    assert result.exit_code == 0
    assert f"Usage: shiji {name}" in result.output


def test_the_help_for_a_new_token_lists_one_role_per_line() -> None:
    lines = CliRunner().invoke(shiji, ["token", "new", "--help"]).output.splitlines()

    roles = [line.split()[0] for line in lines if line.startswith(tuple(f"  {role.value} " for role in Role))]
    assert roles == ["admin", "recorder", "auditor", "seat"]


def test_the_version_is_printed() -> None:
    output = subprocess.run([SHIJI, "--version"], capture_output=True, text=True, check=True).stdout

    assert output == "shiji 0.2.0\n"


def test_an_unknown_subcommand_exits_with_2() -> None:
    assert CliRunner().invoke(shiji, ["nonsense"]).exit_code == 2


@pytest.mark.usefixtures("_failing")
def test_a_file_that_cannot_be_read_exits_with_2() -> None:
    result = CliRunner().invoke(shiji, ["failing"])

    assert result.exit_code == 2
    assert result.stderr == "Error: Could not open file 'match.qin': it is not there\n"


@pytest.mark.usefixtures("_failing")
def test_ctrl_c_does_not_exit_with_the_code_of_a_bad_record() -> None:
    assert CliRunner().invoke(shiji, ["failing", "--interrupted"]).exit_code == 130


def test_a_reader_that_stops_reading_sees_no_traceback() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as closed_pipe:
        done = subprocess.run([SHIJI, "--help"], stdout=closed_pipe, stderr=subprocess.PIPE, check=False)

    assert done.stderr == b""
