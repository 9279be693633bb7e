"""Statements of the bucket's policy that the emulator cannot judge: TLS, and the kind of a form's signature.

It speaks plain HTTP to this machine alone. A form that it checks has no `s3:authType`, so that every upload is refused.
"""

import json

from tests.support.engines.ministack import Account

_REFUSES_PLAIN_HTTP = {"Bool": {"aws:SecureTransport": "false"}}
_KINDS_OF_SIGNATURES = "KnownSignaturesOnly"


def asks_for_tls(account: Account, bucket: str) -> bool:
    """Return True if the bucket's policy refuses plain HTTP."""
    policy = json.loads(account.s3.get_bucket_policy(Bucket=bucket)["Policy"])
    return any(statement.get("Condition") == _REFUSES_PLAIN_HTTP for statement in policy["Statement"])


def take_plain_http(account: Account, bucket: str) -> None:
    """The bucket no longer asks for TLS and for a kind of signature; what else its policy says holds on."""
    policy = json.loads(account.s3.get_bucket_policy(Bucket=bucket)["Policy"])
    kept = [statement for statement in policy["Statement"] if statement.get("Condition") != _REFUSES_PLAIN_HTTP]
    assert len(kept) == len(policy["Statement"]) - 1, policy
    kept = [statement for statement in kept if statement.get("Sid") != _KINDS_OF_SIGNATURES]
    account.s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps({**policy, "Statement": kept}))
