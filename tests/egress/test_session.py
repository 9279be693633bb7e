"""Several requests of one call: resolved once, over one connection where it lasts, with one budget."""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack

import pytest

from groundwire_egress import (
    AllowedHosts,
    EgressClient,
    EgressError,
    EgressLimits,
    EgressRefused,
    EgressRequest,
    EgressResponse,
)
from groundwire_egress.deadline import time_limit
from tests.egress.conftest import HOST
from tests.egress.test_client import Resolver
from tests.support.entry.certificates import Authority
from tests.support.entry.https_server import Received
from tests.support.entry.mcp_servers.recording_server import Answer, End, RecordingServer, recording_server

LIMITS = EgressLimits(5.0, 100_000, redirects=0)
SECRET = {"authorization": "Bearer the-secret"}
REBINDING = (["127.0.0.1"], ["169.254.169.254"])

Start = Callable[[Callable[[Received], Answer]], RecordingServer]


@pytest.fixture
def start(authority: Authority) -> Generator[Start]:
    with ExitStack() as running:
        context = authority.server_context([HOST, "other.example.com"])
        yield lambda answer: running.enter_context(recording_server(context, answer))


def client(authority: Authority, resolver: Resolver, *servers: RecordingServer, host: str = HOST) -> EgressClient:
    return EgressClient(
        AllowedHosts(frozenset((host, each.port) for each in servers)), str(authority.ca_file), resolver
    )


def post(server: RecordingServer, path: str = "/", limits: EgressLimits = LIMITS) -> EgressRequest:
    return EgressRequest("POST", f"https://{HOST}:{server.port}{path}", SECRET, b"body", limits)


def hello(_: Received) -> Answer:
    return Answer(b"hello")


def read(response: EgressResponse) -> bytes:
    with response:
        return response.read()


@pytest.mark.parametrize("is_chunked", [True, False])
def test_requests_share_one_connection_and_one_resolution(
    authority: Authority, start: Start, *, is_chunked: bool
) -> None:
    server = start(lambda _: Answer([b"hel", b"lo"] if is_chunked else b"hello"))
    resolver = Resolver(*REBINDING)
    with client(authority, resolver, server).open(LIMITS) as session:
        assert [read(session.send(post(server, f"/{at}"))) for at in range(3)] == [b"hello"] * 3
    assert [each.target for each in server.received] == ["/0", "/1", "/2"]
    assert (len(server.raw), resolver.hosts) == (1, [HOST])


@pytest.mark.parametrize("status", [202, 204])
def test_a_response_without_a_body_keeps_the_connection(authority: Authority, start: Start, status: int) -> None:
    server = start(lambda _: Answer(b"", status))
    with client(authority, Resolver(["127.0.0.1"]), server).open(LIMITS) as session:
        for _ in range(2):
            assert read(session.send(post(server))) == b""
    assert len(server.raw) == 1


@pytest.mark.parametrize("end", [End.ANNOUNCED, End.SILENT])
def test_a_connection_that_its_server_closed_is_made_again_to_the_same_address_without_a_resolution(
    authority: Authority, start: Start, end: End
) -> None:
    server = start(lambda _: Answer(b"hello", end=end))
    resolver = Resolver(*REBINDING)
    with client(authority, resolver, server).open(LIMITS) as session:
        for expected in range(3):
            assert read(session.send(post(server)._replace(is_repeatable=True))) == b"hello"
            assert server.closed.acquire(timeout=5)
            assert len(server.raw) == expected + 1
    assert resolver.hosts == [HOST]


def test_the_address_that_answered_stays_the_only_one(authority: Authority, start: Start) -> None:
    server = start(lambda _: Answer(b"hello", end=End.ANNOUNCED))
    with client(authority, Resolver(["127.0.0.2", "127.0.0.1"]), server).open(LIMITS) as session:
        for _ in range(2):
            assert read(session.send(post(server))) == b"hello"


def breaks_once(server_may_answer: threading.Event) -> Callable[[Received], Answer]:
    """The second request of a connection is dropped without a byte, once."""
    counts = iter(range(100))

    def answer(_: Received) -> Answer:
        if next(counts) == 1:
            server_may_answer.set()
            return Answer(raw=b"")
        return Answer(b"hello")

    return answer


