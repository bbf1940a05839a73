"""The error class of every reason, and the public interface of the two clients."""

import inspect
import traceback

import pytest
import shiji
from grpc import StatusCode
from grpc.aio import AioRpcError, Metadata
from shiji import AsyncClient, AsyncPlay, Client, Play, Refused, Seat, Transcript, errors
from shiji import client as surface
from shiji.client.errors import REASONS, error_from_call
from shiji.record.v1 import record_service_pb2 as pb

from service.errors import Reason
from tests.project.places import ROOT
from tools import client as former
from tools.client import errors as former_errors

MODULES = {
    "actors",
    "aio",
    "calls",
    "choices",
    "connection",
    "digests",
    "evidence",
    "keys",
    "kinds",
    "notices",
    "play",
    "requests",
    "responses",
    "retry",
    "signing",
    "sync",
    "values",
}


def test_every_reason_of_the_server_has_a_class_of_its_own_with_what_to_do() -> None:
    kinds = list(REASONS.values())

    assert set(REASONS) == {reason.name for reason in Reason}
    assert len(set(kinds)) == len(kinds)
    assert [kind.__name__ for kind in kinds if kind.hint == Refused.hint] == []


def test_every_reason_raises_its_class(client: Client) -> None:
    match = client.start_match("qin", ["green", "violet"], request_id="the only one").match
    refused = (ROOT / "docs/examples/refused.shiji").read_text()

    with pytest.raises(errors.NoSuchMatch):
        client.match("none")
    with pytest.raises(errors.NoSuchEntry):
        client.state(match.id, 9)
    with pytest.raises(errors.UnreadableMove):
        client.append(match.id, "green Zz9", after=0)
    with pytest.raises(errors.UnreadableRecord):
        client.check(Transcript("nothing"), "green pass")
    with pytest.raises(errors.RequestReused):
        client.start_match("qin", ["green", "violet", "white"], request_id="the only one")
    with pytest.raises(errors.UnknownGame):
        client.start_match("go", ["black", "white"])
    with pytest.raises(errors.UnknownRuling):
        client.start_match("qin", ["green", "violet"], rulings=[("join-tie", "never")])
    with pytest.raises(errors.BadSetup) as bad_setup:
        client.start_match("qin", ["alone"])
    with pytest.raises(errors.BadField) as bad_field:
        client.state(match.id, viewer=Seat(7))
    with pytest.raises(errors.RecordNotVerified) as not_verified:
        client.check(Transcript(refused), "violet pass")

    assert [fault.path for fault in bad_setup.value.fields] == ["seats"]
    assert [fault.path for fault in bad_field.value.fields] == ["viewer.seat"]
    assert not_verified.value.verdict is not None
    assert not_verified.value.verdict.rules == ("QIN-ABSORB-4",)


@pytest.mark.parametrize("code", [StatusCode.UNAVAILABLE, StatusCode.CANCELLED, StatusCode.INTERNAL])
def test_a_failure_without_a_reason_of_the_server_is_a_lost_connection(code: StatusCode) -> None:
    fault = AioRpcError(code, Metadata(), Metadata(), "Socket closed")

    assert isinstance(error_from_call(fault), errors.Unreachable)


def test_a_message_is_given_once_and_a_traceback_ends_with_what_to_do() -> None:
    error = error_from_call(
        AioRpcError(StatusCode.UNAVAILABLE, Metadata(), Metadata(), "Socket closed"), "r-1"
    )

    shown = "".join(traceback.format_exception_only(error))

    assert str(error) == "UNAVAILABLE: Socket closed"
    assert shown == f"shiji.client.errors.Unreachable: UNAVAILABLE: Socket closed\n{error.advice}\n"
    assert "request_id='r-1'" in error.advice


def test_only_a_write_is_to_be_repeated_with_its_request_id() -> None:
    kinds = [kind for kind in REASONS.values() if kind.repeatable]

    assert {"StorageFull", "StorageUnavailable", "Draining", "WorkerLost"} == {
        kind.__name__ for kind in kinds
    }
    assert [kind for kind in kinds if "request_id" in kind("REASON", "why").advice] == []
    assert [kind for kind in kinds if "='mine'" not in kind("REASON", "why", request_id="mine").advice] == []


def test_a_name_that_the_package_lacks_is_no_attribute_of_it() -> None:
    with pytest.raises(AttributeError, match="'Clientt'"):
        _ = shiji.Clientt  # type: ignore[attr-defined]  # that there is none is the point

    assert shiji.__all__ == surface.__all__


@pytest.mark.parametrize(("blocking", "waiting"), [(Client, AsyncClient), (Play, AsyncPlay)])
def test_both_clients_are_called_alike(blocking: type[object], waiting: type[object]) -> None:
    def methods(kind: type[object]) -> dict[str, tuple[list[inspect.Parameter], str | None]]:
        return {
            name: (list(inspect.signature(method).parameters.values()), method.__doc__)
            for name, method in inspect.getmembers(kind, inspect.isfunction)
            if not name.startswith("_")
        }

    assert methods(blocking) == methods(waiting)


def test_everything_public_is_exported() -> None:
    assert sorted(surface.__all__) == sorted(
        name for name, value in vars(surface).items() if not name.startswith("_") and name not in MODULES
    )


def test_every_method_of_the_service_is_called_by_the_client() -> None:
    source = "".join(path.read_text() for path in (ROOT / "protos/shiji/client").glob("*.py"))
    methods = [method.name for method in pb.DESCRIPTOR.services_by_name["RecordService"].methods]

    assert [name for name in methods if f'("{name}"' not in source.replace("(\n        ", "(")] == []


def test_the_former_name_of_the_client_is_the_same_client() -> None:
    assert former.Client is Client
    assert former.__all__ == surface.__all__
    assert former_errors.NoSuchMatch is errors.NoSuchMatch
