"""Presigned links and upload forms lead straight to the bucket in its Region."""

from urllib.parse import urlsplit

import pytest
from botocore.session import get_session

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.s3.blobs import S3Blobs
from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.adapters.aws.s3.uploads import PresignedUploadForms
from groundwire.ports.uploads import UploadTerms

NAME = "groundwire-bucket-1a2b"
TERMS = UploadTerms("t_acme", "u_1", ".uploads/u_1", 5, "text/plain", "00" * 32, expires_at=1_000_300)


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give any credentials and no endpoint; a session of its own reads them."""
    for name in ("AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "local")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")
    monkeypatch.setattr(clients, "_session", get_session)


def addresses() -> list[str]:
    """Where a link to an original and an upload form lead, without what is signed."""
    bucket = Bucket(clients.s3(), NAME)
    link = S3Blobs(bucket).download_url("t_acme", "original", "text/plain", "inline", 60)
    assert link is not None
    return [link, PresignedUploadForms(bucket, lambda: 1_000_000.0).form(TERMS).url]


@pytest.mark.parametrize(
    ("region", "host"),
    [
        ("us-east-1", "s3.us-east-1.amazonaws.com"),
        ("eu-central-1", "s3.eu-central-1.amazonaws.com"),
        ("eu-south-2", "s3.eu-south-2.amazonaws.com"),
        ("me-central-1", "s3.me-central-1.amazonaws.com"),
    ],
)
def test_a_link_and_an_upload_form_name_the_host_of_the_buckets_region(
    monkeypatch: pytest.MonkeyPatch, region: str, host: str
) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    assert {urlsplit(url).netloc for url in addresses()} == {f"{NAME}.{host}"}


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:5000", "http://localhost:4566", "https://files.example.com"])
def test_at_another_endpoint_the_bucket_stays_in_the_path(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", endpoint)
    for url in addresses():
        assert url.startswith(f"{endpoint}/{NAME}")
