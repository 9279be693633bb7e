"""Headers about a caller's address count from trusted proxies alone, and only as far as these wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.errors import InvalidInput
from groundwire.entry.local_server.connections.forwarding import NO_PROXIES, TrustedProxies
from groundwire.settings.environment import read_settings

PROXY, INNER, CALLER, OTHER = "10.1.2.3", "10.9.9.9", "198.51.100.7", "203.0.113.5"
PROXIES = TrustedProxies(["10.0.0.0/8", "2001:db8:f::1"])
Headers = list[tuple[bytes, bytes]]


def forwarded_for(*values: str) -> Headers:
    return [(b"x-forwarded-for", value.encode()) for value in values]


def forwarded(*values: str) -> Headers:
    return [(b"forwarded", value.encode()) for value in values]


@pytest.mark.parametrize("headers", [forwarded_for(OTHER), forwarded(f"for={OTHER}")])
@pytest.mark.parametrize(("proxies", "peer"), [(NO_PROXIES, PROXY), (PROXIES, CALLER), (PROXIES, "no address")])
def test_a_header_of_a_peer_that_is_not_trusted_is_not_read(
    proxies: TrustedProxies, peer: str, headers: Headers
) -> None:
    assert proxies.caller_of(peer, headers) == peer


@pytest.mark.parametrize(
    ("headers", "caller"),
    [
        (forwarded_for(CALLER), CALLER),
        (forwarded_for(f"{OTHER}, {CALLER}"), CALLER),
        (forwarded_for(OTHER, CALLER), CALLER),
        (forwarded_for(f"{OTHER}, {CALLER}, {INNER}"), CALLER),
        (forwarded_for(f"{CALLER}:4711"), CALLER),
        (forwarded_for("2001:db8::7"), "2001:db8::7"),
        (forwarded_for("[2001:db8::7]:4711"), "2001:db8::7"),
        (forwarded_for(f"::ffff:{CALLER}"), CALLER),
        (forwarded_for(f"{CALLER}, 2001:db8:f::1"), CALLER),
        (forwarded(f"for={CALLER};proto=https;by={INNER}"), CALLER),
        (forwarded(f"for={OTHER}, proto=https;For={CALLER}"), CALLER),
        (forwarded(f'for={OTHER}, for="[2001:db8::7]:4711"'), "2001:db8::7"),
        (forwarded(f'for="{OTHER}, for={CALLER}'), CALLER),
        ([*forwarded_for(CALLER), *forwarded(f"for={CALLER}")], CALLER),
    ],
)
def test_the_last_hop_that_is_no_proxy_is_the_caller(headers: Headers, caller: str) -> None:
    assert PROXIES.caller_of(PROXY, headers) == caller


@pytest.mark.parametrize(
    "headers",
    [
        [],
        forwarded_for(""),
        forwarded_for(INNER),
        forwarded_for(f"{CALLER}, unknown"),
        forwarded_for(f"{CALLER}, 999.1.1.1"),
        forwarded(f"for={CALLER}, for=_hidden"),
        forwarded(f"for={CALLER}, proto=https"),
        # The proxy writes one of the headers, and a client the other.
        [*forwarded_for(CALLER), *forwarded(f"for={OTHER}")],
        [*forwarded_for(CALLER), *forwarded("for=unknown")],
    ],
)
def test_a_caller_that_the_headers_do_not_name_clearly_has_the_address_of_the_proxy(headers: Headers) -> None:
    assert PROXIES.caller_of(PROXY, headers) == PROXY


@given(st.text(st.characters(max_codepoint=255)), st.sampled_from([b"x-forwarded-for", b"forwarded"]))
def test_nothing_that_a_client_sends_before_the_hop_of_the_proxy_changes_the_address(sent: str, name: bytes) -> None:
    hop = CALLER if name == b"x-forwarded-for" else f"for={CALLER}"
    assert PROXIES.caller_of(PROXY, [(name, f"{sent}, {hop}".encode("latin-1"))]) == CALLER
    assert PROXIES.caller_of(PROXY, [(name, sent.encode("latin-1")), (name, hop.encode())]) == CALLER


@pytest.mark.parametrize("text", ["proxy.example.com", "10.0.0.0/33", "10.0.0.1:80", "10.0.0.1,10.0.0.2"])
def test_a_proxy_that_is_no_address_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(InvalidInput, match="GROUNDWIRE_TRUSTED_PROXIES must hold addresses"):
        read_settings({"GROUNDWIRE_TRUSTED_PROXIES": f"192.0.2.1 {text}"})


def test_no_proxy_is_trusted_unless_the_operator_names_it() -> None:
    assert read_settings({}).trusted_proxies == ()
    named = read_settings({"GROUNDWIRE_TRUSTED_PROXIES": f" {PROXY}  10.0.0.0/8 "})
    assert named.trusted_proxies == (PROXY, "10.0.0.0/8")


@pytest.mark.parametrize(
    "peer",
    ["127.0.0.1", "::1", "::ffff:127.0.0.1", PROXY],
)
def test_connections_of_this_machine_and_of_a_proxy_have_no_bound(peer: str) -> None:
    assert not PROXIES.bounds(peer)
    assert PROXIES.bounds(CALLER)
