"""Checks the configuration of a server without starting it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from service.config import Config
from service.tls import BadCertificate, credentials_of
from service.tokens import BadTokens, read_tokens
from tools.doctor.certificate import expiry
from tools.doctor.files import private
from tools.doctor.finding import Finding, hint, well, wrong
from tools.terminal.output import plural


def examine(config: Config) -> Iterator[Finding]:
    """Check the options and the files that they name."""
    yield well("options", "they are valid; `shiji serve --check-config` lists them with their sources")
    yield _metrics(config)
    if config.tls_cert is not None and config.tls_key is not None:
        yield from _tls(config, config.tls_cert, config.tls_key)
    if config.tokens is not None:
        yield from _tokens(config.tokens)
    if config.otlp_endpoint is not None and not _can_trace():
        yield wrong("traces", "the exporter for traces is not installed", "pip install 'shiji[tracing]'")


def _metrics(config: Config) -> Finding:
    if config.metrics_listen is not None and config.metrics_listen == config.listen and config.listen.port:
        found = f"calls and metrics are both configured on {config.listen}"
        return wrong("ports", found, "use another port for --metrics-listen")
    if config.metrics_listen is None:
        return hint("metrics", "this server cannot be monitored", "--metrics-listen 127.0.0.1:9464")
    if not config.metrics_listen.is_loopback:
        advice = "make sure that only your own network can reach the port"
        return hint("metrics", f"anyone who can reach {config.metrics_listen} can read them", advice)
    return well("metrics", f"served on {config.metrics_listen}")


def _tls(config: Config, cert: Path, key: Path) -> Iterator[Finding]:
    try:
        credentials_of(config)
    except BadCertificate as fault:
        yield wrong("TLS", str(fault), "configure a certificate chain and its private key, both as PEM")
    else:
        yield expiry("certificate", cert.read_bytes())
        yield private("private key", key)


def _tokens(path: Path) -> Iterator[Finding]:
    try:
        tokens = read_tokens(path)
    except BadTokens as fault:
        yield wrong("tokens", str(fault), "restore a copy of the file, or create it with `shiji token new`")
        return
    yield private("tokens", path)
    expired = [token.name for token in tokens if token.expired(datetime.now(UTC))]
    if expired:
        advice = "`shiji token revoke NAME`, then `shiji token new` for those who still need one"
        yield hint("tokens", f"expired: {', '.join(expired)}", advice)
    if len(tokens) == len(expired):
        yield wrong("tokens", f"{path} has no valid token", "`shiji token new --name NAME --role admin`")
    else:
        yield well("tokens", plural(len(tokens) - len(expired), "token is valid", "tokens are valid"))


def _can_trace() -> bool:
    try:
        return find_spec("opentelemetry.exporter.otlp.proto.grpc.trace_exporter") is not None
    except ModuleNotFoundError:
        return False
