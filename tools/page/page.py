"""Writes a self-contained HTML page to step through one record, or two side by side."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from typing import Final
from urllib.parse import quote

from records.audit.compare import Comparison
from records.audit.comparison_words import comparison_words
from records.audit.judged_file import FileReport
from records.audit.sources import RECORD_TYPE
from records.browser.files import JudgeFiles
from records.browser.scripts import inline_script
from records.games.headline import headline
from records.games.html import Html, joined, tag
from records.games.page_style import common_style
from records.verdict import named_scores
from rules.kernel.display import EMBLEM
from rules.kernel.svg import FONT
from tools.page.checking import OTHERS, check_panel, judge_elements, policy
from tools.page.data import script_data
from tools.page.lane import Lane, entry_list, lane, match_facts, source_of, verdict
from tools.report.steps import taken_back
from tools.terminal.output import file_name

_ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="6" fill="#c9453b"/>'
    '<path d="M5 14 16 5l11 9h-4v11H9V14z" fill="#fbf7ec"/></svg>'
)
"""The icon of the page, as SVG."""

_JUMP_BUTTONS: Final = (
    ("first", "To the start", "M5 4h3v16H5zM20 4v16L9 12z"),
    ("back", "Back", "M18 4v16L6 12z"),
    ("next", "Forward", "M6 4v16l12-8z"),
    ("last", "To the end", "M16 4h3v16h-3zM4 4v16l11-8z"),
)
"""Buttons that every page has: the target in page.js, the label, and the path of the icon."""

_VIOLATION_BUTTON: Final = (
    "violation",
    "To the first violation",
    "M12 2 23 21H1zM11 9h2v6h-2zM11 17h2v2h-2z",
)
"""The further button of a page with an illegal record."""

_DIFFERENCE_BUTTON: Final = (
    "difference",
    "To the first difference",
    "M11 22v-8L4 7l1.5-1.5L12 12l6.5-6.5L20 7l-7 7v8z",
)
"""The further button of a page with two records that differ."""

_MOST_NARROW: Final = 4
"""Facts about a seat that fit beside the board."""

_KEYS_HELP: Final = "Arrow keys step; Home and End go to the first and the last step."
"""The explanation of the keys below the board."""


def replay_page(judged: FileReport, embedded: JudgeFiles | None = None) -> str:
    """A page to step through a record; the branch most recently taken back is shown beside the other.

    With the files of the judge embedded in it, the page can judge every move again by itself.
    """
    one = lane("", judged)
    back = list(taken_back(one.steps))
    if not any(back):
        return _page([one], [one], _Together(one.last, ""), judged.verdict, embedded)
    kept = replace(one, name="as it stands")
    gone = Lane("taken back", judged, tuple(old or step for old, step in zip(back, one.steps, strict=True)))
    common = next(number for number, old in enumerate(back) if old) - 1
    return _page([one], [kept, gone], _Together(common, ""), judged.verdict, embedded)


def comparison_page(here: FileReport, there: FileReport, comparison: Comparison) -> str:
    """A page to step through two records side by side, with a single board as long as they are the same.

    It has only the entries that were compared, and the illegal one if there is one.
    """
    lanes = [
        _only(lane(file_name(judged.path), judged), compared)
        for judged, compared in zip((here, there), comparison.compared, strict=True)
    ]
    common = -1 if comparison.settings else min(comparison.common, *(one.last for one in lanes))
    summary = comparison_words(comparison, here.report, there.report)
    return _page(lanes, lanes, _Together(common, " = ".join(one.name for one in lanes)), summary)


def _only(one: Lane, sequences: Iterable[int]) -> Lane:
    """The lane with only the start, the steps of these entries and the refused step."""
    shown = {0, *sequences}
    return replace(one, steps=tuple(step for step in one.steps if step.number in shown or step.refused))


@dataclass(frozen=True, slots=True)
class _Together:
    """The steps in which boards side by side are the same."""

    last: int
    """Last step in which one board is shown for all; -1 if they differ from the start."""
    name: str
    """Title of that board."""


def _page(
    records: Sequence[Lane],
    boards: Sequence[Lane],
    together: _Together,
    about: str,
    embedded: JudgeFiles | None = None,
) -> str:
    """A page for these records; a record with a branch taken back has two boards, others have one."""
    first = records[0].judged
    match = _title(first) if len(records) == 1 else _seats(first)
    judges = embedded is not None
    style, scripts = common_style() + _asset("page.css"), (_asset("page.js"), inline_script())
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(style, scripts, judges=judges)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{match} ({about})"),
        tag("link", rel="icon", href=f"data:image/svg+xml,{quote(_ICON)}"),
        tag("style", Html(style)),
    )
    body = tag(
        "body",
        tag("a", "Skip to the board", class_="skip", href="#player"),
        _banner(records, match, about),
        tag(
            "main",
            _player(boards, together.last),
            _side(records, together.last, judges=judges),
            tag("section", tag("h2", "Rules cited"), _glossary(records), class_="cited"),
        ),
        _provenance(records, judges=judges),
        tag("p", "", class_="unseen", role="status", id="status"),
        *(_embedded(one) for one in records),
        tag("script", _data(boards, together), type="application/json", id="record"),
        *(() if embedded is None else judge_elements(embedded)),
        tag("script", Html(scripts[0])),
        tag("script", Html(scripts[1]), type="module"),
        class_="one" if len(boards) == 1 else "several",
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _seats(judged: FileReport) -> str:
    return f"{judged.header.game.about.title}: {', '.join(judged.header.start.setup.seats)}"


def _title(judged: FileReport) -> str:
    """The game, the seats, and who won or whose turn it is."""
    if judged.report.impossible or judged.bad_entry:
        return _seats(judged)
    report = judged.report
    state = "closed without a result"
    if judged.closed is None:
        scores = (
            () if report.outcome is None else named_scores(judged.header.start.setup.seats, report.outcome)
        )
        state = headline(report.reached.display.turn(), ((name, score.points) for name, score in scores))
    return f"{_seats(judged)} – {state}"


def _provenance(records: Sequence[Lane], *, judges: bool) -> Html:
    """What was judged, when and by what, and the advice not to believe the page itself."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    rows = []
    for one in records:
        stored = one.judged.stored
        name = f"{one.name}: " if one.name else ""
        if stored:
            rows += [
                joined(tag("dt", f"{name}match"), tag("dd", tag("code", stored[0].match))),
                joined(tag("dt", f"{name}hash"), tag("dd", tag("code", stored[-1].hash.hex()))),
            ]
        digest = hashlib.sha256(one.judged.content).hexdigest()
        rows.append(joined(tag("dt", f"{name}file"), tag("dd", tag("code", f"SHA-256 {digest}"))))
    rows.append(joined(tag("dt", "judged"), tag("dd", f"on {now} by Shiji {version('shiji')}")))
    way = (
        "it carries its record, which shiji verify PAGE judges, and so does the page /check of a server"
        if len(records) == 1
        else "shiji diff A B"
    )
    advice = (
        "A page can lie, also about what it checks: a forger of records can forge the page around one."
        f" To be sure, use a copy of Shiji that you trust: {way}."
    )
    others = tag("p", OTHERS) if judges else None
    return tag("footer", tag("dl", *rows, class_="facts"), tag("p", advice), others)


