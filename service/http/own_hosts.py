"""Which Host and Origin a request may name, so that pages of other sites cannot use a visitor's server.

A server on loopback without tokens trusts every local caller, and a browser brings strangers along: a page of
another site may send requests (Origin), and its name may be made to point to this machine (Host).
"""

import re
from ipaddress import ip_address
from typing import Final

from service.address import Address
from service.http.faults import HttpReason, HttpRefusal
from service.http.requests import HttpRequest

_AUTHORITY: Final = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?", re.ASCII)
"""Host and port; the port does not matter, as it may be forwarded."""

_SCHEMES: Final = ("http://", "https://")
"""Both: a proxy in front may speak TLS where this server does not."""


class OwnHosts:
    """The names and addresses under which this server is reached."""

    def __init__(self, listen: Address, names: str) -> None:
        """The names are those that the operator gave, separated by commas."""
        self._names: Final = {"localhost", listen.host.lower()} | {
            name.strip().lower() for name in names.split(",") if name.strip()
        }

    def require_own(self, request: HttpRequest) -> None:
        """Raises HttpRefusal for a request to another host, or from a page of another site."""
        sent = (request.header("host") or "").lower()
        found = _AUTHORITY.fullmatch(sent)
        if found is None or not self._is_own(found["host"].strip("[]"), request):
            message = f"this server is not {sent[:100]!r}" if sent else "the request has no Host header"
            raise HttpRefusal(HttpReason.FOREIGN_HOST, message)
        origin = request.header("origin")
        if origin is not None and origin.lower() not in {f"{scheme}{sent}" for scheme in _SCHEMES}:
            message = f"a page of {origin[:100]!r} may not call this server"
            raise HttpRefusal(HttpReason.FOREIGN_ORIGIN, message)

    def _is_own(self, host: str, request: HttpRequest) -> bool:
        """A name that we know, or the very address that the client connected to: no name leads there."""
        if host in self._names:
            return True
        try:
            address = ip_address(host)
        except ValueError:
            return False
        server = request.scope.get("server")
        own = str(server[0]) if isinstance(server, tuple | list) else ""
        return address.is_loopback or str(address) == own.partition("%")[0]
