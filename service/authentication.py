"""Authenticates callers, by address, certificate or token."""

import hmac
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote

from records.entry import MatchId
from records.log.owners import MatchOwners
from service.authorization import Caller, Role
from service.call import Context
from service.config import Config
from service.errors import CallError, Reason
from service.reloading import ReloadingFile
from service.server_secret import ServerSecret
from service.tokens import Token, digest_of, read_tokens

_SCHEME: Final = "bearer "

_DIGEST_KEY_CHARS: Final = 16
"""Characters of a token's hash by which it is looked up: 64 bits, so that no two tokens share them."""

_SEAT_SEPARATOR: Final = "/"
"""Stands between match and seat in the name of a seat's caller; the name of a token cannot contain it."""

_MAX_CACHED_CALLERS: Final = 4096
"""Callers kept in each cache, which saves hashing a token or parsing an address per call. A cache of this
size takes about a megabyte."""


class Authenticator(ABC):
    """Finds out who calls."""

    by_address = False
    """Whether the address of a connection says all there is to know of its caller."""

    @abstractmethod
    def authenticate(self, context: Context) -> Caller:
        """The caller; raises CallError where it is not known."""

    @abstractmethod
    def require_valid(self, caller: Caller) -> None:
        """Raises CallError where the credentials of a caller in the middle of a call are no longer valid."""

    @abstractmethod
    def reload(self) -> None:
        """Reload credentials that have changed; to be called from time to time."""


class ByAddress(Authenticator):
    """Distinguishes callers by address or certificate, and gives all of them one role, usually an admin's."""

    def __init__(self, *, certified: bool, role: Role = Role.ADMIN) -> None:
        self._certified: Final = certified
        self._role: Final = role
        self.by_address = not certified

    def authenticate(self, context: Context) -> Caller:
        """The caller, who is always admitted."""
        name = _certificate_name(context) if self._certified else host_of(context.peer())
        return _known(name, self._role)

    def require_valid(self, caller: Caller) -> None:
        """Always valid."""

    def reload(self) -> None:
        """There is nothing to reload."""


@dataclass(frozen=True, slots=True)
class _Credential:
    caller: Caller
    digest: str = ""
    expires: float = math.inf


@dataclass(frozen=True, slots=True)
class _TokenTable:
    by_name: Mapping[str, _Credential]
    by_digest: Mapping[str, _Credential]
    """By the first characters of the hash: the whole hash is then compared in constant time."""

    @classmethod
    def of(cls, tokens: Iterable[Token]) -> Self:
        credentials = [
            _Credential(token.caller, token.sha256, token.expires.timestamp() if token.expires else math.inf)
            for token in tokens
        ]
        return cls(
            {each.caller.name: each for each in credentials},
            {each.digest[:_DIGEST_KEY_CHARS]: each for each in credentials},
        )

    def find(self, token: str) -> _Credential | None:
        digest = digest_of(token)
        found = self.by_digest.get(digest[:_DIGEST_KEY_CHARS])
        return found if found is not None and hmac.compare_digest(found.digest, digest) else None


class ByToken(Authenticator):
    """Requires a token: one from the file, or that of a seat in a match of this server."""

    def __init__(
        self,
        tokens: Path,
        secret: ServerSecret,
        owner_of: Callable[[MatchId], str | None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Raises BadTokens."""
        self._secret: Final = secret
        self._owner_of: Final = owner_of
        """The owner of a match, to whose account its seats count."""
        self._clock: Final = clock
        self._file: Final = ReloadingFile((tokens,), lambda: _TokenTable.of(read_tokens(tokens)))
        self._cache: Final[dict[str, _Credential]] = {}
        """By token."""

    def authenticate(self, context: Context) -> Caller:
        """The caller that the token was made for."""
        token = _bearer_token(context)
        credential = self._cache.get(token) or self._look_up(token)
        if credential.expires <= self._clock():
            raise _no_credentials("the token has expired")
        return credential.caller

    def require_valid(self, caller: Caller) -> None:
        """Raises CallError once the token is revoked or has expired."""
        credential = self._file.value.by_name.get(caller.name)
        if credential is None:
            if _SEAT_SEPARATOR not in caller.name:
                raise _no_credentials("the token has been revoked")
        elif credential.caller != caller or credential.expires <= self._clock():
            raise _no_credentials("the token has expired, or another token has its name now")

    def reload(self) -> None:
        """Read the file again if it has changed."""
        if self._file.reload():
            self._cache.clear()

    def _look_up(self, token: str) -> _Credential:
        found = self._file.value.find(token) or self._seat_credential(token)
        if found is None:
            raise _no_credentials("the token is not known here")
        found = self._with_account(found)
        if len(self._cache) >= _MAX_CACHED_CALLERS:
            self._cache.clear()
        self._cache[token] = found
        return found

    def _with_account(self, credential: _Credential) -> _Credential:
        """The credential of a seat counts to the account of the owner that started its match."""
        caller = credential.caller
        owner = None if caller.match is None else self._owner_of(caller.match)
        if owner is None:
            return credential
        return replace(credential, caller=replace(caller, account=owner))

    def _seat_credential(self, token: str) -> _Credential | None:
        found = self._secret.seat_of(token)
        if found is None:
            return None
        match, seat = found
        return _Credential(Caller(f"{match}{_SEAT_SEPARATOR}{seat}", Role.SEAT, match, seat))


def authenticator_for(config: Config, secret: ServerSecret, owners: MatchOwners | None) -> Authenticator:
    """The authenticator that the configuration asks for; raises BadTokens."""
    if config.tokens is None or owners is None:
        return ByAddress(certified=config.certifies)
    return ByToken(config.tokens, secret, owners.owner_of)


def host_of(peer: str) -> str:
    """The host of a peer as gRPC writes it, `ipv4:192.0.2.7:50422` or `ipv6:%5B::1%5D:50422`."""
    kind, _, address = peer.partition(":")
    return unquote(address).rpartition(":")[0].strip("[]") if kind in {"ipv4", "ipv6"} else peer


@lru_cache(_MAX_CACHED_CALLERS)
def _known(name: str, role: Role) -> Caller:
    return Caller(name, role)


def _certificate_name(context: Context) -> str:
    """The name in the caller's certificate, which gRPC has verified."""
    properties = context.auth_context()
    for key in ("x509_common_name", "x509_subject_alternative_name"):
        if names := properties.get(key):
            return next(iter(names)).decode(errors="replace")
    return host_of(context.peer())


def _bearer_token(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str) and value[: len(_SCHEME)].lower() == _SCHEME:
            return value[len(_SCHEME) :]
    raise _no_credentials("the call has no token; send `authorization: Bearer TOKEN` as metadata")


def _no_credentials(why: str) -> CallError:
    return CallError(Reason.NO_CREDENTIALS, why)
