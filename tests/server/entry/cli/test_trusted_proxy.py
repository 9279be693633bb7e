"""`serve --trusted-proxy` reaches the server, and without it no proxy is trusted."""

import pytest

from groundwire.entry.local_server.application import ServerParts
from tests.support.documentation.shell import free_port
from tests.support.entry.command import Command

CALLER = "198.51.100.7"


@pytest.mark.parametrize(
    ("options", "environment", "addresses"),
    [
        ((), "", ["10.1.2.3", "192.0.2.1"]),
        (("--trusted-proxy", "10.0.0.0/8"), "", [CALLER, "192.0.2.1"]),
        (("--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "192.0.2.1"), "", [CALLER, CALLER]),
        ((), "192.0.2.1", ["10.1.2.3", CALLER]),
        (("--trusted-proxy", "10.0.0.0/8"), "192.0.2.1", [CALLER, "192.0.2.1"]),
    ],
)
def test_the_proxies_of_the_option_or_else_of_the_setting_name_callers(
    groundwire: Command,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    environment: str,
    addresses: list[str],
) -> None:
    served: list[ServerParts] = []

    def serve(*given: object) -> None:
        parts = given[-1]
        assert isinstance(parts, ServerParts)
        served.append(parts)

    monkeypatch.setattr("groundwire.entry.local_server.server.serve", serve)
    groundwire("serve", "--port", str(free_port()), *options, GROUNDWIRE_TRUSTED_PROXIES=environment).done()
    headers = [(b"x-forwarded-for", CALLER.encode())]
    assert [served[0].proxies.caller_of(peer, headers) for peer in ("10.1.2.3", "192.0.2.1")] == addresses


def test_a_proxy_that_is_no_address_ends_the_start(groundwire: Command) -> None:
    refused = groundwire("serve", "--port", str(free_port()), "--trusted-proxy", "proxy.example.com")
    assert refused.code == 2
    assert "must hold addresses and networks" in refused.line
