"""The machine of the primary vanishes, without closing its connections."""

import shutil
import socket
import subprocess
import sys

import pytest

from records.log.postgres.connection import TCP_TIMEOUTS, Target, connect
from tests.postgres import shared_cluster
from tests.project.places import ROOT


def test_a_log_goes_on_at_the_standby_when_the_machine_of_the_primary_vanishes() -> None:
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        pytest.skip("not run: there is no unshare or no ip")
    allowed = subprocess.run(["unshare", "-n", "true"], capture_output=True, text=True, check=False)  # noqa: S607 - where it is installed
    if allowed.returncode:
        pytest.skip(f"not run: no network of its own is allowed here: {allowed.stderr.strip()}")
    command = ["unshare", "-n", sys.executable, "-m", "tests.records.log.vanished_primary"]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.stdout == "STORED [0, 1]\n", done.stderr


@pytest.mark.parametrize(("asked", "milliseconds"), [("", 4000), ("?tcp_user_timeout=9000", 9000)])
def test_connections_end_soon_unless_the_address_says_otherwise(asked: str, milliseconds: int) -> None:
    target = Target.parse(shared_cluster().target().url + asked)
    with connect(target, purpose="test") as session:
        wire = socket.socket(fileno=session.pgconn.socket)
        try:
            user = wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            idle = wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
        finally:
            wire.detach()

    assert user == milliseconds
    assert str(idle) == TCP_TIMEOUTS["keepalives_idle"]
