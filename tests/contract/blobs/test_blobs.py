import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain import errors
from groundwire.ports import Blobs
from tests.support.plugins.draws import examples

HOSTILE = [
    "../escape",
    "../../../../etc/passwd",
    "/etc/passwd",
    "..",
    ".",
    "a/../../b",
    "a/./b",
    "a\\..\\b",
    "C:\\x",
    "nul\x00byte",
    "line\nfeed",
    ".part-x",
    "~",
    "%2e%2e",
    "con",
    "x" * 1_000,
    "ü" * 400,
    "bad\udcffname",
    "Report",
    "report",
    "re\u0301port",
    "r\u00e9port",
]


def test_content_is_read_back_as_it_was_put(blobs: Blobs) -> None:
    content = bytes(range(256)) * 1_000
    blobs.put("t-acme", "d-1/1", content)
    blobs.put("t-acme", "d-1/2", b"")
    assert (blobs.get("t-acme", "d-1/1"), blobs.get("t-acme", "d-1/2")) == (content, b"")


def test_putting_again_replaces(blobs: Blobs) -> None:
    blobs.put("t-acme", "d-1", b"a longer first content")
    blobs.put("t-acme", "d-1", b"second")
    assert blobs.get("t-acme", "d-1") == b"second"


def test_what_was_never_put_or_was_deleted_is_not_found(blobs: Blobs) -> None:
    with pytest.raises(errors.NotFound):
        blobs.get("t-acme", "d-1")
    blobs.put("t-acme", "d-1", b"x")
    blobs.delete("t-acme", "d-1")
    blobs.delete("t-acme", "d-1")
    with pytest.raises(errors.NotFound):
        blobs.get("t-acme", "d-1")


def test_a_tenants_blobs_are_its_own(blobs: Blobs) -> None:
    blobs.put("t-acme", "d-1", b"acme")
    blobs.put("t-blue", "d-1", b"blue")
    blobs.delete("t-blue", "d-1")
    assert blobs.get("t-acme", "d-1") == b"acme"


def test_dropping_counts_and_erases_one_tenants_blobs(blobs: Blobs) -> None:
    for key in ("d-1/1", "d-1/2", "d-2"):
        blobs.put("t-acme", key, b"x")
    blobs.put("t-blue", "d-1", b"blue")
    assert blobs.drop("t-acme") == 3
    assert blobs.drop("t-acme") == 0
    with pytest.raises(errors.NotFound):
        blobs.get("t-acme", "d-2")
    assert blobs.get("t-blue", "d-1") == b"blue"


def test_hostile_keys_are_only_names_each_its_own(blobs: Blobs) -> None:
    for key in HOSTILE:
        blobs.put("t-acme", key, key.encode("utf-8", "surrogatepass"))
    for key in HOSTILE:
        assert blobs.get("t-acme", key) == key.encode("utf-8", "surrogatepass")
    assert blobs.drop("t-acme") == len(HOSTILE)


@settings(deadline=None, max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(min_size=1, max_size=300), min_size=1, max_size=5, unique=True))
def test_any_two_keys_hold_two_contents(blobs: Blobs, keys: list[str]) -> None:
    for number, key in enumerate(keys):
        blobs.put("t-acme", key, bytes([number]))
    assert [blobs.get("t-acme", key) for key in keys] == [bytes([number]) for number in range(len(keys))]


def test_an_empty_key_is_refused(blobs: Blobs) -> None:
    with pytest.raises(errors.InvalidInput):
        blobs.put("t-acme", "", b"x")


@pytest.mark.parametrize("tenant", ["", ".", "..", "../t-acme", "t/acme", "t\x00", "/", "t-acme\n", "é", "x" * 65])
def test_what_is_no_tenant_id_reaches_nothing(blobs: Blobs, tenant: str) -> None:
    with pytest.raises(errors.InvalidInput):
        blobs.put(tenant, "d-1", b"x")
    with pytest.raises(errors.InvalidInput):
        blobs.get(tenant, "d-1")
    with pytest.raises(errors.InvalidInput):
        blobs.drop(tenant)