def _embedded(one: Lane) -> Html:
    """The record itself, as it was read; `shiji verify` finds it."""
    content = base64.b64encode(one.judged.content).decode()
    return tag("script", Html(content), type=RECORD_TYPE, class_="source")


def _asset(name: str) -> str:
    return files("tools.page").joinpath(name).read_text(encoding="utf-8")


def _data(boards: Sequence[Lane], together: _Together) -> Html:
    # The page of an illegal record opens at the illegal entry: that is what people look for.
    refused = [one.last for one in boards if one.refused]
    last_common = max(together.last, 0) if len(boards) > 1 else 0
    if len(boards) == 1 and boards[0].judged.report.outcome is not None:
        last_common = boards[0].last  # a finished match is opened for its result
    return script_data(
        [one.steps for one in boards],
        [len(one.judged.entries) for one in boards],
        common=together.last,
        together=together.name,
        first=min(refused) if refused else last_common,
    )


def _banner(lanes: Sequence[Lane], title: str, summary: str) -> Html:
    cautions = dict.fromkeys(one.judged.header.start.display.caution() for one in lanes)
    return tag(
        "header",
        tag("h1", title),
        tag("button", "Dark theme", type="button", id="theme"),
        tag("p", f"{summary[:1].upper()}{summary[1:]}.", class_="summary") if len(lanes) > 1 else None,
        *(tag("p", caution, class_="caution") for caution in cautions if caution),
        tag("div", *(verdict(one) for one in lanes), class_="verdicts"),
    )


