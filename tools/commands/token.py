"""`shiji token`: who may call a server, by tokens that their bearers keep to themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import click
import msgspec

from service.authorization import Role
from service.tokens import Token, changing, digest_of, new_secret, read_tokens
from tools.terminal.output import Line, show, show_json

_TOKENS: Final = click.option(
    "--tokens",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="SHIJI_TOKENS",
    show_envvar=True,
    default="shiji.tokens",
    show_default=True,
    help="The file with the tokens, which `shiji serve --tokens FILE` asks for.",
)


@click.group()
def command() -> None:
    """Make, list and revoke the tokens that callers of a server must have.

    The file knows only hashes of them. A server reads it anew as soon as it changes.
    """


@command.command()
@_TOKENS
@click.option("--name", required=True, help="Whose it is; logs and limits go by it.")
@click.option("--role", required=True, type=click.Choice([role.value for role in Role]), help="See above.")
@click.option("--days", type=click.FloatRange(0, min_open=True), help="It expires after so many days.")
@click.option("--seat", "place", metavar="MATCH/SEAT", help="Of a seat: its match and number, from 0.")
def new(path: Path, name: str, role: str, days: float | None, place: str | None) -> None:
    r"""Make a token and print it, once: the file knows only its hash.

    \b
    admin     may do everything
    recorder  starts matches, and appends for every seat
    auditor   reads and audits; appends nothing
    seat      plays one seat of one match, as with the tokens that StartMatch gives
    """
    secret, now = new_secret(), datetime.now(UTC).replace(microsecond=0)
    expires = None if days is None else now + timedelta(days=days)
    with _told(), changing(path) as tokens:
        if name in {token.name for token in tokens}:
            raise click.ClickException(f"{name} has a token; `shiji token revoke {name}` takes it away")
        match, seat = (None, None) if place is None else _seat(place)
        tokens.append(
            Token(
                name=name,
                role=Role(role),
                sha256=digest_of(secret),
                made=now,
                expires=expires,
                match=match,
                seat=seat,
            )
        )
    click.echo(f"{path} knows {name} now. Keep the token: it is printed this once.", err=True)
    click.echo(secret)


@command.command(name="list")
@_TOKENS
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object a line.")
def list_(path: Path, *, as_objects: bool) -> None:
    """List who has a token, and for what."""
    with _told():
        tokens = read_tokens(path)
    now = datetime.now(UTC)
    for token in tokens:
        if as_objects:
            told = {key: value for key, value in msgspec.to_builtins(token).items() if key != "sha256"}
            show_json({**told, "expired": token.expired(now)})
        else:
            show((_line(token, now),))


@command.command()
@_TOKENS
@click.argument("name")
def revoke(path: Path, name: str) -> None:
    """Take the token of NAME away: servers let its bearer in no more."""
    with _told(), changing(path) as tokens:
        left = [token for token in tokens if token.name != name]
        if len(left) == len(tokens):
            raise click.ClickException(f"{path} knows no {name}")
        tokens[:] = left
    click.echo(f"{name} has no token any more.")


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except ValueError as fault:
        raise click.ClickException(str(fault)) from fault


def _seat(place: str) -> tuple[str, int]:
    match, _, seat = place.rpartition("/")
    if not (match and seat.isascii() and seat.isdigit()):
        raise click.BadParameter(f"{place!r} is not MATCH/SEAT", param_hint="'--seat'")
    return match, int(seat)


def _line(token: Token, now: datetime) -> Line:
    seat = "" if token.match is None else f" {token.match}/{token.seat}"
    ends = (
        "" if token.expires is None else f", {'expired' if token.expired(now) else 'until'} {token.expires}"
    )
    return Line(f"{token.name}: {token.role.value}{seat}, since {token.made}{ends}")
