"""Checks when a certificate expires."""

from datetime import UTC, datetime, timedelta
from typing import Final

from cryptography import x509

from tools.doctor.finding import Finding, hint, unknown, well, wrong

RENEWAL_OVERDUE: Final = timedelta(days=7)
"""Remaining validity at which there is a problem: automatic renewal should have happened long before."""

RENEWAL_DUE: Final = timedelta(days=21)
"""Remaining validity from which there is a hint: most automatic renewals happen 30 days before expiry."""


def expiry(about: str, certificate: bytes, now: datetime | None = None) -> Finding:
    """Check the expiry of the first certificate of a chain, in PEM or DER."""
    try:
        pem = b"-----BEGIN" in certificate
        first = (
            x509.load_pem_x509_certificates(certificate)[0]
            if pem
            else x509.load_der_x509_certificate(certificate)
        )
    except ValueError as fault:
        return unknown(about, f"it cannot be read: {fault}", "check that the file is a certificate")
    begins, ends = first.not_valid_before_utc, first.not_valid_after_utc
    left = ends - (now or datetime.now(UTC))
    found = f"expires on {ends:%Y-%m-%d %H:%M} UTC, in {left.days} days"
    if left <= timedelta(0):
        return wrong(
            about, f"expired on {ends:%Y-%m-%d %H:%M} UTC", "renew it; the server reloads the file by itself"
        )
    if begins > (now or datetime.now(UTC)):
        return wrong(about, f"is valid only from {begins:%Y-%m-%d %H:%M} UTC", "check the clocks, or wait")
    if left <= RENEWAL_OVERDUE:
        return wrong(about, found, "renew it; the server reloads the file by itself")
    if left <= RENEWAL_DUE:
        return hint(about, found, "check that it is renewed automatically")
    return well(about, found)
