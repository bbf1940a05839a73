"""The samples for operators are well formed, and name only existing files and options."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.config import OPTIONS, Configured
from tests.project.places import ROOT, SHIJI

UNIT = (ROOT / "packaging/shiji.service").read_text()
CONTAINER = (ROOT / "packaging/Containerfile").read_text()
INSTRUCTIONS = re.findall(r"^([A-Z]+) ((?:.*\\\n)*.*)$", CONTAINER, re.MULTILINE)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit, with the path of the command on this machine."""
    path = tmp_path / "shiji.service"
    path.write_text(UNIT.replace("/opt/shiji/bin/shiji", str(SHIJI)))
    return path


def analyze(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = shutil.which("systemd-analyze")
    if command is None:
        pytest.skip("there is no systemd here")
    return subprocess.run([command, *arguments], capture_output=True, text=True, check=False)


def test_systemd_understands_the_unit(unit: Path) -> None:
    done = analyze("verify", unit)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_gives_the_server_few_privileges(unit: Path) -> None:
    done = analyze("security", "--offline=true", "--threshold=20", unit)

    assert done.returncode == 0, done.stdout


def test_systemd_waits_longer_than_the_server_takes_to_drain() -> None:
    timeout = re.search(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)
    assert timeout is not None

    drain = OPTIONS["drain-grace"].default
    assert isinstance(drain, float)
    assert int(timeout[1]) > 2 * drain


def test_the_sample_configuration_is_valid() -> None:
    configured = Configured.gather({"config": str(ROOT / "packaging/shiji.toml")}, {})

    assert configured.config.tokens is not None
    assert configured.config.tls_cert == ROOT / "packaging/cert.pem"


def test_the_image_is_built_in_one_stage_and_runs_without_root_in_another() -> None:
    names = [name for name, _ in INSTRUCTIONS]
    stages = [arguments for name, arguments in INSTRUCTIONS if name == "FROM"]
    last = dict(INSTRUCTIONS[len(names) - 1 - names[::-1].index("FROM") :])

    assert len(stages) == 2
    assert all("/" not in stage.split()[0] for stage in stages)
    assert int(last["USER"]) > 0
    assert last["COPY"].startswith("--from=build ")
    assert (last["ENTRYPOINT"], last["CMD"]) == ('["shiji"]', '["serve"]')


def test_the_image_copies_only_named_files_that_exist() -> None:
    sources = [
        source
        for name, arguments in INSTRUCTIONS
        if name == "COPY" and not arguments.startswith("--from")
        for source in arguments.split()[:-1]
    ]

    assert sources
    assert [source for source in sources if source == "." or not (ROOT / source).exists()] == []


def test_the_image_sets_only_existing_options() -> None:
    variables = set(re.findall(r"\b(SHIJI_[A-Z_]+)=", CONTAINER))

    assert variables <= {option.variable for option in OPTIONS.values()}
