"""Starts the gRPC server and the HTTP port over an archive, and drains them before they stop."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from grpc import ServerCredentials, aio
from grpc_health.v1 import health

from records.games.registry import GAMES
from records.index.index import ArchiveIndex
from records.ledger.ledger import Ledger
from records.log.contract import LogFault
from records.log.opening import shown_address
from service import method_table, rpc
from service.access import Access
from service.address import Address
from service.admission import Admission
from service.archive import ServedArchive, open_archive
from service.authentication import authenticator_for
from service.call import Observer
from service.config import DEFAULT_WEB, Config
from service.feed import EntryFeed
from service.garbage import GarbageCollection
from service.health import HealthMethods, HealthReports
from service.http.application import HttpApplication
from service.http.connections import Connections
from service.http.own_hosts import OwnHosts
from service.http.port import HttpPort, bound_socket
from service.indexing import IndexKeeper
from service.intake import Intake
from service.loop_share import LoopShare
from service.observability.logs import log_event
from service.observability.metrics import Metrics
from service.observability.metrics_port import serving
from service.observability.observer import LogObserver, tracer
from service.public_streams import PublicStreams
from service.quota import MatchQuota
from service.reflection import add_reflection
from service.resources import PageOf, Resources
from service.shutdown import Shutdown
from service.storage_health import READ, SEQUENCER, WRITE, report_health
from service.tls import WebTls, credentials_of, web_tls_of
from service.workers import Workers, read_only_ledger

_RELOAD_SECONDS: Final = 1.0
"""Time between two checks whether the tokens have changed, and so the longest that a revoked token works."""

_WORKER_THREADS: Final = 2
"""Threads for slow work such as audits and exports; more of them would slow down the event loop, as all share
one interpreter."""

_READING_THREADS: Final = 8
"""Threads that read an archive in a database: more than two or three rarely wait for it at once, and each has
a connection of its own."""

_HANDSHAKE_MS: Final = 20_000
"""Time for a gRPC client to begin, so that silent connections do not add up."""

_LAST_CALLS_SECONDS: Final = 0.25
"""Time after the signal to stop in which calls are still taken, to be refused with a reason: long enough for
those that gRPC has received but not handed over."""


class CannotListen(OSError):
    """The server cannot listen on the address."""


@dataclass(frozen=True, slots=True)
class Listening:
    """The addresses of a server, with their actual ports."""

    grpc: Address
    web: Address | None
    """None where nothing is served over HTTP: nobody wants it, or the default port is taken."""


async def serve(
    config: Config,
    started: Callable[[Listening], None],
    page_of: PageOf | None = None,
    *,
    shared_ports: bool = False,
) -> None:
    """Serve until SIGINT or SIGTERM, then drain; a second signal stops at once.

    `started` is called as soon as calls are answered. With `shared_ports`, other processes listen there, too.
    Raises LogFault, BadServerSecret, BadOwners, BadTokens, BadCertificate, BadKey and CannotListen.
    """
    GAMES.load_all()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_WORKER_THREADS, "worker"))
    async with AsyncExitStack() as exit_stack:
        archive = await _opened(config, exit_stack)
        log, secret = archive.log, archive.secret
        ledger = Ledger(log, cache=config.cache_matches, secrets=secret.of_match, in_steps=log.local)
        feed, shutdown = EntryFeed(ledger, max_matches=config.cache_matches), Shutdown()
        intake = Intake(log, feed, ledger.prefetch)
        index = exit_stack.enter_context(ArchiveIndex(log, archive.beside, ledger.current))
        workers = Workers(config.worker_processes, ledger, partial(read_only_ledger, archive.open_reader))
        metrics = None if config.metrics_listen is None else Metrics()
        observers = _observers(config, metrics, exit_stack)
        readers = None if log.local else ThreadPoolExecutor(_READING_THREADS, "read")
        resources = Resources(
            ledger,
            intake,
            LoopShare(intake.is_alone),
            exit_stack.enter_context(closing(workers)),
            feed,
            shutdown,
            archive.open_reader,
            config.max_message_bytes,
            config.follower_stall,
            archive.register,
            secret.seat_token if config.tokens else None,
            index,
            Access(archive.owners),
            MatchQuota(archive.owners, config.max_matches_per_owner),
            secret.start_request,
            archive.key,
            archive.checkpoints,
            page_of=page_of,
            readers=readers,
        )
        admission = Admission(authenticator_for(config, secret, archive.owners), config, shutdown)

        server = aio.server(
            options=_options(config, shared_ports=shared_ports), maximum_concurrent_rpcs=_max_rpcs(config)
        )
        handler = rpc.CallHandler(resources, admission, observers)
        method_table.add_to(server, handler)
        public, servicer = (PublicStreams(), PublicStreams("public-checks")), HealthReports()
        HealthMethods(servicer, checks=public[1], watches=public[0]).add_to(server)
        name = rpc.DESCRIPTOR.full_name
        await report_health(servicer, (name, READ, WRITE, SEQUENCER), good=True)
        add_reflection((name, health.SERVICE_NAME), server, public[0])
        bound = _listen(server, config.listen, credentials_of(config), shared=shared_ports)
        web_tls = web_tls_of(config)
        web, web_address = _web_port(config, handler, web_tls, shared=shared_ports)
        fields: dict[str, object] = {
            "listen": bound,
            "web": web_address,
            "archive": shown_address(config.archive),
            "entries": await resources.off_loop(log.last_position),
        }
        if metrics is not None and config.metrics_listen is not None:
            connections = None if web is None else web.connections
            metrics.observe(resources, archive.gauges, admission, public, connections)
            fields["metrics"] = exit_stack.enter_context(serving(metrics.registry, config.metrics_listen))

        stop, stop_at_once = _stop_signals()
        await server.start()
        if web is not None:
            await web.start()
        garbage = exit_stack.enter_context(GarbageCollection())
        watching = asyncio.gather(
            feed.watch(shutdown),
            archive.watch(servicer, name, shutdown),
            IndexKeeper(index, ledger).run(shutdown),
        )
        background = [asyncio.create_task(each) for each in (_reload(admission, web_tls), garbage.run())]
        started(Listening(bound, web_address))
        log_event(logging.INFO, "started", fields)
        await stop.wait()
        log_event(logging.INFO, "draining", {"followers": feed.followers, "seconds": config.drain_grace})
        await servicer.enter_graceful_shutdown()
        shutdown.begin()
        await _drain(server, web, config.drain_grace, stop_at_once)
        await intake.close()
        for task in background:
            task.cancel()
        await watching
        log_event(logging.INFO, "stopped", {"entries": await _last_position(resources)})


async def _opened(config: Config, exit_stack: AsyncExitStack) -> ServedArchive:
    """The archive; opened in a thread where that may wait for a network."""
    opening = exit_stack.enter_context(ExitStack())
    if config.is_shared:
        return await asyncio.to_thread(open_archive, config, opening)
    return open_archive(config, opening)


async def _last_position(resources: Resources) -> int | None:
    try:
        return await resources.off_loop(resources.ledger.log.last_position)
    except LogFault:
        return None


def _stop_signals() -> tuple[asyncio.Event, asyncio.Event]:
    """Events for the first signal to stop, and for the second."""
    stop, stop_at_once = asyncio.Event(), asyncio.Event()

    def on_signal() -> None:
        (stop_at_once if stop.is_set() else stop).set()

    for signum in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(signum, on_signal)
    return stop, stop_at_once


def _observers(config: Config, metrics: Metrics | None, exit_stack: AsyncExitStack) -> list[Observer]:
    observers: list[Observer] = [LogObserver()]
    if metrics is not None:
        observers.append(metrics)
    if config.otlp_endpoint is not None:
        observers.append(exit_stack.enter_context(tracer(config.otlp_endpoint)))
    return observers


def _max_rpcs(config: Config) -> int:
    """Maximum RPCs that gRPC hands over, with room for health checks, reflection and calls to be refused."""
    return 2 * (config.max_calls + config.max_followers)


def _options(config: Config, *, shared_ports: bool) -> tuple[tuple[str, int], ...]:
    return (
        # Otherwise Linux lets a second server share the port and take calls from the first.
        ("grpc.so_reuseport", int(shared_ports)),
        ("grpc.max_receive_message_length", config.max_message_bytes),
        ("grpc.max_send_message_length", -1),
        # By default gRPC cancels calls without a reason once a thousand wait to be handed over.
        ("grpc.server.max_pending_requests", _max_rpcs(config)),
        ("grpc.server.max_pending_requests_hard_limit", _max_rpcs(config)),
        ("grpc.max_concurrent_streams", config.max_calls_per_connection),
        ("grpc.keepalive_time_ms", round(config.keepalive * 1000)),
        ("grpc.keepalive_timeout_ms", round(config.keepalive_timeout * 1000)),
        # By default a peer that is gone has a minute, whatever the keepalive timeout says.
        ("grpc.http2.ping_timeout_ms", round(config.keepalive_timeout * 1000)),
        ("grpc.keepalive_permit_without_calls", 1),
        # Otherwise clients with a fast connection may send megabytes of each request before it is read.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.min_ping_interval_without_data_ms", round(config.keepalive_least * 1000)),
        ("grpc.max_connection_idle_ms", round(config.connection_idle * 1000)),
        ("grpc.server_handshake_timeout_ms", _HANDSHAKE_MS),
    )


async def _reload(admission: Admission, web_tls: WebTls | None) -> None:
    while True:
        await asyncio.sleep(_RELOAD_SECONDS)
        admission.reload()
        if web_tls is not None:
            web_tls.reload()


def _web_port(
    config: Config, handler: rpc.CallHandler, tls: WebTls | None, *, shared: bool
) -> tuple[HttpPort | None, Address | None]:
    """The HTTP port and its address; none where it is not wanted, or where its default port is taken."""
    if config.no_web:
        return None, None
    wanted = config.web or DEFAULT_WEB
    try:
        listening, address = bound_socket(wanted, shared=shared)
    except OSError as fault:
        if config.web is None:
            return None, None
        raise CannotListen(f"cannot listen on {wanted}: {fault.strerror}") from fault
    app = HttpApplication(handler, OwnHosts(address, config.web_hosts))
    context = None if tls is None else tls.context
    connections = Connections(config.max_web_connections, config.max_web_connections_per_host)
    return HttpPort(app, listening, context, _max_rpcs(config), connections), address


def _listen(
    server: aio.Server, address: Address, credentials: ServerCredentials | None, *, shared: bool
) -> Address:
    # gRPC writes only to its own log why it cannot listen; binding a socket first raises the reason.
    try:
        family, *_, sockaddr = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if shared else socket.SO_REUSEADDR, 1)
            probe.bind(sockaddr)
        port = (
            server.add_insecure_port(str(address))
            if credentials is None
            else server.add_secure_port(str(address), credentials)
        )
        return replace(address, port=port)
    except OSError as fault:
        raise CannotListen(f"cannot listen on {address}: {fault.strerror}") from fault
    except RuntimeError as fault:
        raise CannotListen(f"cannot listen on {address}") from fault


async def _drain(server: aio.Server, web: HttpPort | None, grace: float, stop_at_once: asyncio.Event) -> None:
    impatient = asyncio.create_task(stop_at_once.wait())
    # server.stop() cancels calls that gRPC has not handed over yet. Before that, refuse them with a reason.
    await asyncio.wait((impatient,), timeout=min(_LAST_CALLS_SECONDS, grace))
    stopping = [asyncio.create_task(server.stop(grace))]
    if web is not None:
        stopping.append(asyncio.create_task(web.stop(grace)))
    drained = asyncio.ensure_future(asyncio.gather(*stopping))
    await asyncio.wait((drained, impatient), return_when=asyncio.FIRST_COMPLETED)
    impatient.cancel()
    await server.stop(None)
    if web is not None:
        await web.stop(0)
