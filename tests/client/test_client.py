"""The methods of the client, against a real server."""

from datetime import timedelta

import pytest
from shiji import (
    ARBITER,
    AUDITOR,
    Accepted,
    AuditReport,
    Chance,
    Client,
    EncodedMove,
    EntryKind,
    Illegal,
    Imported,
    Legal,
    Match,
    MatchState,
    Outcome,
    Position,
    Progress,
    RecordFormat,
    RetractPolicy,
    Seat,
    SequenceTaken,
    StoredMatch,
    Summary,
    Transcript,
    Verdict,
    errors,
)

from tests.project.places import ROOT

TINY = "map:RY../...."
"""A board on which a match is soon over."""


def started(client: Client) -> Match:
    return client.start_match("qin", ["green", "violet"]).match


def accepted(verdict: object) -> Accepted:
    assert isinstance(verdict, Accepted)
    return verdict


def test_a_match_starts_as_requested(client: Client) -> None:
    begun = client.start_match(
        "qin",
        ("green", "violet", "white"),
        components=TINY,
        rulings=[("join-tie", "any")],
        chance=Chance.RECORDED,
        retract=RetractPolicy.NOBODY,
        tags=[("Place", "the kitchen table")],
    )

    match = begun.match
    assert (match.game, match.edition, match.components) == ("qin", "qin/1", TINY)
    assert (match.seats, match.rulings) == (("green", "violet", "white"), (("join-tie", "any"),))
    assert (match.chance, match.retract) == (Chance.RECORDED, RetractPolicy.NOBODY)
    assert match.tags == (("Place", "the kitchen table"),)
    assert [entry.kind for entry in begun.entries] == [EntryKind.HEADER]
    assert client.match(match.id) == match


def test_the_same_request_id_starts_one_match(client: Client) -> None:
    first, second = (client.start_match("qin", ["a", "b"], request_id="only once") for _ in range(2))

    assert first == second


def test_a_legal_move_is_accepted_with_the_sequence_that_the_next_one_follows(client: Client) -> None:
    match = started(client)

    first = accepted(client.append(match.id, "green Re8Re9", after=0))
    second = accepted(client.append(match.id, "violet Yg8Bh8", after=first.sequence))

    assert [entry.text for entry in (*first.entries, *second.entries)] == ["green Re8Re9", "violet Yg8Bh8"]
    assert (second.sequence, second.awaiting, second.outcome) == (2, (Seat(0),), None)
    assert match.name(second.awaiting[0]) == "green"
    assert second.position == client.state(match.id).position


def test_an_illegal_move_is_a_verdict_with_everything_about_the_broken_rule(client: Client) -> None:
    match = started(client)
    moves = ["green Re6Be5", "violet Rg8Rg9"]
    after = accepted(client.append_many(match.id, moves, after=0)).sequence

    verdict = client.append(match.id, "green Re8Rf8", after=after)

    assert isinstance(verdict, Illegal)
    (violation,) = verdict.violations
    assert verdict.rules == (violation.rule,) == ("QIN-ABSORB-4",)
    assert violation.places == ("e6", "g8")
    assert violation.why == "the red provinces would be joined at a tie: green 2, violet 2"
    assert "tie for the most cells" in violation.text
    assert violation.source.startswith("S0 L173")
    assert [(ruling.name, ruling.value) for ruling in violation.rulings] == [("join-tie", "lead")]
    assert str(verdict) == f"QIN-ABSORB-4: {violation.why}"
    assert client.match(match.id).sequence == after


def test_several_moves_are_stored_all_or_none(client: Client) -> None:
    match = started(client)

    verdict = client.append_many(match.id, ["green Re8Re9", "violet Re8Re9"], after=0)

    assert isinstance(verdict, Illegal)
    assert (verdict.index, verdict.rules) == (1, ("QIN-PLACE-1",))
    assert client.match(match.id).sequence == 0


def test_a_repeated_request_id_answers_as_the_first_time(client: Client) -> None:
    match = started(client)

    first, second = (client.append(match.id, "green Re8Re9", after=0, request_id="one") for _ in range(2))

    assert first == second
    assert client.match(match.id).sequence == 1


def test_a_move_after_somebody_elses_raises_with_the_actual_sequence(client: Client) -> None:
    match = started(client)
    client.append_many(match.id, ["green Re8Re9", "violet Yg8Bh8"], after=0)

    with pytest.raises(SequenceTaken) as refused:
        client.append(match.id, "green pass", after=0)

    assert refused.value.actual == 2
    assert refused.value.advice.endswith("then decide again.")


