"""What is wrong with JSON is said with the field and what it takes, in words that are not those of Python."""

import pytest

from service.http.connect import PREFIX
from tests.service.http_calls import ask, call
from tests.service.running import InProcessService

PYTHON = (
    "int(",
    "literal",
    "object of type",
    "iterable",
    "hashable",
    "argument",
    "'int'",
    "`str`",
)


@pytest.mark.parametrize(
    ("method", "request_", "words"),
    [
        ("AppendMove", {"matchId": 5}, "matchId: expected a text"),
        ("AppendMove", {"expectedSequence": "x"}, "expectedSequence: expected a whole number"),
        ("AppendMove", {"expectedSequence": -1}, "expectedSequence: expected a whole number"),
        ("AppendMove", {"brief": "x"}, "brief: expected true or false"),
        ("AppendMove", {"signature": 5}, "signature: expected bytes in base64"),
        ("AppendMove", {"move": 5}, "move: expected an object"),
        (
            "AppendMove",
            {"move": {"encoded": {"actor": {"seat": "a"}}}},
            "move.encoded.actor.seat: expected a",
        ),
        ("AppendMove", {"move": {"text": "a", "encoded": {}}}, "move: give only one of text, encoded"),
        ("AppendMove", {"foo": 1}, "there is no field foo; known here: matchId, expectedSequence, "),
        ("AppendMove", {"move": {"foo": 1}}, "there is no field move.foo; known here: text, encoded"),
        ("StartMatch", {"seats": [1]}, "seats: expected a list, each item a text"),
        ("StartMatch", {"seats": "x"}, "seats: expected a list, each item a text"),
        ("StartMatch", {"tags": [1]}, "tags: expected a list, each item an object"),
        ("ListMatches", {"startTime": 5}, 'startTime: expected a time such as "2026-03-31T12:00:00Z"'),
        ("ListMatches", {"state": {}}, "state: expected one of MATCH_STATE_UNSPECIFIED, MATCH_STATE_OPEN, "),
    ],
)
def test_a_field_is_named_with_what_it_takes(
    running: InProcessService, method: str, request_: object, words: str
) -> None:
    message = str(call(running.web, method, request_).json()["message"])

    assert message.startswith(f"the body is no {method}Request in JSON: {words}")
    assert not [word for word in PYTHON if word in message]


@pytest.mark.parametrize("body", ["", "[", "[]", '"x"', '{"a":}', "[" * 100_000])
def test_what_is_no_json_at_all_is_said_without_words_of_python(running: InProcessService, body: str) -> None:
    message = str(ask(running.web, f"{PREFIX}AppendMove", body).json()["message"])

    assert message.startswith("the body is no AppendMoveRequest in JSON: ")
    assert not [word for word in PYTHON if word in message]
