"""Statements of the bucket's policy that the emulator cannot judge: TLS, the kind of a form's signature, the network.

It speaks plain HTTP to this machine alone. A form that it checks has no `s3:authType`, so that every upload is refused.
Its functions are in no VPC, so no request comes through an endpoint.
"""

import json

from tests.support.engines.ministack import Account

_REFUSES_PLAIN_HTTP = {"Bool": {"aws:SecureTransport": "false"}}
_NOT_JUDGED = ("KnownSignaturesOnly", "ResultsFromTheParserAlone", "FilesOnTheirWayToTheParserAlone")


def asks_for_tls(account: Account, bucket: str) -> bool:
    """Return True if the bucket's policy refuses plain HTTP."""
    policy = json.loads(account.s3.get_bucket_policy(Bucket=bucket)["Policy"])
    return any(statement.get("Condition") == _REFUSES_PLAIN_HTTP for statement in policy["Statement"])


def take_plain_http(account: Account, bucket: str) -> None:
    """Remove the statements that the emulator cannot judge; the rest of the bucket's policy stays in force."""
    policy = json.loads(account.s3.get_bucket_policy(Bucket=bucket)["Policy"])
    kept = [statement for statement in policy["Statement"] if statement.get("Condition") != _REFUSES_PLAIN_HTTP]
    assert len(kept) == len(policy["Statement"]) - 1, policy
    kept = [statement for statement in kept if statement.get("Sid") not in _NOT_JUDGED]
    account.s3.put_bucket_policy(Bucket=bucket, Policy=json.dumps({**policy, "Statement": kept}))
