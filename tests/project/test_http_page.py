"""Every example of docs/http.md runs, and its tables agree with the code."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.errors import Reason
from service.http.faults import HttpReason
from tests.project.places import ROOT
from tests.service.servers import Running, serving

PAGE = (ROOT / "docs/http.md").read_text()
EXAMPLES = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)

GRPC, WEB = "127.0.0.1:50051", "127.0.0.1:8080"
"""Addresses of the server in the examples."""

MARK = "next example"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("http") / "shiji.db", "--web", "127.0.0.1:0") as running:
        yield running


def run(examples: str, server: Running, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run examples as one script; a stream that is followed for a time ends as soon as it has a move."""
    script = examples.replace(GRPC, server.address).replace(WEB, server.web)
    script = re.sub(
        r"^timeout 3 (.*) \|\| true$",
        r"""timeout 60 grep -m 1 '"text"' < <(\1 2> /dev/null)""",
        script,
        flags=re.MULTILINE,
    )
    bash = shutil.which("bash")
    assert bash is not None
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [bash, "-eu", "-c", script],
        cwd=folder,
        env=os.environ | {"PATH": scripts},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def printed(server: Running, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each example prints, all of them run as one script."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "protos").symlink_to(ROOT / "protos")
    done = run(f"\necho {MARK}\n".join(EXAMPLES), server, folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(f"{MARK}\n")


def test_a_match_is_started_played_refused_and_followed(printed: list[str]) -> None:
    _, moved, stream, refused, events, resumed, narrowed, *_ = printed

    assert json.loads(moved)["appended"]["entries"][0]["text"] == "green Re8Re9"
    assert [json.loads(line)["entry"].get("sequence", "0") for line in stream.splitlines()] == ["0", "1"]
    assert all("d8" in move["places"] for move in json.loads(narrowed)["moves"])
    assert json.loads(narrowed)["kinds"][0]["name"] == "place tile"
    error = json.loads(refused)
    assert (error["code"], error["reason"]) == ("failed_precondition", "RULE_BROKEN")
    assert error["details"][1]["debug"]["violations"][0]["ruleId"] == "QIN-PLACE-3"
    assert re.findall(r"^id: (\d+)$", events, re.MULTILINE) == ["0", "1"]
    assert re.findall(r"^id: (\d+)$", resumed, re.MULTILINE) == ["1"]


def test_the_same_is_done_by_other_clients(printed: list[str]) -> None:
    _, moved, over_http, over_grpc, refused, followed = printed[-6:]

    assert json.loads(moved)["appended"]["entries"][0]["text"] == "green Re8Re9"
    assert json.loads(over_http)["match"]["sequence"] == "1"
    assert json.loads(over_http) == json.loads(over_grpc)
    assert "QIN-PLACE-3: neither half shares a side with a territory" in refused
    assert re.findall(r'"text": *"(.*)"', followed) == ["green Re8Re9"]


def test_the_same_is_done_with_grpcurl(server: Running, tmp_path: Path) -> None:
    """Also where grpcurl is missing, buf asks the same port for its description in the examples above."""
    if shutil.which("grpcurl") is None:
        pytest.skip(
            "grpcurl is not installed: Debian, PyPI and npm have no package of it, only Go and GitHub"
        )
    (example,) = re.findall(r"^```\n(grpcurl .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

    done = run(example, server, tmp_path)

    assert done.returncode == 0, done.stderr
    assert "QIN-PLACE-3" in done.stdout + done.stderr
    assert '"sequence": "1"' in done.stdout


def test_every_reason_is_listed_with_its_status() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)

    assert rows == [(each.name, str(each.value.status.value), each.value.when) for each in HttpReason]
    assert not {each.name for each in HttpReason} & {each.name for each in Reason}


def test_the_page_links_only_to_existing_files() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", PAGE) if not link.startswith("https:")]

    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
