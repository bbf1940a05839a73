"""TLS certificates, read from files and reloaded when they are renewed."""

import ssl
from pathlib import Path
from typing import Final

import grpc

from service.config import Config
from service.reloading import ReloadingFile


class BadCertificate(ValueError):
    """A certificate or key file cannot be read, or does not match the others."""


def credentials_of(config: Config) -> grpc.ServerCredentials | None:
    """The server's certificate and key; None where TLS is not configured. Raises BadCertificate."""
    if config.tls_cert is None or config.tls_key is None:
        return None
    cert, key, client_ca = config.tls_cert, config.tls_key, config.tls_client_ca
    paths = (cert, key) if client_ca is None else (cert, key, client_ca)
    files = ReloadingFile(paths, lambda: _read(cert, key, client_ca))

    def reload() -> grpc.ServerCertificateConfiguration | None:
        return files.value if files.reload() else None

    return grpc.dynamic_ssl_server_credentials(
        files.value,
        reload,  # type: ignore[arg-type]  # the stub does not know that None means no change
        require_client_authentication=config.certifies,
    )


class WebTls:
    """The certificate of the HTTP port, the same as that of gRPC."""

    def __init__(self, cert: Path, key: Path, client_ca: Path | None) -> None:
        """Raises BadCertificate."""
        self.context: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        paths = (cert, key) if client_ca is None else (cert, key, client_ca)
        self._files: Final = ReloadingFile(paths, lambda: self._load(cert, key, client_ca))

    def reload(self) -> None:
        """Use renewed files for new connections."""
        self._files.reload()

    def _load(self, cert: Path, key: Path, client_ca: Path | None) -> None:
        _load_chain(self.context, cert, key)
        if client_ca is not None:
            self.context.verify_mode = ssl.CERT_REQUIRED
            _load_roots(self.context, client_ca)


def web_tls_of(config: Config) -> WebTls | None:
    """The certificate of the HTTP port; None where TLS is not configured. Raises BadCertificate."""
    if config.tls_cert is None or config.tls_key is None:
        return None
    return WebTls(config.tls_cert, config.tls_key, config.tls_client_ca)


def _read(cert: Path, key: Path, client_ca: Path | None) -> grpc.ServerCertificateConfiguration:
    chain, private, roots = _bytes(cert), _bytes(key), None if client_ca is None else _bytes(client_ca)
    # gRPC would find a bad certificate only when a client connects, and would not report it.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _load_chain(context, cert, key)
    if client_ca is not None:
        _load_roots(context, client_ca)
    return grpc.ssl_server_certificate_configuration([(private, chain)], roots)


def _load_chain(context: ssl.SSLContext, cert: Path, key: Path) -> None:
    try:
        context.load_cert_chain(cert, key, password="")  # so that the terminal is not asked for one
    except OSError as fault:
        raise BadCertificate(f"{cert} and {key} are not a PEM certificate and its key: {fault}") from fault


def _load_roots(context: ssl.SSLContext, client_ca: Path) -> None:
    try:
        context.load_verify_locations(client_ca)
    except OSError as fault:
        raise BadCertificate(f"{client_ca} has no PEM certificates: {fault}") from fault


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise BadCertificate(f"cannot read {path}: {fault.strerror}") from fault
