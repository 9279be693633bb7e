"""The rule for origins: which pages may call a server with these settings."""

import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.settings.environment import read_settings
from groundwire_mcp.transport.origins import AllowedOrigins, allowed_origins

OWN = "https://rag.example.com"
FRIEND = "https://app.example.com"
LOOPBACK = ["http://localhost", "http://localhost:6274", "http://127.0.0.1:3000", "http://[::1]:8080"]
NEVER = [
    *("null", "", "*", "https://evil.example", f"{OWN}, {OWN}", f"{OWN}/", f"{OWN}:8443", OWN.replace("s:", ":")),
    *("http://localhost.evil.example", "http://127.0.0.1.evil.example", "http://127.0.0.1:80:80", "file://"),
]


def rule(**settings: str) -> AllowedOrigins:
    read = read_settings({f"GROUNDWIRE_{name}": value for name, value in settings.items()})
    return allowed_origins(read.public_url, read.allowed_origins, is_loopback_server=read.is_loopback_server)


@pytest.mark.parametrize(
    "public_url", [OWN, f"{OWN}:443", f"{OWN}/rag", f"{OWN.upper().replace('HTTPS', 'https')}/", f"{OWN}:443/rag/"]
)
def test_the_own_origin_is_that_of_the_public_url(public_url: str) -> None:
    assert rule(PUBLIC_URL=public_url).allows(OWN)


@pytest.mark.parametrize("bind_host", ["127.0.0.1", "::1", "localhost"])
@pytest.mark.parametrize("origin", LOOPBACK)
def test_a_page_of_this_machine_may_call_a_server_that_only_this_machine_reaches(bind_host: str, origin: str) -> None:
    assert rule(BIND_HOST=bind_host).allows(origin)


@pytest.mark.parametrize("bind_host", ["0.0.0.0", "::", "192.168.1.20", "team-server", ""])
@pytest.mark.parametrize("origin", LOOPBACK)
def test_a_page_of_a_callers_machine_may_not_call_a_server_for_others(bind_host: str, origin: str) -> None:
    assert not rule(PUBLIC_URL=OWN, BIND_HOST=bind_host).allows(origin)


@pytest.mark.parametrize("origin", NEVER)
def test_no_other_origin_is_taken_for_an_allowed_one(origin: str) -> None:
    assert not rule(PUBLIC_URL=OWN, ALLOWED_ORIGINS=FRIEND, BIND_HOST="127.0.0.1").allows(origin)


@pytest.mark.parametrize("origin", [FRIEND, "chrome-extension://abcdefghijklmnop", "vscode-webview://1a2b"])
def test_configured_origins_may_call(origin: str) -> None:
    assert rule(ALLOWED_ORIGINS=f"https://other.example {origin}").allows(origin)


@pytest.mark.parametrize(
    "text", ["null", "*", "https://*.example.com", f"{FRIEND}/", "app.example.com", FRIEND.upper()]
)
def test_a_setting_that_could_never_match_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="ALLOWED_ORIGINS"):
        rule(ALLOWED_ORIGINS=text)