def test_a_request_that_a_kept_connection_swallowed_is_sent_again_only_where_that_is_allowed(
    authority: Authority, start: Start
) -> None:
    for is_repeatable in (True, False):
        broke = threading.Event()
        server = start(breaks_once(broke))
        with client(authority, Resolver(*REBINDING), server).open(LIMITS) as session:
            assert read(session.send(post(server, "/1"))) == b"hello"
            second = post(server, "/2")._replace(is_repeatable=is_repeatable)
            if is_repeatable:
                assert read(session.send(second)) == b"hello"
            else:
                with pytest.raises(EgressError):
                    session.send(second)
                assert read(session.send(post(server, "/3"))) == b"hello"
        assert broke.is_set()
        last = "/2" if is_repeatable else "/3"
        assert [each.target for each in server.received] == ["/1", "/2", last]


def test_a_response_that_was_not_read_is_ended_by_the_next_request(authority: Authority, start: Start) -> None:
    running: list[RecordingServer] = []

    def endless() -> Iterator[bytes]:
        yield b"first"
        running[0].stopping.wait(10)

    running.append(start(lambda got: Answer(endless()) if got.target == "/1" else hello(got)))
    with client(authority, Resolver(*REBINDING), running[0]).open(LIMITS) as session:
        assert next(iter(session.send(post(running[0], "/1")))) == b"first"
        assert read(session.send(post(running[0], "/2"))) == b"hello"
    assert len(running[0].raw) == 2


def test_the_rest_of_a_response_that_is_there_is_read_and_the_connection_kept(
    authority: Authority, start: Start
) -> None:
    server = start(lambda _: Answer([b"first", b"rest"]))
    with client(authority, Resolver(*REBINDING), server).open(LIMITS) as session:
        for _ in range(3):
            assert next(iter(session.send(post(server)))).startswith(b"first")
    assert len(server.raw) == 1


def test_a_response_that_was_closed_before_its_end_keeps_no_connection(authority: Authority, start: Start) -> None:
    server = start(lambda _: Answer([b"first"] + [b"x" * 10_000] * 3))
    with client(authority, Resolver(*REBINDING), server).open(LIMITS) as session:
        for _ in range(2):
            response = session.send(post(server))
            assert next(iter(response))
            response.close()
            response.close()
    assert len(server.raw) == 2


def test_all_requests_of_a_session_share_one_deadline(authority: Authority, start: Start) -> None:
    running: list[RecordingServer] = []

    def drip(_: Received) -> Answer:
        running[0].stopping.wait(0.15)
        return Answer(b"hello")

    running.append(start(drip))
    with client(authority, Resolver(*REBINDING), running[0]).open(LIMITS._replace(seconds=0.5)) as session:
        answers = iter(lambda: read(session.send(post(running[0]))), b"")
        for _ in range(2):
            with pytest.raises(EgressError, match="in time"):
                assert len(list(answers)) <= 3
    assert len(running[0].received) <= 4


def test_the_bytes_are_one_sum_for_all_requests(authority: Authority, start: Start) -> None:
    server = start(lambda _: Answer(b"x" * 3_000))
    with client(authority, Resolver(*REBINDING), server).open(LIMITS._replace(response_bytes=10_000)) as session:
        for _ in range(3):
            assert len(read(session.send(post(server)))) == 3_000
        with pytest.raises(EgressError, match="too large"):
            read(session.send(post(server)))


def test_limits_of_a_request_count_within_those_of_the_session(authority: Authority, start: Start) -> None:
    running: list[RecordingServer] = []

    def answer(got: Received) -> Answer:
        if got.target == "/hangs":
            running[0].stopping.wait(10)
        return Answer(b"x" * 3_000)

    running.append(start(answer))
    with client(authority, Resolver(*REBINDING), running[0]).open(LIMITS) as session:
        with pytest.raises(EgressError, match="too large"):
            read(session.send(post(running[0], limits=LIMITS._replace(response_bytes=2_000))))
        with pytest.raises(EgressError, match="in time"):
            session.send(post(running[0], "/hangs", LIMITS._replace(seconds=0.2)))
        assert len(read(session.send(post(running[0])))) == 3_000


