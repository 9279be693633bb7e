"""Admission of a call: its requests to the table of keys, and the IAM rights that they need."""

from dataclasses import replace

import pytest

from groundwire.domain.keys.api_key import AdmissionDenialReason, AdmissionDenied, AdmissionGranted
from tests.server.adapters.aws.tables import Cloud
from tests.support.aws.template.role_grants import granted
from tests.support.registry.records import CURRENT, NOW, OTHER, PERSONAL_KEY, tenant

KID = PERSONAL_KEY.kid
WRITE = "UpdateItem"


def admit(cloud: Cloud, now: float = NOW, digest: bytes = CURRENT, kid: str = KID) -> tuple[str, list[str]]:
    """Return the result of the admission, and the requests that it made."""
    cloud.requests.during()
    admission = cloud.keys.admit(kid, digest, now)
    word = admission.reason.value if isinstance(admission, AdmissionDenied) else "admitted"
    return word, cloud.requests.during()


@pytest.fixture
def key(cloud: Cloud) -> None:
    """Its tenant has room for many such."""
    cloud.tenants.add(tenant("t-acme"))
    cloud.keys.add(replace(PERSONAL_KEY, burst=3), CURRENT)


@pytest.fixture
def narrow_tenant(cloud: Cloud) -> None:
    """Its key alone could call more than the tenant may."""
    cloud.tenants.add(tenant("t-acme", rate_per_minute=60, burst=2))
    cloud.keys.add(replace(PERSONAL_KEY, burst=3), CURRENT)


@pytest.mark.usefixtures("key")
def test_a_call_within_the_even_rates_is_a_write_of_key_and_tenant_and_a_burst_is_one_more_of_its_row(
    cloud: Cloud,
) -> None:
    assert admit(cloud) == ("admitted", [WRITE] * 2)
    assert admit(cloud) == ("admitted", [WRITE] * 4)
    # The key's burst goes on, the tenant's even rate is faster.
    assert admit(cloud, NOW + 0.5) == ("admitted", [WRITE] * 3)
    assert admit(cloud, NOW + 60) == ("admitted", [WRITE] * 2)


@pytest.mark.usefixtures("key")
def test_a_refusal_is_one_write_that_changes_nothing(cloud: Cloud) -> None:
    for _ in range(3):
        admit(cloud)
    before = cloud.rows()
    # The wait is the longer one of key and tenant.
    assert admit(cloud) == (AdmissionDenialReason.KEY_RATE, [WRITE, "GetItem"])
    assert admit(cloud, digest=OTHER) == (AdmissionDenialReason.WRONG_SECRET, [WRITE])
    assert admit(cloud, now=NOW + 5_000) == (AdmissionDenialReason.EXPIRED, [WRITE])
    assert admit(cloud, kid="unknown00000") == (AdmissionDenialReason.UNKNOWN_KEY, [WRITE])
    assert cloud.rows() == before


@pytest.mark.usefixtures("narrow_tenant")
def test_a_call_that_the_tenant_refuses_leaves_every_row_but_the_newest_call_as_it_was(cloud: Cloud) -> None:
    for _ in range(2):
        admit(cloud)
    before = cloud.rows()
    assert admit(cloud)[0] == AdmissionDenialReason.TENANT_RATE
    assert cloud.rows() == before


@pytest.mark.usefixtures("narrow_tenant")
def test_an_admission_asks_for_nothing_that_the_authorizer_may_not(cloud: Cloud) -> None:
    cloud.requests.during()
    for now, digest in ((NOW, CURRENT), (NOW, CURRENT), (NOW, CURRENT), (NOW + 1, OTHER), (NOW + 900, CURRENT)):
        cloud.keys.admit(KID, digest, now)
    for _ in range(3):
        cloud.keys.admit(KID, CURRENT, NOW + 900)
    requested = {f"dynamodb:{name}" for name in cloud.requests.during()}
    assert requested <= granted("AuthorizerRole")["KeysTable"]


def test_a_first_call_that_the_tenant_refuses_is_no_use(cloud: Cloud) -> None:
    cloud.tenants.add(tenant("t-acme", rate_per_minute=60, burst=1))
    for kid in (KID, "another00000"):
        cloud.keys.add(replace(PERSONAL_KEY, kid=kid), CURRENT)
    assert admit(cloud, kid="another00000")[0] == "admitted"
    assert admit(cloud)[0] == AdmissionDenialReason.TENANT_RATE
    key = cloud.keys.get("t-acme", KID)
    assert key is not None
    assert key.last_used is None


@pytest.mark.usefixtures("key")
def test_numbers_are_whole_microseconds(cloud: Cloud) -> None:
    admission = cloud.keys.admit(KID, CURRENT, NOW + 0.123_456)
    assert isinstance(admission, AdmissionGranted)
    (row,) = (row for row in cloud.rows() if row["part"] == {"S": "key"})
    # A call a second, counted from the moment of the call.
    assert row["tat"] == {"N": "1800000031123456"}
    assert row["step"] == {"N": "1000000"}
