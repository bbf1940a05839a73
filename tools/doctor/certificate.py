"""How long a certificate is still good for."""

from datetime import UTC, datetime, timedelta
from typing import Final

from cryptography import x509

from tools.doctor.finding import Finding, hint, unknown, well, wrong

SOON: Final = timedelta(days=7)
"""By then it should have been renewed."""

LATER: Final = timedelta(days=21)
"""By then most authorities renew it."""


def expiry(about: str, certificate: bytes, now: datetime | None = None) -> Finding:
    """When the first certificate of a chain ends, in PEM or DER."""
    try:
        pem = b"-----BEGIN" in certificate
        first = (
            x509.load_pem_x509_certificates(certificate)[0]
            if pem
            else x509.load_der_x509_certificate(certificate)
        )
    except ValueError as fault:
        return unknown(about, f"it cannot be read: {fault}", "see whether the file is a certificate")
    begins, ends = first.not_valid_before_utc, first.not_valid_after_utc
    left = ends - (now or datetime.now(UTC))
    told = f"ends on {ends:%Y-%m-%d %H:%M} UTC, in {left.days} days"
    if left <= timedelta(0):
        return wrong(
            about, f"ended on {ends:%Y-%m-%d %H:%M} UTC", "renew it: the server reads the new file by itself"
        )
    if begins > (now or datetime.now(UTC)):
        return wrong(about, f"begins only on {begins:%Y-%m-%d %H:%M} UTC", "see to the clocks, or wait")
    if left <= SOON:
        return wrong(about, told, "renew it: the server reads the new file by itself")
    if left <= LATER:
        return hint(about, told, "see whether it is renewed by itself")
    return well(about, told)
