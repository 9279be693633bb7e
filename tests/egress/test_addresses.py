"""Only public addresses are called; forms that hide a private one are refused with it."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire_egress import AllowedHosts, EgressClient, EgressLimits, EgressRefused, EgressRequest
from groundwire_egress.addresses import AddressClass, address_class

PUBLIC = ["8.8.8.8", "1.1.1.1", "52.95.110.1", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"]
PRIVATE = [
    *("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "127.0.0.1", "127.9.9.9", "100.64.0.1", "::1"),
    *("fc00::1", "fd12:3456::1"),
]
FORBIDDEN = [
    *("0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.170.2", "169.254.0.1", "168.63.129.16", "100.100.100.200"),
    *("192.0.0.192", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255", "198.51.100.1"),
    *("203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1", "fd00:ec2::254", "fd20:ce::254"),
    *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a9fe:a9fe", "::127.0.0.1", "::169.254.169.254", "::8.8.8.8"),
    *("64:ff9b::a9fe:a9fe", "64:ff9b::808:808", "64:ff9b:1::a00:1", "2002:a9fe:a9fe::1", "2002:808:808::1"),
    *("2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:20::1", "2001:db8::1", "3fff::1", "100::1"),
    *("2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:1", "5f00::1", "4000::1"),
]
NUMBERS = ["2130706433", "0x7f.1", "0x7f000001", "017700000001", "127.1", "0", "localhost", "LOCALHOST"]


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses_are_public(text: str) -> None:
    assert address_class(text) is AddressClass.PUBLIC


@pytest.mark.parametrize("text", PRIVATE)
def test_private_addresses_are_private(text: str) -> None:
    assert address_class(text) is AddressClass.PRIVATE


@pytest.mark.parametrize("text", [*FORBIDDEN, "", "a.example", "1.2.3", "1.2.3.4.5", "::1::2"])
def test_no_other_address_is_called(text: str) -> None:
    assert address_class(text) is AddressClass.FORBIDDEN


@given(st.ip_addresses(v=4))
def test_no_address_is_public_that_python_knows_as_special(address: IPv4Address) -> None:
    is_special = address.is_private or address.is_multicast or address.is_reserved or address.is_link_local
    assert not (is_special and address_class(str(address)) is AddressClass.PUBLIC)


@given(st.ip_addresses(v=6))
def test_no_ipv6_address_is_public_that_python_knows_as_special_or_as_a_form_of_ipv4(address: IPv6Address) -> None:
    is_special = address.is_private or address.is_multicast or address.is_reserved or address.is_link_local
    embeds = address.ipv4_mapped or address.sixtofour or address.teredo
    assert not ((is_special or embeds) and address_class(str(address)) is AddressClass.PUBLIC)


@given(st.ip_addresses(v=4), st.sampled_from(["::ffff:{}", "::{}", "64:ff9b::{}", "2606:4700::5efe:{}"]))
def test_no_form_that_embeds_ipv4_is_called_whatever_it_embeds(address: IPv4Address, form: str) -> None:
    if form == "::{}" and int(address) == 1:
        return  # The machine's own address, which an operator can allow.
    assert address_class(form.format(address)) is AddressClass.FORBIDDEN


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**80 - 1))
def test_no_6to4_address_is_called(embedded: int, rest: int) -> None:
    assert address_class(str(IPv6Address((0x2002 << 112) | (embedded << 80) | rest))) is AddressClass.FORBIDDEN


def client(addresses: Sequence[str], allowed: frozenset[tuple[str, int]] = frozenset()) -> EgressClient:
    return EgressClient(AllowedHosts(allowed), None, lambda _host, _port: addresses)


def get(url: str) -> EgressRequest:
    return EgressRequest("GET", url, {}, None, EgressLimits(1.0, 10_000, redirects=0))


@pytest.mark.parametrize("text", [*PRIVATE, *FORBIDDEN])
def test_one_address_that_is_not_public_refuses_the_host(text: str) -> None:
    for addresses in ([text], ["8.8.8.8", text], [text, "8.8.8.8"]):
        with pytest.raises(EgressRefused):
            client(addresses).send(get("https://models.example.com/"))


@pytest.mark.parametrize("text", FORBIDDEN)
def test_no_entry_of_the_operator_allows_addresses_of_metadata_or_of_no_host(text: str) -> None:
    with pytest.raises(EgressRefused):
        client([text], frozenset({("models.example.com", 443)})).send(get("https://models.example.com/"))


def test_a_host_without_an_address_is_refused() -> None:
    with pytest.raises(EgressRefused):
        client([]).send(get("https://models.example.com/"))


@pytest.mark.parametrize("host", [*NUMBERS, "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.1.2.3"])
def test_every_spelling_of_an_inner_address_is_refused_with_the_systems_own_resolver(host: str) -> None:
    with pytest.raises(EgressRefused):
        EgressClient(AllowedHosts(frozenset()), None).send(get(f"https://{host}/"))


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://models.example.com/",
            "http://127.0.0.1/",
            "ftp://models.example.com/",
            "file:///etc/passwd",
            "",
            "/",
        ),
        *("https://", "https:///x", "https://user@models.example.com/", "https://a:b@models.example.com/"),
        *("https://models.example.com:8443/", "https://models.example.com:22/", "https://models.example.com:0/"),
        *("https://models.example.com:99999/", "https://models.example.com:x/", "https://models.example.com/#a"),
        *(
            "https://models.example.com\\@10.0.0.1/",
            "https://models.example.com/a b",
            "https://models.example.com/\r\n",
        ),
        *("https://mod\u00e9ls.example.com/", "https://models.example.com./", "https://[models]/", "https://[::1"),
        *("https://models.example.com/\x00", "https://-/", "https://models%2eexample.com/", "https://m/" + "x" * 3_000),
    ],
)
def test_a_url_that_is_not_plain_https_on_the_usual_port_is_refused_before_anything_is_resolved(url: str) -> None:
    def resolve(_host: str, _port: int) -> Sequence[str]:
        raise AssertionError

    with pytest.raises(EgressRefused):
        EgressClient(AllowedHosts(frozenset()), None, resolve).send(get(url))
