"""Writes docs/errors.md, the list of all reasons for which a call can fail, from the service's code."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import click
from grpc import StatusCode

from service.errors import DOMAIN, Reason

PAGE: Final = Path(__file__).resolve().parents[2] / "docs/errors.md"
"""Path of the page."""

_INTRODUCTION: Final = f"""\
# Errors

<!-- Written by `make errors` from service/errors.py; edit that. -->

A call that fails ends with a gRPC status code and a `google.rpc.Status` (the trailer
`grpc-status-details-bin`). Its details begin with an `ErrorInfo` of the domain `{DOMAIN}`, whose `reason`
is one of those below, in capitals; programs should decide by the reason, and show people the message. The
name and the code of a reason never change. `ErrorInfo.metadata` has the keys named in the table, as far as
their values are known.

Further details: `google.rpc.BadRequest` names the invalid field by its path, such as `seats[1]`;
`shiji.verdict.v1.RuleViolations` lists every broken rule; `shiji.verdict.v1.AuditReport` explains why a
record does not verify; `google.rpc.RetryInfo` says how long to wait. In `Play`, the same details are in a
`Refusal` in the answer, and the stream stays open.

An illegal move in `CheckMove` is not a failure: the verdict is the answer.

**When to send a request again.** After `UNAVAILABLE`, `DEADLINE_EXCEEDED`, a `CANCELLED` that you did not
cause or a lost connection, it is not known whether something was stored: send the same request with the same
`request_id`, and it is stored only once. `ABORTED` means that someone else was faster: read the new entries,
then decide again. `RESOURCE_EXHAUSTED` passes with time. With every other code, the same request gets the
same answer again.
"""
"""The text above the tables."""


def page() -> str:
    """The expected content of the page."""
    return "\n".join((_INTRODUCTION, *_sections()))


def _sections() -> Iterator[str]:
    for code, reasons in groupby(sorted(Reason, key=_number), key=lambda reason: reason.value.code):
        yield f"## {code.name}\n"
        yield "| reason | when | what to do | metadata |"
        yield "|---|---|---|---|"
        yield from map(_row, reasons)
        yield ""


def _number(reason: Reason) -> int:
    return list(StatusCode).index(reason.value.code)


def _row(reason: Reason) -> str:
    meaning = reason.value
    keys = ", ".join(f"`{key}`" for key in meaning.metadata)
    return f"| `{reason.name}` | {meaning.when} | {meaning.advice} | {keys} |"


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail if the page is not what would be written.")
def main(*, check: bool) -> None:
    """Write docs/errors.md from the reasons of the service."""
    want = page()
    if not check:
        PAGE.write_text(want, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text("utf-8") != want:
        raise click.ClickException(
            "docs/errors.md differs from service/errors.py. Run `make errors` and commit what it writes."
        )
    click.echo(f"docs/errors.md has the {len(Reason)} reasons of the service.")


if __name__ == "__main__":
    main()
