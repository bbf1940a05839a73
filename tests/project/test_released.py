"""`buf breaking` catches changes that break the released protocol."""

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests.project.places import ROOT

BUF = Path(sysconfig.get_path("scripts"), "buf")


def breaking(protos: Path) -> str:
    """Output of buf for these files compared with the released ones; empty if nothing breaks."""
    command: list[str | Path] = [BUF, "breaking", protos, "--against", ROOT / "protos/released.binpb"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.fixture
def protos(tmp_path: Path) -> Path:
    """A copy of the .proto files that a test may change."""
    copied = tmp_path / "protos"
    shutil.copytree(ROOT / "protos", copied, ignore=shutil.ignore_patterns("*.py", "*.pyi", "*.binpb"))
    return copied


def change(protos: Path, file: str, pattern: str, into: str) -> None:
    path = protos / "shiji" / file
    changed, count = re.subn(pattern, into, path.read_text(), count=1)
    assert count == 1
    path.write_text(changed)


def test_the_protos_break_nothing_that_was_released(protos: Path) -> None:
    assert breaking(protos) == ""


def test_a_renumbered_field_is_caught(protos: Path) -> None:
    change(protos, "record/v1/record_service.proto", r"string request_id = \d+;", "string request_id = 99;")

    assert "request_id" in breaking(protos)


def test_a_removed_method_is_caught(protos: Path) -> None:
    change(protos, "record/v1/record_service.proto", r"rpc CheckMove\(.*?\) returns \(.*?\);", "")

    assert "CheckMove" in breaking(protos)


def test_a_new_field_breaks_nothing(protos: Path) -> None:
    change(
        protos,
        "record/v1/record_service.proto",
        r"message CheckMoveRequest \{",
        "message CheckMoveRequest {\n  // New.\n  string further = 999;",
    )

    assert breaking(protos) == ""


def test_a_release_that_has_its_date_has_the_protos_of_now(tmp_path: Path) -> None:
    newest = re.findall(r"^## .*$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    if "not released yet" in newest:
        return  # until then every change of the protos is compared with the release before
    built = tmp_path / "now.binpb"
    command: list[str | Path] = [BUF, "build", ROOT / "protos", "--exclude-source-info", "--output", built]
    subprocess.run(command, check=True)

    assert built.read_bytes() == (ROOT / "protos/released.binpb").read_bytes(), "run `make released`"
