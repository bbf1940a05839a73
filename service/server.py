"""Starts the gRPC server and the HTTP port over an archive, and drains them before they stop."""

import asyncio
import gc
import logging
import signal
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from grpc import ServerCredentials, aio
from grpc_health.v1 import health, health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckResponse

from records.evidence.ed25519 import BadKey
from records.evidence.note import SignatureType
from records.files.key_file import load_signer
from records.index.index import ArchiveIndex
from records.ledger.ledger import Ledger
from records.log.contract import Log
from records.log.people import SqliteRegister
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from service import rpc
from service.access import Access
from service.address import Address
from service.admission import Admission
from service.authentication import authenticator_for
from service.call import Observer
from service.config import DEFAULT_WEB, Config
from service.feed import EntryFeed
from service.http.application import HttpApplication
from service.http.own_hosts import OwnHosts
from service.http.port import HttpPort, bound_socket
from service.indexing import IndexKeeper
from service.intake import Intake
from service.observability.logs import log_event
from service.observability.metrics import Metrics
from service.observability.metrics_port import serving
from service.observability.observer import LogObserver, tracer
from service.owners import Owners
from service.public_streams import LimitedHealth, PublicStreams
from service.reflection import add_reflection
from service.resources import Resources, SignedLog
from service.server_secret import ServerSecret
from service.shutdown import Shutdown
from service.storage_health import watch_storage
from service.tls import WebTls, credentials_of, web_tls_of
from service.workers import Workers, read_only_ledger

_RELOAD_SECONDS: Final = 1.0
"""Time between two checks whether the tokens have changed, and so the longest that a revoked token works."""

_WORKER_THREADS: Final = 2
"""Threads for slow work such as audits and exports; more of them would slow down the event loop, as all share
one interpreter."""

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


async def serve(config: Config, started: Callable[[Listening], None]) -> None:
    """Serve until SIGINT or SIGTERM, then drain; a second signal stops at once.

    `started` is called as soon as calls are answered.
    Raises LogFault, BadServerSecret, BadOwners, BadTokens, BadCertificate, BadKey and CannotListen.
    """
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_WORKER_THREADS, "worker"))
    async with AsyncExitStack() as exit_stack:
        log = exit_stack.enter_context(SqliteLog.open(config.db))
        secret = ServerSecret.load(config.secret)
        ledger = Ledger(log, cache=config.cache_matches, secrets=secret.of_match)
        feed, shutdown = EntryFeed(ledger, max_matches=config.cache_matches), Shutdown()
        intake = Intake(log, feed)
        open_log = partial(SqliteLog.open, config.db, read_only=True)
        index = exit_stack.enter_context(ArchiveIndex(log, config.db, ledger.current))
        workers = Workers(config.worker_processes, ledger, partial(read_only_ledger, open_log))
        metrics = None if config.metrics_listen is None else Metrics()
        observers = _observers(config, metrics, exit_stack)
        owners = Owners(config.owners, log.matches()) if config.tokens else None
        resources = Resources(
            ledger,
            intake,
            exit_stack.enter_context(closing(workers)),
            feed,
            shutdown,
            open_log,
            config.max_message_bytes,
            config.follower_stall,
            exit_stack.enter_context(closing(SqliteRegister(config.db))),
            secret.seat_token if config.tokens else None,
            index,
            Access(owners),
            secret.start_request,
            _signed_log(config, log),
        )
        admission = Admission(authenticator_for(config, secret, owners), config, shutdown)

        server = aio.server(options=_options(config), maximum_concurrent_rpcs=_max_rpcs(config))
        handler = rpc.CallHandler(resources, admission, observers)
        rpc.add_to(server, handler)
        public_streams = PublicStreams()
        servicer = LimitedHealth(public_streams)
        health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
        name = rpc.DESCRIPTOR.full_name
        await servicer.set(name, HealthCheckResponse.SERVING)
        add_reflection((name, health.SERVICE_NAME), server, public_streams)
        bound = _listen(server, config.listen, credentials_of(config))
        web_tls = web_tls_of(config)
        web, web_address = _web_port(config, handler, web_tls)
        fields: dict[str, object] = {
            "listen": bound,
            "web": web_address,
            "db": config.db,
            "entries": log.last_position(),
        }
        if metrics is not None and config.metrics_listen is not None:
            metrics.observe(resources, config.db, admission, public_streams)
            fields["metrics"] = exit_stack.enter_context(serving(metrics.registry, config.metrics_listen))

        stop, stop_at_once = _stop_signals()
        await server.start()
        if web is not None:
            await web.start()
        _freeze_objects()
        watching = asyncio.gather(
            feed.watch(shutdown),
            watch_storage(log, servicer, name, shutdown),
            IndexKeeper(index, ledger).run(shutdown),
        )
        reloading = asyncio.create_task(_reload(admission, web_tls))
        started(Listening(bound, web_address))
        log_event(logging.INFO, "started", fields)
        await stop.wait()
        log_event(logging.INFO, "draining", {"followers": feed.followers, "seconds": config.drain_grace})
        await servicer.enter_graceful_shutdown()
        shutdown.begin()
        await _drain(server, web, config.drain_grace, stop_at_once)
        await intake.close()
        reloading.cancel()
        await watching
        log_event(logging.INFO, "stopped", {"entries": log.last_position()})


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


def _signed_log(config: Config, log: Log) -> SignedLog | None:
    if config.log_key is None:
        return None
    try:
        key = load_signer(config.log_key, SignatureType.ED25519)
    except OSError as fault:
        raise BadKey(f"the log's key {config.log_key} cannot be read: {fault.strerror}") from fault
    return SignedLog(Tree(log), key)


def _options(config: Config) -> tuple[tuple[str, int], ...]:
    return (
        # Otherwise Linux lets a second server share the port and take calls from the first.
        ("grpc.so_reuseport", 0),
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
        ("grpc.http2.min_ping_interval_without_data_ms", round(config.keepalive_least * 1000)),
    )


def _freeze_objects() -> None:
    """Exempt the objects that exist at the start, and stay, from garbage collection."""
    gc.collect()
    gc.freeze()


async def _reload(admission: Admission, web_tls: WebTls | None) -> None:
    while True:
        await asyncio.sleep(_RELOAD_SECONDS)
        admission.reload()
        if web_tls is not None:
            web_tls.reload()


def _web_port(
    config: Config, handler: rpc.CallHandler, tls: WebTls | None
) -> tuple[HttpPort | None, Address | None]:
    """The HTTP port and its address; none where it is not wanted, or where its default port is taken."""
    if config.no_web:
        return None, None
    wanted = config.web or DEFAULT_WEB
    try:
        listening, address = bound_socket(wanted)
    except OSError as fault:
        if config.web is None:
            return None, None
        raise CannotListen(f"cannot listen on {wanted}: {fault.strerror}") from fault
    app = HttpApplication(handler, OwnHosts(address, config.web_hosts))
    context = None if tls is None else tls.context
    return HttpPort(app, listening, context, _max_rpcs(config)), address


def _listen(server: aio.Server, address: Address, credentials: ServerCredentials | None) -> Address:
    # gRPC writes only to its own log why it cannot listen; binding a socket first raises the reason.
    try:
        family, *_, sockaddr = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
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