def _player(lanes: Sequence[Lane], common: int) -> Html:
    refused = [one.last for one in lanes if one.refused]
    buttons = [*_JUMP_BUTTONS]
    if refused:
        buttons.append(_VIOLATION_BUTTON)
    if len(lanes) > 1 and 0 <= common < max(one.last for one in lanes):
        buttons.append(_DIFFERENCE_BUTTON)
    last = max(one.last for one in lanes)
    panes = tag("div", *(_pane(one) for one in lanes), class_="panes")
    controls = tag(
        "div",
        *(_button(*button) for button in buttons),
        tag("span", "", id="where"),
        tag("input", type="range", id="slider", min=0, max=last, value=0, aria_label="Entry"),
        role="group",
        aria_label="Steps",
        class_="controls",
    )
    return tag(
        "section",
        tag(
            "noscript",
            tag("p", "The boards need JavaScript; the verdict and the entries are shown without it."),
        ),
        controls,
        panes,
        tag("p", _KEYS_HELP, class_="hint"),
        id="player",
        aria_label="Board",
        tabindex=-1,
    )


def _button(to: str, label: str, icon: str) -> Html:
    picture = tag("svg", tag("path", "", d=icon), viewBox="0 0 24 24", aria_hidden="true")
    return tag("button", picture, type="button", data_to=to, aria_label=label, title=label)


def _pane(one: Lane) -> Html:
    """An empty board for the script to fill, with the names and emblems of the seats and other owners."""
    owners = one.steps[0].state.display.owners()
    labels = [label for label, _ in owners[0][1].facts]
    rows = [
        tag(
            "tr",
            tag("th", tag("span", _emblem(note.emblem), name, class_="who"), scope="row", role="rowheader"),
            *(tag("td", "", data_label=label, role="cell") for label in labels),
            role="row",
        )
        for name, note in owners
    ]
    columns = (tag("th", label, scope="col", role="columnheader") for label in ("seat", *labels))
    head = tag("thead", tag("tr", *columns, role="row"), role="rowgroup")
    held = [joined(tag("dt", name), tag("dd", "")) for name, _ in owners]
    return tag(
        "article",
        tag("p", one.name, class_="name", hidden="" if not one.name else None),
        tag("h2", "", class_="heading"),
        tag("div", "", class_="board"),
        tag("div", "", class_="beside"),
        tag("p", "", class_="explanation"),
        tag("p", "", class_="comment"),
        tag("ul", "", class_="events"),
        tag("p", "", class_="turn"),
        _seat_table(head, rows, wide=len(labels) > _MOST_NARROW),
        tag(
            "details",
            tag("summary", "The board in words"),
            tag("dl", *held, class_="facts holds"),
            tag("p", tag("code", "", class_="position")),
        ),
        class_="pane",
    )


def _seat_table(head: Html, rows: Sequence[Html], *, wide: bool) -> Html:
    """The table of seats; a wide one stands below the board. It becomes a list where there is no room.

    The roles stay the same then, which browsers would otherwise drop.
    """
    body = tag("tbody", *rows, role="rowgroup")
    table = tag("table", head, body, class_="seats", role="table")
    return tag("div", table, class_="wide" if wide else "wide near")


def _emblem(emblem: str) -> Html:
    half = EMBLEM // 2 + 2
    box = f"{-half} {-half} {2 * half} {2 * half}"
    return tag("svg", Html(emblem), viewBox=box, font_family=FONT, class_="emblem", aria_hidden="true")


def _side(lanes: Sequence[Lane], common: int, *, judges: bool) -> Html:
    return tag(
        "aside",
        tag("h2", "Entries"),
        entry_list(lanes[0]) if len(lanes) == 1 else entry_list(lanes[0], 0, common),
        tag("div", *(_branch(one, common) for one in lanes), class_="branches") if len(lanes) > 1 else None,
        tag("h2", "The match"),
        *(joined(tag("h3", one.name) if one.name else None, match_facts(one)) for one in lanes),
        *(check_panel(one, judges=judges) for one in lanes),
        aria_label="Entries",
    )


def _branch(one: Lane, common: int) -> Html:
    ends = one.last == common and not one.unjudged
    more = tag("p", "no more entries") if ends else entry_list(one, common + 1)
    return tag("section", tag("h3", one.name), more)


def _glossary(lanes: Sequence[Lane]) -> Html:
    rules = {rule.id: (rule, one) for one in lanes for rule in one.rules}
    rows = (
        tag(
            "div",
            tag("dt", f"{rule.id} {rule.title}", id=rule.id),
            tag("dd", rule.text, " ", tag("cite", source_of(one, rule))),
        )
        for rule, one in (rules[key] for key in sorted(rules))
    )
    return tag("dl", *rows, class_="rules")
