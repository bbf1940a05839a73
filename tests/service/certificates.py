"""Generates certificates for tests."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @classmethod
    def authority(cls, name: str) -> Self:
        """A certificate authority, which signs other certificates."""
        return cls._made(name, None)

    def sign(self, name: str, lifetime: timedelta = HOUR) -> Self:
        """A certificate for this name, valid for 127.0.0.1."""
        return self._made(name, self, lifetime)

    @classmethod
    def _made(cls, name: str, issuer: Self | None, lifetime: timedelta = HOUR) -> Self:
        key, subject, now = ec.generate_private_key(ec.SECP256R1()), _name(name), datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject if issuer is None else issuer.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - HOUR)
            .not_valid_after(now + lifetime)
            .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
            .add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
            )
            .sign(key if issuer is None else issuer.key, hashes.SHA256())
        )
        return cls(certificate, key)

    @property
    def pem(self) -> bytes:
        """The certificate in PEM."""
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def der(self) -> bytes:
        """The certificate in DER."""
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def key_pem(self) -> bytes:
        """Its private key in PEM."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def save(self, folder: Path) -> tuple[Path, Path]:
        """Writes the certificate and its key to files, each of which is replaced atomically."""
        files = folder / "cert.pem", folder / "key.pem"
        for file, content in zip(files, (self.pem, self.key_pem), strict=True):
            draft = file.with_suffix(".new")
            draft.write_bytes(content)
            draft.replace(file)
        return files


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
