import re
import subprocess

from tests.project.places import ROOT


def test_make_without_a_target_lists_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony is not None

    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S607 - make is found by PATH

    assert re.findall(r"^make (\S+) +\S", listed, re.MULTILINE) == phony[1].split()
