"""What a comparison of two records comes to, in a sentence or two."""

from records.audit.compare import Comparison
from records.verdict import AuditReport, word


def comparison_words(compared: Comparison, here: AuditReport, there: AuditReport) -> str:
    """Which of the records the rules refuse, and where they agree and differ."""
    blame = _blame(here, there)
    if compared.settings:
        return _joined(blame, "the records are of matches with different settings")
    if compared.same:
        return _joined(blame, "the records are the same")
    if not compared.contradict:
        return _joined(blame, f"the records agree, and {'B' if compared.one is None else 'A'} continues")
    if compared.one is None or compared.other is None:
        return _joined(blame, "the records differ from the header")
    return _joined(
        blame or f"{_praise(here, there)}: the rules cannot say which was played", _agreement(compared)
    )


def entry_words(numbers: tuple[int, int]) -> str:
    """An entry that both records have, by its number in A and in B where they number it differently."""
    one, other = numbers
    return f"entry {one}" if one == other else f"entry {one} of A, which is entry {other} of B"


def _agreement(compared: Comparison) -> str:
    if not compared.common:
        return "the records differ from the first entry"
    return f"both records agree up to {entry_words(compared.agreed)}"


def _praise(here: AuditReport, there: AuditReport) -> str:
    whole = not here.unjudged and not there.unjudged
    return "both are legal" if whole else "nothing that they show is illegal"


def _joined(blame: str, agreement: str) -> str:
    return f"{blame}; {agreement}" if blame else agreement


def _blame(here: AuditReport, there: AuditReport) -> str:
    """The bad entries of both; empty if there are none."""
    faults = [(report.first_bad, word(report.verdict)) for report in (here, there)]
    if here.first_bad is not None and faults[0] == faults[1]:
        return f"{_place(here.first_bad)} is {faults[0][1]} in both"
    bad = [
        f"{_place(report.first_bad)} of {name} is {word(report.verdict)}"
        for name, report in (("A", here), ("B", there))
        if report.first_bad is not None
    ]
    return " and ".join(bad)


def _place(entry: int) -> str:
    return f"entry {entry}" if entry else "the header"
