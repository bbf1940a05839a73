"""Several server processes on one port, over one PostgreSQL archive; the system shares out connections."""

import asyncio
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

import msgspec
import uvloop

from service.address import Address
from service.config import DEFAULT_WEB, Config
from service.observability import logs
from service.observability.logs import log_event
from service.resources import PageOf
from service.server import CannotListen, Listening, serve

START_SECONDS: Final = 60.0
"""How long a process may take to answer calls; on an idle machine it takes about a second."""

RESTART_SECONDS: Final = 1.0
"""Pause before another process takes the place of one that ended by itself."""

_POLL_SECONDS: Final = 0.1
"""How soon the end of a process is noticed."""


class WorkerFailed(RuntimeError):
    """A process could not start; the message is what it said."""


class WorkerServers:
    """The processes, and this one, which only watches over them."""

    def __init__(self, config: Config, page_of: PageOf | None) -> None:
        """Reserves the ports; raises CannotListen."""
        self._page_of: Final = page_of
        self._reserved: Final[list[socket.socket]] = []
        listen = self._reserve(config.listen)
        web = None if config.no_web else self._reserve_web(config)
        self._config: Final = msgspec.structs.replace(config, listen=listen, web=web, no_web=web is None)
        self.listening: Final = Listening(listen, web)
        self._context: Final = multiprocessing.get_context("spawn")
        self._processes: Final[dict[int, BaseProcess]] = {}
        self._signals = 0

    def run(self, started: Callable[[Listening], None]) -> None:
        """Serve until SIGINT or SIGTERM; raises WorkerFailed if a process cannot start."""
        for signum in (signal.SIGINT, signal.SIGTERM):
            signal.signal(signum, self._pass_on)
        try:
            for number in range(self._config.workers):
                fault = self._start(number)
                if fault and not self._signals:
                    raise WorkerFailed(fault)
            started(self.listening)
            self._watch()
        finally:
            for process in self._processes.values():
                process.terminate()
                process.join()
            for reserved in self._reserved:
                reserved.close()

    def _watch(self) -> None:
        while any(process.is_alive() for process in self._processes.values()) or not self._signals:
            time.sleep(_POLL_SECONDS)
            for number, process in list(self._processes.items()):
                if not self._signals and not process.is_alive():
                    fields = {"worker": number, "code": process.exitcode}
                    log_event(logging.ERROR, "a process has ended", fields)
                    time.sleep(RESTART_SECONDS)
                    if not self._signals:
                        self._start(number)

    def _start(self, number: int) -> str:
        """Start a process and wait until it answers calls; returns why it does not, or nothing."""
        ours, theirs = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_run_worker, args=(self._of_worker(number), self._page_of, theirs), name=f"server-{number}"
        )
        process.start()
        theirs.close()
        self._processes[number] = process
        if self._signals:  # one that came just now reached only the processes before this one
            process.terminate()
        try:
            return str(ours.recv()) if ours.poll(START_SECONDS) else "a process does not start in time"
        except EOFError:
            return "a process ended at once"

    def _of_worker(self, number: int) -> Config:
        """The configuration of one process; each has a port of its own for metrics."""
        metrics = self._config.metrics_listen
        if metrics is None or not metrics.port:
            return self._config
        return msgspec.structs.replace(
            self._config, metrics_listen=replace(metrics, port=metrics.port + number)
        )

    def _pass_on(self, _: int, __: object) -> None:
        self._signals += 1
        for process in self._processes.values():
            if process.is_alive():
                process.terminate()

    def _reserve_web(self, config: Config) -> Address | None:
        try:
            return self._reserve(config.web or DEFAULT_WEB)
        except CannotListen:
            if config.web is None:
                return None
            raise

    def _reserve(self, address: Address) -> Address:
        """The address with its actual port, which stays ours; nobody listens there, so it gets no calls."""
        try:
            family, *_, sockaddr = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, socket.SOCK_STREAM) as probe:  # fails if another has it
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(sockaddr)
            bound = socket.socket(family, socket.SOCK_STREAM)
            self._reserved.append(bound)
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            bound.bind(sockaddr)
        except OSError as fault:
            raise CannotListen(f"cannot listen on {address}: {fault.strerror}") from fault
        return replace(address, port=bound.getsockname()[1])


def _run_worker(config: Config, page_of: PageOf | None, ready: "Connection[str, str]") -> None:
    """One of the processes: reports that it listens, or why it cannot, and ends with its parent."""
    os.setpgid(0, 0)  # Ctrl-C reaches it through its parent, once
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logs.set_up(config.log_format, config.log_level)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(config, lambda _: ready.send(""), page_of, shared_ports=True))
    except Exception as fault:
        if not ready.closed:
            ready.send(str(fault))
        raise SystemExit(1) from fault


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
