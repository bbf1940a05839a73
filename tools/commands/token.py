"""`shiji token`: creates, lists and revokes the tokens that callers of a server need."""

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

_TOKENS_OPTION: Final = click.option(
    "--tokens",
    "path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="SHIJI_TOKENS",
    show_envvar=True,
    default="shiji.tokens",
    show_default=True,
    help="The token file, which is given to the server as `shiji serve --tokens FILE`.",
)
"""The option --tokens."""


_NEW_HELP: Final = """Create a token and print it. It cannot be printed again: the file holds only its hash.

\b
admin     may do everything, but sees no hidden hands of a match in progress
recorder  starts matches, and appends for every seat of its owner's matches
auditor   reads and audits, but appends nothing
seat      plays one seat of one match, like the tokens that StartMatch returns
"""
"""Help of `shiji token new`; not a docstring, because click needs a real backspace to keep the lines."""


@click.group()
def command() -> None:
    """Create, list and revoke the tokens that callers of a server need.

    The file holds only hashes of the tokens. A running server reloads it as soon as it changes.
    """


@command.command(help=_NEW_HELP)
@_TOKENS_OPTION
@click.option("--name", required=True, help="Name of the holder, used in logs and for limits.")
@click.option("--role", required=True, type=click.Choice([role.value for role in Role]), help="See above.")
@click.option(
    "--owner",
    help="Whose matches it is for, by default the token's name. Tokens of one owner share their matches.",
)
@click.option("--days", type=click.FloatRange(0, min_open=True), help="Number of days until it expires.")
@click.option(
    "--seat", "place", metavar="MATCH/SEAT", help="For the role seat: the match and the seat number, from 0."
)
def new(  # noqa: PLR0913, PLR0917 - one for each option
    path: Path, name: str, role: str, owner: str | None, days: float | None, place: str | None
) -> None:
    """Create a token and print it."""
    secret, now = new_secret(), datetime.now(UTC).replace(microsecond=0)
    expires = None if days is None else now + timedelta(days=days)
    with _exit_on_bad_file(), changing(path) as tokens:
        if name in {token.name for token in tokens}:
            raise click.ClickException(f"{name} has a token already; `shiji token revoke {name}` revokes it")
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
                owner=owner,
            )
        )
    click.echo(f"{name} was added to {path}. Keep the token: it cannot be shown again.", err=True)
    click.echo(secret)


@command.command(name="list")
@_TOKENS_OPTION
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per line.")
def list_(path: Path, *, as_objects: bool) -> None:
    """List the holders of tokens and their roles."""
    with _exit_on_bad_file():
        tokens = read_tokens(path)
    now = datetime.now(UTC)
    for token in tokens:
        if as_objects:
            fields = {key: value for key, value in msgspec.to_builtins(token).items() if key != "sha256"}
            show_json({**fields, "expired": token.expired(now)})
        else:
            show((_line(token, now),))


@command.command()
@_TOKENS_OPTION
@click.argument("name")
def revoke(path: Path, name: str) -> None:
    """Revoke the token of NAME: servers no longer accept it."""
    with _exit_on_bad_file(), changing(path) as tokens:
        left = [token for token in tokens if token.name != name]
        if len(left) == len(tokens):
            raise click.ClickException(f"{path} has no token for {name}")
        tokens[:] = left
    click.echo(f"The token of {name} is revoked.")


@contextmanager
def _exit_on_bad_file() -> Iterator[None]:
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
    owner = "" if token.owner is None else f" of {token.owner}"
    return Line(f"{token.name}: {token.role.value}{owner}{seat}, since {token.made}{ends}")
