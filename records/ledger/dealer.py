"""What the service shuffles by, in the matches in which it deals."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

from records.entry import SERVICE, MatchHeader, MatchId
from records.evidence.sealing import commit_secret
from records.ledger.results import NoDealer

Secrets: TypeAlias = Callable[[MatchId], bytes]
"""Returns the secret that the service shuffles by in a match, 32 bytes."""

_CACHED_COMMITMENTS: Final = 512
"""Matches whose commitment is kept: some more than are played at the same time."""

_commitment: Final = lru_cache(maxsize=_CACHED_COMMITMENTS)(commit_secret)
"""As commit_secret, cached, since every append asks for it."""


def dealing_secret(secrets: Secrets | None, header: MatchHeader, match: MatchId) -> bytes:
    """What the service shuffles by in a match; NoDealer if the match began with another secret, or none."""
    if secrets is None:
        raise NoDealer(match)
    secret = secrets(match)
    if header.pledge and header.pledge != _commitment(match, secret):
        raise NoDealer(match)
    return secret


def own_secret(secrets: Secrets | None, header: MatchHeader, match: MatchId) -> bytes | None:
    """The same, or None if it is not this service that deals in the match."""
    if header.dealer is not SERVICE:
        return None
    try:
        return dealing_secret(secrets, header, match)
    except NoDealer:
        return None