def test_a_stream_answers_every_move_in_order_and_survives_errors(client: Client) -> None:
    match = started(client)
    with client.play() as play:
        play.send(match.id, "green Re8Re9", after=0)
        play.send(match.id, "violet Re8Re9", after=1)
        play.send(match.id, "violet pass", after=7)
        play.send(match.id, "violet Yg8Bh8", after=1)
        stored, illegal, taken, last = (play.receive() for _ in range(4))
        green = play.append(match.id, "green pass", after=2)

    assert [accepted(answer).sequence for answer in (stored, last, green)] == [1, 2, 3]
    assert isinstance(illegal, Illegal)
    assert illegal.rules == ("QIN-PLACE-1",)
    assert isinstance(taken, SequenceTaken)
    assert taken.actual == 1


def test_a_stream_does_not_confuse_answers(client: Client) -> None:
    match = started(client)
    with client.play() as play:
        with pytest.raises(ValueError, match="send"):
            play.receive()
        play.send(match.id, "green Re8Re9", after=0)
        with pytest.raises(ValueError, match="receive"):
            play.append(match.id, "violet pass", after=1)


def test_a_move_can_be_checked_in_a_match_a_transcript_and_a_position(client: Client) -> None:
    match = started(client)
    accepted(client.append(match.id, "green Re8Re9", after=0))
    transcript = Transcript(client.export_record(match.id).content.decode())
    position = Position("qin", client.state(match.id).position)

    verdicts = [client.check(subject, "violet Yg8Bh8") for subject in (match.id, transcript, position)]
    earlier = client.check(StoredMatch(match.id, 0), "green Yg8Bh8")
    illegal = client.check(position, "violet Re8Re9")

    for verdict in (*verdicts, earlier):
        assert isinstance(verdict, Legal)
        assert "founded a yellow province" in verdict.events[1]
    assert isinstance(illegal, Illegal)
    assert illegal.rules == ("QIN-PLACE-1",)
    assert client.match(match.id).sequence == 1


def test_legal_moves_can_be_played_as_text_and_as_bytes(client: Client) -> None:
    match = started(client)
    moves = list(client.legal_moves(match.id))
    (first, *_), last = moves, moves[-1]

    assert len(moves) == len({move.text for move in moves}) > 100
    assert isinstance(client.check(match.id, EncodedMove(Seat(0), last.data)), Legal)
    assert accepted(client.append(match.id, first.text, after=0)).entries[0].move == first.data
    assert list(client.legal_moves(StoredMatch(match.id, 0), Seat(0))) == moves


def test_matches_are_listed_page_by_page_and_filtered(client: Client) -> None:
    seats = ("orange", "teal")
    begun = [client.start_match("qin", seats, components=TINY).match for _ in range(60)]
    over = begun[7]
    _play_to_the_end(client, over)

    assert [match.id for match in client.matches(seat="teal")] == [match.id for match in begun]
    assert [match.id for match in client.matches(seat="teal", state=MatchState.OVER)] == [over.id]
    late = begun[-1].started
    assert list(client.matches(seat="teal", started_from=late)) == begun[-1:]
    assert list(client.matches(game="qin", started_before=late - timedelta(days=1))) == []


def test_a_match_that_is_over_has_an_outcome(client: Client) -> None:
    match = client.start_match("qin", ("green", "violet"), components=TINY).match
    last = _play_to_the_end(client, match)

    assert isinstance(last.outcome, Outcome)
    assert set(last.outcome.winners) <= set(match.seats)
    assert sorted(name for level in last.outcome.ranking for name in level) == ["green", "violet"]
    assert last.awaiting == ()
    assert client.match(match.id).outcome == last.outcome


def test_a_state_can_be_drawn(client: Client) -> None:
    match = started(client)
    client.append(match.id, "green Re8Re9", after=0)

    before, now = client.state(match.id, 0), client.state(match.id, drawing=True, svg=True)

    assert (before.sequence, before.turn, before.drawing, before.svg) == (0, "green to place", "", "")
    assert (now.sequence, now.turn) == (1, "violet to place")
    assert "R1" in now.drawing
    assert now.svg.startswith("<svg")
    assert len(now.digest) == 32


def test_a_seat_sees_its_own_hand_and_a_spectator_none(client: Client) -> None:
    match = client.start_match("qin", ("green", "violet"), chance=Chance.SERVICE).match

    hands = [
        client.state(match.id, viewer=viewer).position.split(" ")[2].rsplit(":", 1)[-1]
        for viewer in (Seat(0), Seat(1))
    ]

    assert "?" not in hands[0]
    assert hands[1] == "?,?,?"
    with pytest.raises(errors.MatchNotOver):
        client.state(match.id, viewer=AUDITOR)


