"""`make bench`: runs the benchmarks, and says which targets are reached."""

import sys

import click

from tools.dev.bench import (
    browser,
    dask,
    evidence,
    first_root,
    fleet,
    games,
    index,
    khan,
    log,
    own_cost,
    records,
    rules,
    service,
    versions,
    web,
)
from tools.dev.bench.report import as_json, as_text
from tools.dev.compiling import compiled, outdated

SECTIONS = {
    "rules": rules.lines,
    "khan": khan.lines,
    "games": games.lines,
    "log": log.lines,
    "records": records.lines,
    "versions": versions.lines,
    "append": own_cost.lines,
    "service": service.lines,
    "evidence": evidence.lines,
    "index": index.lines,
    "web": web.lines,
    "root": first_root.lines,
    "fleet": fleet.lines,
    "dask": dask.lines,
    "browser": browser.lines,
}
"""The measured areas, in the order in which they run."""


@click.command()
@click.argument("sections", nargs=-1, type=click.Choice(sorted(SECTIONS)))
@click.option("--rounds", default=9, show_default=True, help="Number of measurements of each contender.")
@click.option(
    "--leaves",
    default=first_root.DEFAULT_LEAVES,
    show_default=True,
    help="Entries of the archives of the section root.",
)
@click.option("--json", "in_json", is_flag=True, help="Print one JSON object per figure.")
def main(sections: tuple[str, ...], rounds: int, leaves: int, *, in_json: bool) -> None:
    """Measure the sections named, or all. Ratios are taken within each round; their median is printed."""
    if outdated():
        raise click.ClickException("Qin's rules have changed since they were compiled; run `make compile`")
    if not compiled():
        click.echo("Qin's rules are not compiled; `make compile` compiles them.", err=True)
    missed, targets = [], 0
    for name in sections or SECTIONS:
        found = first_root.lines(rounds, leaves) if name == "root" else SECTIONS[name](rounds)
        click.echo(as_json(found) if in_json else f"{name}\n{as_text(found)}\n")
        targets += sum(line.target is not None for line in found)
        missed += [line.what for line in found if line.reached is False]
    if not in_json:
        named = f": {'; '.join(missed)}" if missed else ""
        click.echo(f"bench: {targets} targets, {len(missed)} missed{named}")
    if missed:
        sys.exit(1)


main()
