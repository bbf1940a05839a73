"""`shiji-client` is installed from its wheel alone, is light, typed, and plays against a real server."""

import json
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.client.restarting import restarting
from tests.project.places import ROOT
from tests.project.wheels import Environment
from tools.dev.dist import build

CLIENT = ROOT / "packaging/client"

MAX_WHEEL_KB = 250
"""Of 181 KB when this was written: generated code of four games and the client."""

MAX_ENVIRONMENT_MB = 30
"""Of 22 MB when this was written, nearly all of them grpcio and protobuf; `shiji` has three times as many."""

PLAYS = """
import json, sys
from shiji import Accepted, Client, Illegal, Seat

with Client(sys.argv[1]) as client:
    match = client.start_match("qin", ["green", "violet"]).match
    accepted = client.append(match.id, "green Re8Re9", after=0)
    illegal = client.append(match.id, "violet Re8Re9", after=1)
    assert isinstance(accepted, Accepted) and isinstance(illegal, Illegal)
    report = client.audit_match(match.id)
    heavy = {"records", "rules", "service", "tools", "msgspec", "cryptography"} & sys.modules.keys()
    print(json.dumps([repr(accepted.awaiting), illegal.rules, report.verdict.value, sorted(heavy)]))
"""

SIGNS = """
from shiji import SecretKey
try:
    SecretKey(bytes(32)).public
except ImportError as fault:
    print(fault)
"""

TYPED = """
from shiji import Accepted, AsyncClient, Client, Illegal

def play(client: Client, waiting: AsyncClient) -> Accepted | Illegal:
    return client.append("m", "green pass", after=0)

reveal_type(Client("x").match("m").seats)
Client("x").append("m", 7, after=0)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(CLIENT, tmp_path_factory.mktemp("client"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("light"), wheel)


def test_the_wheel_has_the_client_its_messages_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()

    folders = {name.split("/")[1] for name in names if name.startswith("shiji/")}
    games = {path.name for path in (ROOT / "protos/shiji").iterdir() if (path / "v1").is_dir()}
    assert {name.split("/")[0].split("-")[0] for name in names} == {"shiji", "shiji_client"}
    assert folders == {"__init__.py", "py.typed", "client", *games}
    assert [name for name in names if "__pycache__" in name] == []
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert wheel.stat().st_size < MAX_WHEEL_KB * 1000


def test_a_source_distribution_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sources = build(CLIENT, tmp_path, "sdist")
    with tarfile.open(sources) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()

    (tmp_path / "wheels").mkdir()
    again = build(unpacked, tmp_path / "wheels")

    assert again.read_bytes() == wheel.read_bytes()


def test_it_brings_little_along(installed: Environment) -> None:
    found = {path.name.split("-")[0] for path in installed.packages.glob("*.dist-info")}

    assert found == {"googleapis_common_protos", "grpcio", "protobuf", "shiji_client", "typing_extensions"}
    assert installed.megabytes < MAX_ENVIRONMENT_MB


def test_it_plays_against_a_server_without_the_rest_of_shiji(installed: Environment, tmp_path: Path) -> None:
    with restarting(tmp_path / "archive.db") as server:
        printed = installed.python("-c", PLAYS, server.target)

    assert json.loads(printed) == ["(Seat(1, 'violet'),)", ["QIN-PLACE-1"], "verified", []]


def test_keys_without_the_extra_say_what_to_install(installed: Environment) -> None:
    assert installed.python("-c", SIGNS) == (
        "keys need the extra `signing`: pip install 'shiji-client[signing]'\n"
    )


def test_messages_are_imported_without_grpc(installed: Environment) -> None:
    program = (
        "import sys; import shiji.qin.v1.qin_pb2; print('grpc' in sys.modules, 'shiji.client' in sys.modules)"
    )

    assert installed.python("-c", program) == "False False\n"


def test_type_checkers_know_it(installed: Environment) -> None:
    (installed.folder / "app.py").write_text(TYPED)
    command = [sys.executable, "-m", "mypy", "--cache-dir=/dev/null", "--ignore-missing-imports", "app.py"]
    command += ["--python-executable", str(installed.venv / "bin/python")]

    done = subprocess.run(command, cwd=installed.folder, capture_output=True, text=True, check=False)

    assert 'Revealed type is "tuple[str, ...]"' in done.stdout.replace("builtins.", "")
    assert 'Argument 2 to "append" of "Client" has incompatible type "int"' in done.stdout
    assert done.stdout.count("error:") == 1
