"""A call over TLS: one resolution and one connection for all of its requests, in both eras."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.adapters.mcp_client import McpSourceClient
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.ports.sources import SourceUnavailable
from groundwire_egress import AllowedHosts, EgressClient
from groundwire_egress.mcp_client.calls import ApiKeyCredential, SourceTarget
from tests.server.services.sources.conftest import SECONDS, call
from tests.support.entry.certificates import Authority
from tests.support.entry.mcp_servers.recording_server import recording_server
from tests.support.entry.mcp_servers.scripted_server import Script, methods_of

HOST = "sources.example.com"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.mark.parametrize("streams", [True, False])
@pytest.mark.parametrize("stateless", [True, False])
def test_a_name_that_rebinds_between_the_requests_of_a_call_leads_nowhere_else(
    authority: Authority, *, stateless: bool, streams: bool
) -> None:
    answers = [["127.0.0.1"], ["169.254.169.254"]]
    hosts: list[str] = []

    def resolve(host: str, _: int) -> Sequence[str]:
        hosts.append(host)
        return answers[min(len(hosts), len(answers)) - 1]

    script = Script(stateless=stateless, streams=streams)
    with recording_server(authority.server_context([HOST]), script) as server:
        allowed = AllowedHosts(frozenset({(HOST, server.port)}))
        calls = McpSourceClient(EgressClient(allowed, str(authority.ca_file), resolve), None)
        to = SourceTarget("tenant", "source", f"https://{HOST}:{server.port}/mcp", None)
        assert calls.call_tool(to, call(), None, SECONDS).content
        assert (hosts, len(server.raw)) == ([HOST], 1)
        assert len(methods_of(server.received)) == (2 if stateless else 5)
        with pytest.raises(SourceUnavailable):
            calls.call_tool(to, call(), None, SECONDS)
        assert len(server.raw) == 1


def test_a_wrong_certificate_gets_no_byte_of_a_key(authority: Authority, tmp_path: Path) -> None:
    stranger = Authority(tmp_path, "stranger")
    with recording_server(stranger.server_context([HOST]), Script()) as server:
        allowed = AllowedHosts(frozenset({(HOST, server.port)}))
        calls = McpSourceClient(EgressClient(allowed, str(authority.ca_file), lambda _host, _port: ["127.0.0.1"]), None)
        credential = ApiKeyCredential("x-api-key", Secret("the-key"))
        to = SourceTarget("tenant", "source", f"https://{HOST}:{server.port}/mcp", credential)
        with pytest.raises(SourceUnavailable):
            calls.call_tool(to, call(), None, SECONDS)
        assert server.everything() == b""
