"""A page in a browser that makes its own name resolve to this machine is refused before anything else happens."""

import socket
from urllib.parse import urlsplit

import httpx
import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.background_server import run_in_background
from tests.server.entry.gateway.probe import ProbeStack

REBINDING = [
    "evil.example",
    "evil.example:8080",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil-localhost",
    "localhost:8080@evil.example",
    "localhost:8080.evil.example",
    "[::1].evil.example",
    "0.0.0.0",
    "127.0.0.2",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "localhost,evil.example",
    "localhost::80",
    "*",
    "",
]


@pytest.mark.parametrize("host", REBINDING)
def test_a_foreign_host_name_is_refused_before_the_authorizer_is_called(
    http: httpx.Client, stack: ProbeStack, host: str
) -> None:
    before = len(stack.authorizer_calls)
    response = http.post("/guarded", content=b"{}", headers={"host": host})
    assert response.status_code == 421
    assert "--allowed-host" in response.json()["message"]
    assert len(stack.authorizer_calls) == before


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "localhost:8080", "LocalHost", "[::1]", "[::1]:8080"])
def test_loopback_names_are_answered_on_any_port_for_tunnels_use_others(http: httpx.Client, host: str) -> None:
    assert http.get("/echo", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("hosts", [[], ["localhost", "evil.example"], ["localhost", "localhost"]])
def test_a_request_with_no_host_or_several_is_refused(hosts: list[str]) -> None:
    assert not HostAllowList("", []).allows(hosts)


def test_a_request_that_names_no_host_at_all_is_refused_over_the_wire(http: httpx.Client) -> None:
    address = urlsplit(str(http.base_url))
    with socket.create_connection((address.hostname or "", address.port or 0)) as client:
        client.sendall(b"GET /echo HTTP/1.0\r\n\r\n")
        assert client.recv(12).split(b" ")[1] in {b"400", b"421"}


def test_the_public_address_and_the_names_that_the_operator_gives_are_answered(own_stack: ProbeStack) -> None:
    public = "https://search.example.com/base"
    with run_in_background(own_stack.template, public, ["Team-Server:9000"]) as url:
        for host, status in {"search.example.com": 200, "team-server:8080": 200, "other.example.com": 421}.items():
            assert httpx.get(f"{url}/echo", headers={"host": host}).status_code == status


@pytest.mark.parametrize("name", ["*", "", "https://example.com"])
def test_an_allowed_host_that_is_no_host_name_is_refused_at_the_start(name: str) -> None:
    with pytest.raises(InvalidInput, match="--allowed-host"):
        HostAllowList("", [name])
