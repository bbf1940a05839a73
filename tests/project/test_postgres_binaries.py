"""PostgreSQL for tests, where root has it in a folder of its own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.postgres import as_another_user, copied_binaries, wheel


def version(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*as_another_user(), str(folder / "initdb"), "--version"],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


def test_a_copy_of_binaries_that_only_root_can_read_runs_as_another_user(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("not run: only root starts PostgreSQL as another user")
    private = tmp_path / "private"
    private.mkdir(0o700)
    for folder in (wheel(), wheel().with_name(f"{wheel().name}.libs")):
        shutil.copytree(folder, private / folder.name, symlinks=True)
    programs = private / wheel().name / "pginstall/bin"
    assert version(programs).returncode != 0

    assert "PostgreSQL" in version(copied_binaries(programs)).stdout
