"""Calls out of the server: pinned to the checked address, verified, bounded in time and size."""

import socket
import threading
from collections.abc import Iterator, Sequence

import pytest

from groundwire_egress import AllowedHosts, EgressClient, EgressError, EgressLimits, EgressRefused, EgressRequest
from groundwire_egress.deadline import time_limit
from tests.egress.conftest import HOST, Serve
from tests.support.entry.certificates import Authority
from tests.support.entry.https_server import HttpsServer, Received, Reply, https_server

LIMITS = EgressLimits(5.0, 100_000, redirects=0)
SHORT = EgressLimits(0.3, 100_000, redirects=0)
SECRET = {"authorization": "Bearer the-secret", "x-api-key": "the-secret", "accept": "text/plain"}


class Resolver:
    """Resolver that gives its answers in turn, then repeats the last one, and keeps the requested hosts."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.hosts: list[str] = []

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.hosts.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def client(
    authority: Authority, *servers: HttpsServer, host: str = HOST, resolver: Resolver | None = None
) -> EgressClient:
    allowed = AllowedHosts(frozenset((host, server.port) for server in servers))
    return EgressClient(allowed, str(authority.ca_file), resolver or Resolver(["127.0.0.1"]))


def request(server: HttpsServer, path: str = "/", limits: EgressLimits = LIMITS, host: str = HOST) -> EgressRequest:
    return EgressRequest("GET", f"https://{host}:{server.port}{path}", SECRET, None, limits)


def hello(_: Received) -> Reply:
    return Reply(b"hello", headers={"Content-Type": "text/plain", "x-one": "1"})


def test_a_call_is_sent_to_the_host_and_answered(authority: Authority, serve: Serve) -> None:
    server = serve(hello)
    post = request(server, "/v1/x?y=1")._replace(method="POST", body=b"body")
    with client(authority, server).send(post) as answer:
        assert (answer.status, answer.headers["content-type"], answer.read()) == (200, "text/plain", b"hello")
    received = server.received[0]
    assert (received.method, received.target, received.body) == ("POST", "/v1/x?y=1", b"body")
    assert received.headers["host"] == f"{HOST}:{server.port}"
    assert received.headers["authorization"] == "Bearer the-secret"
    assert "cookie" not in received.headers


def test_a_status_of_failure_is_an_answer(authority: Authority, serve: Serve) -> None:
    server = serve(lambda _: Reply(b"no", 503))
    with client(authority, server).send(request(server)) as answer:
        assert (answer.status, answer.read()) == (503, b"no")


def test_the_name_is_resolved_once_and_a_second_answer_of_the_resolver_never_counts(
    authority: Authority, serve: Serve
) -> None:
    server = serve(hello)
    # A name that rebinds would answer with the machine's metadata the next time.
    resolver = Resolver(["127.0.0.1"], ["169.254.169.254"])
    with client(authority, server, resolver=resolver).send(request(server)) as answer:
        assert answer.read() == b"hello"
    assert resolver.hosts == [HOST]


def test_a_public_answer_first_and_a_private_one_later_refuses_the_later_call(
    authority: Authority, serve: Serve
) -> None:
    server = serve(hello)
    resolver = Resolver(["127.0.0.1"], ["127.0.0.1", "169.254.169.254"])
    calls = client(authority, server, resolver=resolver)
    calls.send(request(server)).close()
    with pytest.raises(EgressRefused):
        calls.send(request(server))
    assert len(server.received) == 1


def test_the_next_address_is_tried_where_one_does_not_answer(authority: Authority, serve: Serve) -> None:
    server = serve(hello)
    with client(authority, server, resolver=Resolver(["127.0.0.2", "127.0.0.1"])).send(request(server)) as answer:
        assert answer.read() == b"hello"


def test_an_allowed_host_is_allowed_at_its_port_alone(authority: Authority, serve: Serve) -> None:
    server, other = serve(hello), serve(hello)
    for refused in (request(other), request(server, host="other.example.com")):
        with pytest.raises(EgressRefused):
            client(authority, server).send(refused)
    assert not other.received


@pytest.mark.parametrize("wrong", ["another name", "another authority", "expired"])
def test_a_wrong_certificate_is_refused_before_anything_is_sent(
    authority: Authority, tmp_path_factory: pytest.TempPathFactory, wrong: str
) -> None:
    contexts = {
        "another name": lambda: authority.server_context(["elsewhere.example.com", "127.0.0.1"]),
        "another authority": lambda: Authority(tmp_path_factory.mktemp("other"), "stranger").server_context([HOST]),
        "expired": lambda: authority.server_context([HOST], days=-1),
    }
    with https_server(contexts[wrong](), hello) as server:
        with pytest.raises(EgressError, match="certificate"):
            client(authority, server).send(request(server))
        assert server.received == []


def test_the_systems_store_alone_does_not_know_an_operators_authority(authority: Authority, serve: Serve) -> None:
    server = serve(hello)
    calls = EgressClient(AllowedHosts(frozenset({(HOST, server.port)})), None, Resolver(["127.0.0.1"]))
    with pytest.raises(EgressError, match="certificate"):
        calls.send(request(server))


def test_plain_http_is_for_an_allowed_port_of_this_machine_alone(authority: Authority) -> None:
    with https_server(None, hello) as server:
        plain = EgressRequest("GET", f"http://127.0.0.1:{server.port}/", {}, None, LIMITS)
        with client(authority, server, host="127.0.0.1").send(plain) as answer:
            assert answer.read() == b"hello"
        with pytest.raises(EgressRefused):
            client(authority).send(plain)
        with pytest.raises(EgressRefused):
            client(authority, server).send(plain._replace(url=f"http://{HOST}:{server.port}/"))
        assert len(server.received) == 1


def redirect(location: str, status: int = 302) -> Reply:
    return Reply(b"", status, {"location": location})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed_that_the_call_does_not_allow(authority: Authority, serve: Serve, status: int) -> None:
    server = serve(lambda _: redirect("/next", status))
    with pytest.raises(EgressRefused):
        client(authority, server).send(request(server))
    assert len(server.received) == 1


def test_a_redirect_on_the_same_host_is_followed_and_resolved_again(authority: Authority, serve: Serve) -> None:
    server = serve(lambda got: redirect("/next") if got.target == "/" else hello(got))
    resolver = Resolver(["127.0.0.1"])
    followed = request(server, limits=LIMITS._replace(redirects=1))
    with client(authority, server, resolver=resolver).send(followed) as answer:
        assert answer.read() == b"hello"
    assert server.received[1].headers["authorization"] == "Bearer the-secret"
    assert resolver.hosts == [HOST, HOST]


def test_a_redirect_is_refused_where_the_name_has_become_private_meanwhile(authority: Authority, serve: Serve) -> None:
    server = serve(lambda got: redirect("/next"))
    resolver = Resolver(["127.0.0.1"], ["169.254.169.254"])
    with pytest.raises(EgressRefused):
        client(authority, server, resolver=resolver).send(request(server, limits=LIMITS._replace(redirects=3)))
    assert len(server.received) == 1


@pytest.mark.parametrize(
    "location",
    [
        *(
            "https://169.254.169.254/latest/meta-data",
            "http://169.254.169.254/",
            "https://[::1]/",
            "https://localhost/",
        ),
        *("http://models.example.com/", "file:///etc/passwd", "//10.0.0.1/", "https://user:secret@models.example.com/"),
        "https://other.example.com:{port}/",
    ],
)
def test_no_redirect_leads_inward_not_even_to_what_the_operator_allows(
    authority: Authority, serve: Serve, location: str
) -> None:
    inner = serve(hello)
    server = serve(lambda _: redirect(location.format(port=inner.port)))
    allowed = frozenset({(HOST, server.port), ("other.example.com", inner.port), ("localhost", 443)})
    calls = EgressClient(AllowedHosts(allowed), str(authority.ca_file), lambda host, _: [
        {HOST: "127.0.0.1", "localhost": "127.0.0.1", "other.example.com": "127.0.0.1"}.get(host, host)
    ])  # fmt: skip
    with pytest.raises(EgressRefused):
        calls.send(request(server, limits=LIMITS._replace(redirects=3)))
    assert len(server.received) == 1
    assert inner.received == []


def test_redirects_in_a_circle_end(authority: Authority, serve: Serve) -> None:
    server = serve(lambda got: redirect("/b" if got.target == "/a" else "/a"))
    with pytest.raises(EgressRefused):
        client(authority, server).send(request(server, "/a", LIMITS._replace(redirects=3)))
    assert [each.target for each in server.received] == ["/a", "/b", "/a", "/b"]


def test_a_body_follows_no_redirect_to_another_host(authority: Authority, serve: Serve) -> None:
    server = serve(lambda _: redirect("https://other.example.com/", 307))
    post = request(server, limits=LIMITS._replace(redirects=3))._replace(method="POST", body=b"text")
    resolver = Resolver(["127.0.0.1"], ["8.8.8.8"])
    with pytest.raises(EgressRefused, match="redirect"):
        client(authority, server, resolver=resolver).send(post)
    assert resolver.hosts == [HOST]


def test_another_origin_gets_no_header_of_the_caller(
    authority: Authority, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = serve(hello)
    server = serve(lambda _: redirect("https://other.example.com/next"))

    # Port 443 of a public address stands for the other server, which no test can have.
    def connected(self: socket.socket, address: tuple[str, int]) -> None:
        real(self, ("127.0.0.1", other.port) if address == ("8.8.8.8", 443) else address)

    real = socket.socket.connect
    monkeypatch.setattr(socket.socket, "connect", connected)
    resolver = Resolver(["127.0.0.1"], ["8.8.8.8"])
    followed = request(server, limits=LIMITS._replace(redirects=1))
    with client(authority, server, resolver=resolver).send(followed) as answer:
        assert answer.read() == b"hello"
    assert server.received[0].headers["x-api-key"] == "the-secret"
    assert "the-secret" not in str(other.received)
    assert "accept" not in other.received[0].headers


def test_a_body_arrives_in_chunks_as_it_is_sent(authority: Authority, serve: Serve) -> None:
    first_was_read = threading.Event()

    def events() -> Iterator[bytes]:
        yield b"data: 1\n\n"
        assert first_was_read.wait(5)
        yield b"data: 2\n\n"

    server = serve(lambda _: Reply(events(), headers={"content-type": "text/event-stream"}))
    with client(authority, server).send(request(server)) as answer:
        chunks = iter(answer)
        assert next(chunks) == b"data: 1\n\n"
        first_was_read.set()
        assert list(chunks) == [b"data: 2\n\n"]


@pytest.mark.parametrize("has_length", [True, False])
def test_a_large_body_is_refused_after_its_limit(authority: Authority, serve: Serve, *, has_length: bool) -> None:
    sent: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            sent.append(10_000)
            yield b"x" * 10_000

    server = serve(lambda _: Reply(b"x" * 200_000 if has_length else endless()))
    with pytest.raises(EgressError, match="too large"), client(authority, server).send(request(server)) as answer:
        answer.read()
    assert sum(sent) < 100_000_000


def test_a_large_header_is_refused(authority: Authority, serve: Serve) -> None:
    server = serve(lambda _: Reply(b"", headers={f"x-{at}": "y" * 5_000 for at in range(60)}))
    with pytest.raises(EgressError, match="too large"):
        client(authority, server).send(request(server))


def test_a_compressed_body_is_refused(authority: Authority, serve: Serve) -> None:
    server = serve(lambda _: Reply(b"\x1f\x8b", headers={"content-encoding": "gzip"}))
    with pytest.raises(EgressError, match="compressed"):
        client(authority, server).send(request(server))
    assert server.received[0].headers["accept-encoding"] == "identity"


def test_a_body_that_breaks_off_is_no_answer(authority: Authority, serve: Serve) -> None:
    server = serve(lambda _: Reply([b"half"], headers={"content-length": "100"}))
    with pytest.raises(EgressError), client(authority, server).send(request(server)) as answer:
        answer.read()


def test_a_body_that_drips_ends_with_the_time_of_the_whole_call(authority: Authority, serve: Serve) -> None:
    running: list[HttpsServer] = []

    def drip() -> Iterator[bytes]:
        while not running[0].stopping.wait(0.02):
            yield b"x"

    running.append(serve(lambda _: Reply(drip())))
    with (
        pytest.raises(EgressError, match="in time"),
        client(authority, running[0]).send(request(running[0], limits=SHORT)) as answer,
    ):
        answer.read()


def test_an_earlier_deadline_of_the_call_that_is_served_counts(authority: Authority, serve: Serve) -> None:
    running: list[HttpsServer] = []

    def hold(_: Received) -> Reply:
        running[0].stopping.wait(5)
        return Reply()

    running.append(serve(hold))
    with time_limit(0.2), pytest.raises(EgressError, match="in time"):
        client(authority, running[0]).send(request(running[0]))


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nx: "])
def test_a_peer_that_drips_its_header_or_never_shakes_hands_is_cut_off(authority: Authority, head: bytes) -> None:
    stop = threading.Event()
    context = authority.server_context([HOST])

    def drip() -> None:
        connection, _ = listening.accept()
        with context.wrap_socket(connection, server_side=True) if head else connection as peer:
            peer.sendall(head)
            while not stop.wait(0.02):
                try:
                    peer.sendall(b"x" if head else b"")
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip)
        thread.start()
        server = HttpsServer(int(listening.getsockname()[1]))
        with pytest.raises(EgressError, match="in time"):
            client(authority, server).send(request(server, limits=SHORT))
        stop.set()
        thread.join()


def test_a_resolver_that_hangs_ends_with_the_time_of_the_call(authority: Authority) -> None:
    answered = threading.Event()

    def hang(_host: str, _port: int) -> Sequence[str]:
        answered.wait(10)
        return []

    calls = EgressClient(AllowedHosts(frozenset()), str(authority.ca_file), hang)
    with pytest.raises(EgressError, match="in time"):
        calls.send(EgressRequest("GET", f"https://{HOST}/", {}, None, SHORT))
    answered.set()


def test_a_host_that_is_not_found_and_one_that_does_not_listen_are_unavailable(authority: Authority) -> None:
    def unknown(_host: str, _port: int) -> Sequence[str]:
        raise socket.gaierror(-2, "Name or service not known")

    calls = EgressClient(AllowedHosts(frozenset()), str(authority.ca_file), unknown)
    with pytest.raises(EgressError, match="no address"):
        calls.send(EgressRequest("GET", f"https://{HOST}/", {}, None, LIMITS))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        silent = HttpsServer(int(listening.getsockname()[1]))
    with pytest.raises(EgressError, match="ConnectionRefusedError"):
        client(authority, silent).send(request(silent))


def test_no_proxy_of_the_environment_is_used(
    authority: Authority, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server = serve(hello)
    with client(authority, server).send(request(server)) as answer:
        assert answer.read() == b"hello"


def test_no_cookie_is_kept(authority: Authority, serve: Serve) -> None:
    server = serve(lambda _: Reply(b"", headers={"set-cookie": "a=b"}))
    calls = client(authority, server)
    for _ in range(2):
        calls.send(request(server)).close()
    assert all("cookie" not in each.headers for each in server.received)


@pytest.mark.parametrize("headers", [{"x": "a\r\nhost: evil"}, {"x\r\ny": "z"}, {"x": "\u20ac"}])
def test_a_header_that_would_be_two_is_not_sent(authority: Authority, serve: Serve, headers: dict[str, str]) -> None:
    server = serve(hello)
    with pytest.raises(EgressError):
        client(authority, server).send(request(server)._replace(headers=headers))
    assert server.received == []


def test_no_error_holds_a_secret_or_text_of_the_other_server(authority: Authority, serve: Serve) -> None:
    server = serve(lambda _: redirect("https://canary.example/the-canary"))
    with pytest.raises(EgressRefused) as refused:
        client(authority, server).send(request(server))
    assert "canary" not in str(refused.value)
    assert "secret" not in str(refused.value)
