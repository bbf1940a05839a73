"""A Dask cluster on this machine: a real scheduler and two workers, with mutual TLS."""

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from tests.project.places import ROOT
from tests.service.certificates import Certificate

WAIT_SECONDS = 120
TLS = "DASK_DISTRIBUTED__COMM__TLS__"
_JOINED = "Registered to:"
"""In the log of a worker."""


class DaskRun:
    """A scheduler with two workers and mutual TLS; the workers know the archive from their environment."""

    def __init__(self, folder: Path, archive: str, stack: ExitStack) -> None:
        self.folder = folder
        self.archive = archive
        self.stack = stack
        self.log = stack.enter_context((folder / "dask.log").open("ab"))
        authority = Certificate.authority("cluster")
        cert, key = authority.sign("node").save(folder)
        (folder / "ca.pem").write_bytes(authority.pem)
        self.environment = {
            **os.environ,
            "XDG_CACHE_HOME": str(folder),
            f"{TLS}CA_FILE": str(folder / "ca.pem"),
        }
        for role in ("CLIENT", "SCHEDULER", "WORKER"):
            self.environment |= {f"{TLS}{role}__CERT": str(cert), f"{TLS}{role}__KEY": str(key)}
        known = folder / "scheduler.json"
        self.start("scheduler", "--port", "0", "--scheduler-file", str(known))
        end = time.monotonic() + WAIT_SECONDS
        while not (known.exists() and known.read_text().rstrip().endswith("}")):  # written in pieces
            assert time.monotonic() < end, (folder / "dask.log").read_text()
            time.sleep(0.05)
        self.address: str = json.loads(known.read_text())["address"]
        self.workers = [self.add_worker() for _ in range(2)]

    def add_worker(self, threads: str = "1", **changed: str) -> "subprocess.Popen[bytes]":
        """A worker that has joined."""
        log = self.folder / "dask.log"
        known = log.read_text().count(_JOINED)
        worker = ("worker", self.address, "--nthreads", threads, "--no-nanny")
        started = self.start(
            *worker, "--local-directory", str(self.folder), SHIJI_AUDIT_LOG=self.archive, **changed
        )
        end = time.monotonic() + WAIT_SECONDS
        while log.read_text().count(_JOINED) == known:
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        return started

    def add_odd_worker(self, folder: Path, code: str) -> "subprocess.Popen[bytes]":
        """A worker that runs some code as it starts, and gets more to do than others."""
        (folder / "sitecustomize.py").write_text(code)
        return self.add_worker("4", PYTHONPATH=str(folder))

    def start(self, *arguments: str, **changed: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "dask",
                *arguments,
                "--protocol",
                "tls",
                "--host",
                "127.0.0.1",
                "--no-dashboard",
            ],
            cwd=ROOT,
            env={**self.environment, **changed},
            stdout=self.log,
            stderr=self.log,
        )
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def run(self, *arguments: str, **changed: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**self.environment, **changed},
            capture_output=True,
            text=True,
            check=False,
            timeout=WAIT_SECONDS,
        )

    def audit(self, *options: str, **changed: str) -> "subprocess.CompletedProcess[str]":
        return self.run(
            "-c", "from tools.cli import main; main()", "audit", self.archive, "--json", *options, **changed
        )