def test_a_record_is_read_as_it_was_stored(client: Client) -> None:
    match = started(client)
    stored = accepted(client.append_many(match.id, ["green Re8Re9", "violet Yg8Bh8"], after=0)).entries

    entries = list(client.read(match.id))

    assert [entry.sequence for entry in entries] == [0, 1, 2]
    assert tuple(entries[1:]) == stored
    assert list(client.read(match.id, from_sequence=2)) == entries[2:]
    assert entries[2].previous_hash == entries[1].hash
    assert (entries[1].actor, entries[1].kind, entries[1].match_id) == (Seat(0), EntryKind.MOVE, match.id)


def test_entries_are_taken_back_by_a_further_entry(client: Client) -> None:
    match = started(client)
    client.append_many(match.id, ["green Re8Re9", "violet Yg8Bh8"], after=0)

    back = accepted(client.retract(match.id, to=1, after=2, reason="a slip", actor=ARBITER))
    barred = client.retract(match.id, to=0, after=3, actor=Seat(1))

    assert (back.sequence, back.entries[0].kind, back.awaiting) == (3, EntryKind.RETRACT, (Seat(1),))
    assert isinstance(barred, Illegal)
    with pytest.raises(errors.NothingToRetract):
        client.retract(match.id, to=3, after=3)


def test_a_record_goes_out_and_in_again(client: Client) -> None:
    first = (ROOT / "docs/examples/first.shiji").read_bytes()

    imported = client.import_record(first)
    again = client.import_record(first)

    assert isinstance(imported, Imported)
    assert (imported.entries, imported.added) == (4, 5)
    assert again == Imported(imported.match_id, 4, 0)
    exported = client.export_record(imported.match_id)
    assert exported.content.splitlines()[:3] == first.splitlines()[:3]
    assert exported.file_name == f"{imported.match_id}.shiji"
    record = client.export_record(imported.match_id, RecordFormat.RECORD)
    assert record.content.count(b"\n") >= 5


def test_a_record_that_does_not_verify_is_reported_and_not_stored(client: Client) -> None:
    before = len(list(client.matches()))

    report = client.import_record((ROOT / "docs/examples/refused.shiji").read_bytes())

    assert isinstance(report, AuditReport)
    assert (report.verdict, report.first_bad, report.good) == (Verdict.ILLEGAL, 3, 2)
    assert [violation.rule for violation in report.violations] == ["QIN-ABSORB-4"]
    assert (report.game, report.edition) == ("qin", "qin/1")
    assert len(list(client.matches())) == before


def test_audits_return_verdicts(client: Client) -> None:
    match = started(client)
    client.append_many(match.id, ["green Re8Re9", "violet Yg8Bh8"], after=0)

    report = client.audit_match(match.id)
    parts = list(client.audit_archive(with_verified=True))

    assert (report.verdict, report.entries, report.good, report.first_bad) == (Verdict.VERIFIED, 2, 2, None)
    assert (report.game, report.edition) == ("qin", "qin/1")
    assert match.id in {part.match_id for part in parts if isinstance(part, AuditReport)}
    assert any(isinstance(part, Progress) and part.done <= part.total for part in parts)
    summary = parts[-1]
    assert isinstance(summary, Summary)
    assert summary.clean
    assert summary.not_checked == ()
    assert summary.matches == sum(tally.verified for tally in summary.editions)
    assert list(client.audit_archive(since_number=summary.log_number))[-1] != summary


def test_a_follower_gets_what_is_there_and_what_comes(client: Client) -> None:
    match = started(client)
    client.append(match.id, "green Re8Re9", after=0)
    followed = client.follow(match.id)
    there = [next(followed).sequence for _ in range(2)]

    client.append(match.id, "violet Yg8Bh8", after=1)
    comes = next(followed)

    assert (there, comes.sequence, comes.text) == ([0, 1], 2, "violet Yg8Bh8")


def test_the_archive_is_followed_from_a_number(client: Client) -> None:
    match = started(client)
    (header,) = client.read(match.id)
    followed = client.follow_archive(after_number=header.log_number)

    stored = accepted(client.append(match.id, "green Re8Re9", after=0)).entries[0]

    assert next(followed) == stored


def _play_to_the_end(client: Client, match: Match) -> Accepted:
    after = 0
    while True:
        first = next(client.legal_moves(match.id))
        verdict = accepted(client.append(match.id, first.text, after=after))
        after = verdict.sequence
        if verdict.outcome is not None:
            return verdict
