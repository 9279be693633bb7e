"""Blobs in S3: failures that only the bucket store can have."""

from collections.abc import Generator
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from groundwire.adapters.aws.s3.blobs import S3Blobs
from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.domain import errors
from tests.contract.blobs.test_blobs import HOSTILE
from tests.support.aws.buckets import NAME, bucket


@pytest.fixture
def opened() -> Generator[Bucket]:
    with bucket() as made:
        yield made


def keys(opened: Bucket) -> list[str]:
    return [key for key, _, _ in opened.versions("")]


def test_nothing_is_written_outside_the_tenants_own_prefix(opened: Bucket) -> None:
    blobs = S3Blobs(opened)
    for key in HOSTILE:
        blobs.put("t-acme", key, b"x")
    assert len(keys(opened)) == len(HOSTILE)
    assert {key.rpartition("/")[0] for key in keys(opened)} == {"tenants/t-acme/.blobs"}


def test_of_what_is_deleted_no_version_is_kept(opened: Bucket) -> None:
    blobs = S3Blobs(opened)
    for content in (b"first", b"second"):
        blobs.put("t-acme", "d-1", content)
    blobs.put("t-acme", "d-10", b"another")
    blobs.delete("t-acme", "d-1")
    assert keys(opened) == ["tenants/t-acme/.blobs/d-10"]


def test_dropping_a_tenant_erases_its_sources_too_with_all_versions_and_marks(opened: Bucket) -> None:
    S3Blobs(opened).put("t-acme", "d-1", b"x")
    source = "tenants/t-acme/handbook/a.txt"
    deleted = "tenants/t-acme/handbook/gone.txt"
    for key in (source, source, deleted, "tenants/t-acme2/handbook/a.txt"):
        opened.client.put_object(Bucket=NAME, Key=key, Body=b"x")
    opened.client.delete_object(Bucket=NAME, Key=deleted)
    assert S3Blobs(opened).drop("t-acme") == 2
    assert keys(opened) == ["tenants/t-acme2/handbook/a.txt"]


def test_more_files_than_one_request_takes_are_dropped(opened: Bucket) -> None:
    for number in range(1_005):
        opened.client.put_object(Bucket=NAME, Key=f"tenants/t-acme/c/{number}", Body=b"")
    assert S3Blobs(opened).drop("t-acme") == 1_005
    assert keys(opened) == []


@pytest.mark.parametrize(("requested", "given"), [(10, "10"), (60, "60"), (900, "60")])
def test_an_address_states_type_and_disposition_and_ends_within_a_minute(
    opened: Bucket, requested: int, given: str
) -> None:
    blobs = S3Blobs(opened)
    blobs.put("t-acme", "d-1/1", b"x")
    address = blobs.download_url(
        "t-acme", "d-1/1", "text/plain; charset=utf-8", 'inline; filename="a b.txt"', requested
    )
    assert address is not None
    query = parse_qs(urlsplit(address).query)
    assert urlsplit(address).path.endswith("/tenants/t-acme/.blobs/d-1%252f1")
    assert query["X-Amz-Expires"] == [given]
    assert query["X-Amz-Algorithm"] == ["AWS4-HMAC-SHA256"]
    assert query["response-content-disposition"] == ['inline; filename="a b.txt"']
    assert query["response-content-type"] == ["text/plain; charset=utf-8"]
    assert query["response-cache-control"] == ["private, no-store"]


def test_the_bucket_sends_the_type_of_the_address_and_not_that_of_the_upload(opened: Bucket) -> None:
    blobs = S3Blobs(opened)
    blobs.put("t-acme", "d-1", b"x")
    [key] = keys(opened)
    opened.client.put_object(
        Bucket=NAME, Key=key, Body=b"<script>", ContentType="text/html", ContentDisposition="inline"
    )
    address = blobs.download_url("t-acme", "d-1", "application/octet-stream", "attachment", 60)
    assert address is not None
    answer = requests.get(address, timeout=10)
    assert (answer.status_code, answer.content) == (200, b"<script>")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment"


def test_a_bucket_that_is_not_there_is_named() -> None:
    with bucket() as made, pytest.raises(errors.Unavailable, match="groundwire-elsewhere is not there"):
        S3Blobs(Bucket(made.client, "groundwire-elsewhere")).put("t-acme", "d-1", b"x")


def test_a_bucket_without_versions_forgets_as_well() -> None:
    with bucket(versioned=False) as made:
        blobs = S3Blobs(made)
        blobs.put("t-acme", "d-1", b"x")
        blobs.delete("t-acme", "d-1")
        blobs.put("t-acme", "d-2", b"x")
        assert blobs.drop("t-acme") == 1
        assert keys(made) == []
