"""What a comparison of two records comes to, in a sentence or two."""

from records.audit.compare import Comparison
from tools.report.file_report import FileReport


def comparison_words(compared: Comparison, here: FileReport, there: FileReport) -> str:
    """Where the records agree and differ, and which of them the rules refuse."""
    if compared.settings:
        return "the records are of matches with different settings"
    if compared.same:
        return "the records are the same"
    if not compared.contradict:
        return f"the records agree, and {'B' if compared.one is None else 'A'} continues"
    if compared.one is None or compared.other is None:
        return "the records differ from the header"
    common = compared.common
    upto = f"both records agree up to entry {common}" if common else "the records differ from the first entry"
    return f"the records differ from entry {common + 1}: {upto}; {_blame(here, there)}"


def _blame(here: FileReport, there: FileReport) -> str:
    bad = [
        f"entry {judged.bad_entry} of {name} is {judged.verdict}"
        for name, judged in (("A", here), ("B", there))
        if judged.bad_entry
    ]
    return " and ".join(bad) or "both are legal, and the rules cannot say which was played"
