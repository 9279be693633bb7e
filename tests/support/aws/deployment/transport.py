"""The emulator speaks plain HTTP to this machine alone, which the bucket of the template refuses to every function."""

import json

from tests.support.engines.ministack import Account

_REFUSES_PLAIN_HTTP = {"Bool": {"aws:SecureTransport": "false"}}


def take_plain_http(account: Account, bucket: str) -> None:
    """The bucket no longer asks for TLS; what else its policy says holds on."""
    policy = json.loads(account.s3.get_bucket_policy(Bucket=bucket)["Policy"])
    kept = [statement for statement in policy["Statement"] if statement.get("Condition") != _REFUSES_PLAIN_HTTP]
    assert len(kept) == len(policy["Statement"]) - 1, policy
    account.s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps({**policy, "Statement": kept}))
