"""A page of another site, a name made to point here, and a client that floods get nothing from the port."""

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.http.connect import PREFIX
from service.http.port import MAX_HEAD_BYTES
from tests.service.certificates import Certificate
from tests.service.http_calls import Reply, ask, call, connected
from tests.service.running import InProcessService
from tests.service.servers import Running, not_serving, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("security")
    flags = (
        "--web",
        "127.0.0.1:0",
        "--web-hosts",
        "shiji.example, Board.example",
        "--max-message-bytes",
        "2048",
    )
    with serving(folder / "shiji.db", *flags) as running:
        yield running


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:9", "127.0.0.1", "[::1]:8080", "shiji.example", "board.example:443"]
)
def test_the_names_of_this_server_are_its_own(server: Running, host: str) -> None:
    assert call(server.web, "ListMatches", {}, host=host).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.",
        "192.0.2.7",
        "",
        "a b",
        "localhost@evil",
        "[::1",
    ],
)
def test_a_name_that_was_made_to_point_here_is_refused(server: Running, host: str) -> None:
    for reply in (
        call(server.web, "ListMatches", {}, host=host),
        ask(server.web, "/matches/x/events", host=host),
    ):
        assert (reply.status, reply.json()["reason"]) == (421, "FOREIGN_HOST")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:3000", "https://127.0.0.1", "", "file://"]
)
def test_a_page_of_another_site_is_refused(server: Running, origin: str) -> None:
    for reply in (
        call(server.web, "ListMatches", {}, origin=origin),
        ask(server.web, "/matches/x/events", origin=origin),
    ):
        assert (reply.status, reply.json()["reason"]) == (403, "FOREIGN_ORIGIN")
        assert not [name for name in reply.headers if name.startswith("access-control-")]


def test_its_own_pages_may_call_it(server: Running) -> None:
    assert call(server.web, "ListMatches", {}, origin=f"http://{server.web}").status == 200


def test_a_preflight_request_is_not_answered_with_permission(server: Running) -> None:
    reply = ask(server.web, f"{PREFIX}ListMatches", verb="OPTIONS", origin="http://evil.example")

    assert reply.status == 403
    assert not [name for name in reply.headers if name.startswith("access-control-")]


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
        "application/json; charset=latin-1",
    ],
)
def test_what_a_form_could_send_is_refused(server: Running, kind: str) -> None:
    reply = ask(server.web, f"{PREFIX}ListMatches", "{}", kind=kind)

    assert (reply.status, reply.json()["reason"]) == (415, "WRONG_TYPE")


def test_a_compressed_body_is_refused(server: Running) -> None:
    reply = ask(server.web, f"{PREFIX}ListMatches", "{}", content_encoding="gzip")

    assert (reply.status, reply.json()["reason"]) == (415, "WRONG_TYPE")


@pytest.mark.parametrize(
    ("verb", "path", "status"),
    [
        ("GET", f"{PREFIX}ListMatches", 405),
        ("DELETE", "/matches/x/events", 405),
        ("GET", "/nothing", 404),
        ("POST", f"{PREFIX}Nothing", 404),
        ("GET", "/../../etc/passwd", 404),
        ("GET", "/%00", 404),
    ],
)
def test_other_paths_and_verbs_are_refused(server: Running, verb: str, path: str, status: int) -> None:
    reply = ask(server.web, path, verb=verb)

    assert reply.status == status
    assert reply.json()["advice"]


def test_a_body_that_is_too_long_is_refused(server: Running) -> None:
    reply = call(server.web, "ImportRecord", {"content": "A" * 5000})

    assert (reply.status, reply.json()["reason"]) == (413, "TOO_LONG")


def test_a_body_in_chunks_that_never_ends_is_refused(server: Running) -> None:
    with connected(server.web) as stream:
        stream.sendall(head(server, b"Transfer-Encoding: chunked"))
        for _ in range(5):
            stream.sendall(b"400\r\n" + b" " * 0x400 + b"\r\n")
        answer = stream.recv(65536)

    assert answer.startswith(b"HTTP/1.1 413 ")


def test_headers_that_never_end_are_refused(server: Running) -> None:
    with connected(server.web) as stream:
        stream.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * MAX_HEAD_BYTES)
        stream.sendall(b"x")
        answer = stream.recv(65536)

    assert answer.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("data", [b"\x16\x03\x01\0\0", b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"])
def test_what_is_not_http_is_refused(server: Running, data: bytes) -> None:
    with connected(server.web) as stream:
        stream.sendall(data)
        answer = stream.recv(65536)

    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 421 "))
    assert server.process.poll() is None


def test_a_header_that_comes_twice_is_refused(server: Running) -> None:
    with connected(server.web) as stream:
        stream.sendall(head(server, b"Content-Type: text/plain", b"Content-Length: 2") + b"{}")
        answer = stream.recv(65536)

    assert answer.startswith(b"HTTP/1.1 400 ")


def test_every_answer_keeps_browsers_from_guessing_and_telling(running: InProcessService) -> None:
    for reply in (call(running.web, "ListMatches", {}), ask(running.web, "/nothing")):
        assert_private(reply)


def test_a_port_that_was_asked_for_and_is_taken_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = not_serving(tmp_path / "shiji.db", "--web", address)

    assert done.returncode == 2
    assert f"cannot listen on {address}: Address already in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_beyond_loopback_tls_and_known_callers_are_needed(tmp_path: Path) -> None:
    done = not_serving(tmp_path / "shiji.db", "--web", "0.0.0.0:0")

    assert done.returncode == 2
    assert "--web is 0.0.0.0:0, which other machines can reach" in done.stderr


def test_the_port_has_the_certificate_of_the_server(tmp_path: Path) -> None:
    authority = Certificate.authority("authority")
    cert, key = authority.sign("localhost").save(tmp_path)
    with serving(
        tmp_path / "shiji.db",
        "--web",
        "127.0.0.1:0",
        "--tls-cert",
        cert,
        "--tls-key",
        key,
    ) as server:
        context = ssl.create_default_context(cadata=authority.pem.decode())
        with (
            connected(server.web) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as secure,
        ):
            secure.sendall(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = secure.recv(65536)

    assert answer.startswith(b"HTTP/1.1 404 ")


def head(server: Running, *headers: bytes) -> bytes:
    """The first line and headers of a call."""
    lines = [
        f"POST {PREFIX}ListMatches HTTP/1.1".encode(),
        f"Host: {server.web}".encode(),
        b"Content-Type: application/json",
        *headers,
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def assert_private(reply: Reply) -> None:
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
    assert "server" not in reply.headers
