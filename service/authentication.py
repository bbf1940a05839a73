"""Who calls: known by an address, a certificate or a token."""

import hmac
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote

from service.authorization import Caller, Role
from service.call import Context
from service.config import Config
from service.errors import CallError, Reason
from service.reloading import ReloadingFile
from service.server_secret import Secret
from service.tokens import Token, digest_of, read_tokens

_SCHEME: Final = "bearer "
_BEGINNING: Final = 16
_OF_SEAT: Final = "/"
"""Stands in the name of a seat, between match and number, and in no token's."""

_MET: Final = 4096
"""So many callers are remembered: that is quicker than to find out who it is."""


class Authenticator(ABC):
    """Knows callers."""

    by_address = False
    """Whether the address of a connection says all there is to know of its caller."""

    @abstractmethod
    def who(self, context: Context) -> Caller:
        """Who calls; Refused where that is not known."""

    @abstractmethod
    def still(self, caller: Caller) -> None:
        """Refused where a caller whose call is under way would not be let in any more."""

    @abstractmethod
    def renew(self) -> None:
        """Learn what has changed; to be called now and then."""


class ByAddress(Authenticator):
    """Knows callers by their addresses or their certificates, and trusts them with everything."""

    def __init__(self, *, certified: bool) -> None:
        self._certified: Final = certified
        self.by_address = not certified

    def who(self, context: Context) -> Caller:
        """Whoever calls."""
        return _trusted(_certified(context) if self._certified else host_of(context.peer()))

    def still(self, caller: Caller) -> None:
        """He is."""

    def renew(self) -> None:
        """Nothing can change."""


@dataclass(frozen=True, slots=True)
class _Known:
    caller: Caller
    digest: str = ""
    until: float = math.inf


@dataclass(frozen=True, slots=True)
class _Book:
    by_name: Mapping[str, _Known]
    by_digest: Mapping[str, _Known]
    """By its beginning: all of it is compared in a time that tells nothing."""

    @classmethod
    def of(cls, tokens: Iterable[Token]) -> Self:
        every = [
            _Known(token.caller, token.sha256, token.expires.timestamp() if token.expires else math.inf)
            for token in tokens
        ]
        return cls(
            {known.caller.name: known for known in every},
            {known.digest[:_BEGINNING]: known for known in every},
        )

    def find(self, said: str) -> _Known | None:
        digest = digest_of(said)
        known = self.by_digest.get(digest[:_BEGINNING])
        return known if known is not None and hmac.compare_digest(known.digest, digest) else None


class ByToken(Authenticator):
    """Asks for tokens: one from the file, or one of a seat of this server's matches."""

    def __init__(self, tokens: Path, secret: Secret, clock: Callable[[], float] = time.time) -> None:
        """Raises BadTokens."""
        self._secret: Final = secret
        self._clock: Final = clock
        self._file: Final = ReloadingFile((tokens,), lambda: _Book.of(read_tokens(tokens)))
        self._met: Final[dict[str, _Known]] = {}
        """By what they said."""

    def who(self, context: Context) -> Caller:
        """Whoever the token was made for."""
        said = _bearer(context)
        known = self._met.get(said) or self._meet(said)
        if known.until <= self._clock():
            raise _unknown("the token has expired")
        return known.caller

    def still(self, caller: Caller) -> None:
        """Until the token is revoked, or expires."""
        known = self._file.value.by_name.get(caller.name)
        if known is None:
            if _OF_SEAT not in caller.name:
                raise _unknown("the token has been revoked")
        elif known.caller != caller or known.until <= self._clock():
            raise _unknown("the token has expired, or another has its name")

    def renew(self) -> None:
        """Read the file if it has changed."""
        if self._file.renew():
            self._met.clear()

    def _meet(self, said: str) -> _Known:
        known = self._file.value.find(said) or self._seated(said)
        if known is None:
            raise _unknown("the token is not known here")
        if len(self._met) >= _MET:
            self._met.clear()
        self._met[said] = known
        return known

    def _seated(self, said: str) -> _Known | None:
        found = self._secret.seat_of(said)
        if found is None:
            return None
        match, seat = found
        return _Known(Caller(f"{match}{_OF_SEAT}{seat}", Role.SEAT, match, seat))


def authenticator_for(config: Config, secret: Secret) -> Authenticator:
    """Whoever knows the callers of a server that is configured like this; raises BadTokens."""
    return ByToken(config.tokens, secret) if config.tokens else ByAddress(certified=config.certifies)


def host_of(peer: str) -> str:
    """The host of a peer as gRPC writes it, `ipv4:192.0.2.7:50422` or `ipv6:%5B::1%5D:50422`."""
    kind, _, address = peer.partition(":")
    return unquote(address).rpartition(":")[0].strip("[]") if kind in {"ipv4", "ipv6"} else peer


@lru_cache(_MET)
def _trusted(name: str) -> Caller:
    return Caller(name, Role.ADMIN)


def _certified(context: Context) -> str:
    """The name in a certificate, which gRPC has checked already."""
    said = context.auth_context()
    for key in ("x509_common_name", "x509_subject_alternative_name"):
        if names := said.get(key):
            return next(iter(names)).decode(errors="replace")
    return host_of(context.peer())


def _bearer(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str) and value[: len(_SCHEME)].lower() == _SCHEME:
            return value[len(_SCHEME) :]
    raise _unknown("the call has no token; send `authorization: Bearer TOKEN` as metadata")


def _unknown(why: str) -> CallError:
    return CallError(Reason.NO_CREDENTIALS, why)
