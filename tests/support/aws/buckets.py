"""A bucket as the template makes it, in this process."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import boto3
from moto import mock_aws

from groundwire.adapters.aws.clients import S3_CONFIG
from groundwire.adapters.aws.s3.bucket import Bucket

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

REGION = "eu-central-1"
NAME = "groundwire-documents"


@cache
def client() -> "S3Client":
    """A client such as the product's, for moto to answer; made once, as each takes a second."""
    return boto3.Session().client(
        "s3", region_name=REGION, aws_access_key_id="local", aws_secret_access_key="local", config=S3_CONFIG
    )


@contextmanager
def bucket(*, versioned: bool = True) -> Generator[Bucket]:
    """Empty."""
    with mock_aws():
        made = Bucket(client(), NAME)
        made.client.create_bucket(Bucket=NAME, CreateBucketConfiguration={"LocationConstraint": REGION})
        if versioned:
            made.client.put_bucket_versioning(Bucket=NAME, VersioningConfiguration={"Status": "Enabled"})
        yield made
