"""Promises of a bucket beside those of `ports.SourceObjects`."""

import time
from collections.abc import Generator

import pytest

from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.adapters.aws.s3.source_objects import S3SourceObjects
from groundwire.domain import errors
from groundwire.ports import DeletableObjects, SourceObject
from tests.support.aws.buckets import NAME, bucket


@pytest.fixture
def opened() -> Generator[Bucket]:
    with bucket() as made:
        yield made


@pytest.fixture
def sources(opened: Bucket) -> DeletableObjects:
    return S3SourceObjects(opened)


def put(opened: Bucket, path: str, content: bytes, tenant: str = "t-acme", **metadata: str) -> str:
    key = f"tenants/{tenant}/{path}"
    return opened.client.put_object(Bucket=NAME, Key=key, Body=content, Metadata=metadata)["VersionId"]


def test_a_file_is_found_in_its_current_version_with_its_attributes(opened: Bucket, sources: DeletableObjects) -> None:
    first = put(opened, "c/a ü.txt", b"one", Said="first")
    latest = put(opened, "c/a ü.txt", b"second", Said="more")
    found = sources.find("t-acme", "c/a ü.txt")
    assert found is not None
    assert found == SourceObject("c/a ü.txt", latest, 6, {"said": "more"}, found.uploaded_at)
    # S3 tells whole seconds.
    assert time.time() - 60 < found.uploaded_at <= time.time()
    assert sources.read("t-acme", "c/a ü.txt", latest) == b"second"
    assert sources.read("t-acme", "c/a ü.txt", first) == b"one"


def test_what_was_deleted_or_never_there_is_not_found(opened: Bucket, sources: DeletableObjects) -> None:
    version = put(opened, "c/a.txt", b"one")
    opened.client.delete_object(Bucket=NAME, Key="tenants/t-acme/c/a.txt")
    assert sources.find("t-acme", "c/a.txt") is None
    assert sources.find("t-acme", "c/b.txt") is None
    assert sources.find("t-blue", "c/a.txt") is None
    sources.delete("t-acme", "c/a.txt", version)
    sources.delete("t-acme", "c/a.txt", version)
    with pytest.raises(errors.NotFound):
        sources.read("t-acme", "c/a.txt", version)


def test_a_listing_holds_the_files_of_one_tenant(opened: Bucket, sources: DeletableObjects) -> None:
    put(opened, "c/f/00.txt", b"")
    put(opened, "c/f/01.txt", b"", tenant="t-blue")
    assert list(sources.list_subtree("t-acme", "c/f/", "", 20)) == ["c/f/00.txt"]


def test_what_is_no_tenant_id_reaches_nothing(sources: DeletableObjects) -> None:
    for tenant in ("", "..", "t/acme", "t-acme/"):
        with pytest.raises(errors.InvalidInput):
            sources.find(tenant, "c/a.txt")
        with pytest.raises(errors.InvalidInput):
            sources.list_subtree(tenant, "", "", 1)
