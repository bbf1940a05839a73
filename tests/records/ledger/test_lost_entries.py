"""A ledger that knows entries which the log has lost, as after a failover to a standby that was behind."""

import pytest

from records.entry import MatchId
from records.ledger.ledger import Ledger
from records.log.contract import SequenceTaken
from records.log.memory import MemoryLog
from rules.kernel.rule import Illegal
from tests.records.matches import MOVES, begin


class ForgetfulLog(MemoryLog):
    """A log that can lose its last entry."""

    def lose_last(self) -> None:
        entry = self._archive.pop()
        self._records[entry.match].pop()
        del self._requests[entry.match, entry.request]


@pytest.fixture
def log() -> ForgetfulLog:
    return ForgetfulLog()


@pytest.fixture
def ledger(log: ForgetfulLog) -> Ledger:
    return Ledger(log)


def test_a_caller_learns_the_last_entry_that_there_is_and_goes_on(log: ForgetfulLog, ledger: Ledger) -> None:
    table = begin(ledger)
    table.play(*MOVES[:3])
    log.lose_last()

    with pytest.raises(SequenceTaken) as taken:
        table.ask(MOVES[3], request="after the loss", expected=3)

    assert taken.value.actual == 2
    assert not isinstance(table.ask(MOVES[2], request="again", expected=2), Illegal)
    assert [entry.sequence for entry in log.read(table.match)] == [0, 1, 2, 3]


def test_the_present_state_is_that_of_the_log(log: ForgetfulLog, ledger: Ledger) -> None:
    table = begin(ledger)
    table.play(*MOVES[:3])
    before = ledger.state_at(table.match, 2)
    log.lose_last()

    current = ledger.current(table.match)

    assert current.sequence == 2
    assert current.state.position() == before.position()


def test_another_entry_at_the_same_place_replaces_what_was_known(log: ForgetfulLog, ledger: Ledger) -> None:
    table = begin(ledger)
    table.play(*MOVES[:2])
    log.lose_last()
    other = Ledger(log)
    other.append(table.match, 1, "other", other.state_at(table.match).parse_text("violet Yg8Yh8"))

    assert ledger.current(table.match).hash == other.current(table.match).hash


def test_a_lost_match_is_not_there(log: ForgetfulLog, ledger: Ledger) -> None:
    table = begin(ledger)
    log.lose_last()
    log._records.pop(MatchId(table.match))  # noqa: SLF001 - what lose_last leaves of a match

    with pytest.raises(Exception, match="no match"):
        ledger.current(table.match)