def test_an_earlier_deadline_of_the_call_that_is_served_counts(authority: Authority, start: Start) -> None:
    running: list[RecordingServer] = []

    def hang(_: Received) -> Answer:
        running[0].stopping.wait(10)
        return Answer()

    running.append(start(hang))
    with (
        time_limit(0.2),
        client(authority, Resolver(*REBINDING), running[0]).open(LIMITS) as session,
        pytest.raises(EgressError, match="in time"),
    ):
        session.send(post(running[0]))


def test_a_redirect_on_the_same_host_stays_at_the_address(authority: Authority, start: Start) -> None:
    server = start(lambda got: Answer(b"", 307, {"location": "/mcp/"}) if got.target == "/mcp" else Answer(got.body))
    resolver = Resolver(*REBINDING)
    with client(authority, resolver, server).open(LIMITS) as session:
        assert read(session.send(post(server, "/mcp", LIMITS._replace(redirects=1)))) == b"body"
        with pytest.raises(EgressRefused):
            session.send(post(server, "/mcp"))
    assert resolver.hosts == [HOST]


@pytest.mark.parametrize(
    "location", ["https://other.example.com:{port}/", "https://169.254.169.254/", "http://{host}/"]
)
def test_no_redirect_leads_a_session_to_another_host(authority: Authority, start: Start, location: str) -> None:
    other = start(hello)
    server = start(lambda _: Answer(b"", 307, {"location": location.format(port=other.port, host=HOST)}))
    allowed = AllowedHosts(frozenset({(HOST, server.port), ("other.example.com", other.port)}))
    limits = LIMITS._replace(redirects=3)
    with EgressClient(allowed, str(authority.ca_file), Resolver(["127.0.0.1"])).open(LIMITS) as session:
        for request in (post(server, limits=limits), post(server, limits=limits)._replace(method="GET", body=None)):
            with pytest.raises(EgressRefused):
                session.send(request)
    assert not other.received


def test_a_host_that_is_allowed_by_its_own_name_is_not_reached_by_a_redirect_later(
    authority: Authority, start: Start
) -> None:
    other = start(hello)
    server = start(lambda _: Answer(b"", 302, {"location": f"https://other.example.com:{other.port}/"}))
    allowed = AllowedHosts(frozenset({(HOST, server.port), ("other.example.com", other.port)}))
    with EgressClient(allowed, str(authority.ca_file), Resolver(["127.0.0.1"])).open(LIMITS) as session:
        direct = EgressRequest("GET", f"https://other.example.com:{other.port}/", {}, None, LIMITS)
        assert read(session.send(direct)) == b"hello"
        with pytest.raises(EgressRefused):
            session.send(post(server, limits=LIMITS._replace(redirects=1))._replace(method="GET", body=None))
    assert len(other.received) == 1


def test_a_refused_host_is_refused_for_every_request_and_resolved_once(authority: Authority, start: Start) -> None:
    server = start(hello)
    resolver = Resolver(["127.0.0.1", "169.254.169.254"], ["127.0.0.1"])
    with client(authority, resolver, server).open(LIMITS) as session:
        for _ in range(2):
            with pytest.raises(EgressRefused):
                session.send(post(server))
    assert (server.raw, resolver.hosts) == ([], [HOST])


@pytest.mark.parametrize("is_session", [True, False])
def test_the_way_to_a_host_has_a_limit_of_its_own(authority: Authority, start: Start, *, is_session: bool) -> None:
    running: list[RecordingServer] = []
    released = threading.Event()

    class Hanging(Resolver):
        def __call__(self, host: str, port: int) -> list[str]:
            released.wait(10)
            return ["127.0.0.1"]

    def slow(_: Received) -> Answer:
        running[0].stopping.wait(0.8)
        return Answer(b"hello")

    def call(calls: EgressClient) -> bytes:
        with calls.open(limits) as session:
            return read((session.send if is_session else calls.send)(post(running[0], limits=limits)))

    running.append(start(slow))
    limits = LIMITS._replace(connect_seconds=0.5)
    # A slow answer is no slow connection.
    assert call(client(authority, Resolver(["127.0.0.1"]), running[0])) == b"hello"
    with pytest.raises(EgressError, match="in time"):
        call(client(authority, Hanging(["127.0.0.1"]), running[0]))
    released.set()
