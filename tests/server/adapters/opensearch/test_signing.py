"""A request to OpenSearch Serverless proves who sends it, and which collection is meant."""

from hashlib import sha256

import pytest
from botocore.credentials import ReadOnlyCredentials

from groundwire.adapters.opensearch.connection.signer import Signer, region_of
from groundwire.domain import errors

URL = "https://abc.aoss.eu-central-1.on.aws/_msearch?x=1"
BODY = b'{"query": {}}'


def signed(collection: str | None, body: bytes | None = BODY) -> dict[str, str]:
    signer = Signer(lambda: ReadOnlyCredentials("id", "secret", "token"), "eu-central-1", collection)
    return {name.lower(): value for name, value in signer("POST", URL, body).items()}


def test_body_token_and_collection_are_part_of_the_signature() -> None:
    headers = signed("docs")
    assert headers["x-amz-aoss-collection-name"] == "docs"
    assert headers["x-amz-content-sha256"] == sha256(BODY).hexdigest()
    names = "host;x-amz-aoss-collection-name;x-amz-content-sha256;x-amz-date;x-amz-security-token"
    assert f"SignedHeaders={names}," in headers["authorization"]
    assert "/eu-central-1/aoss/aws4_request" in headers["authorization"]


def test_an_address_that_names_its_collection_needs_no_header() -> None:
    assert "x-amz-aoss-collection-name" not in signed(None)


def test_a_request_without_a_body_is_signed_as_an_empty_one() -> None:
    assert signed(None, None)["x-amz-content-sha256"] == sha256(b"").hexdigest()


@pytest.mark.parametrize(
    "address",
    [
        "https://abc.eu-central-1.aoss.amazonaws.com",
        "https://abc.aoss.eu-central-1.on.aws:443",
        "https://123456789012.aoss.eu-central-1.on.aws",
    ],
)
def test_the_address_names_the_region(address: str) -> None:
    assert region_of(address) == "eu-central-1"


@pytest.mark.parametrize("address", ["https://example.com", "https://aoss.", "https://aoss", "nothing"])
def test_an_address_of_something_else_is_refused(address: str) -> None:
    with pytest.raises(errors.InvalidInput, match="collection's endpoint"):
        region_of(address)
