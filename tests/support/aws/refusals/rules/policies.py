"""Rules of policies: sizes of those of roles, buckets, queues, functions and endpoints."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Template

_IAM: Final = Source("IAM user guide: IAM and AWS STS quotas", LOOKED_UP)
_INLINE: Final = 10_240
_TRUST: Final = 2_048
_BUCKET: Final = 20 * 1_024
_FUNCTION: Final = 20 * 1_024
_QUEUE: Final = 8_192
_ENDPOINT: Final = 20_480
_ROLE: Final = "AWS::IAM::Role"


def _characters(template: Template, policy: Any) -> int:
    """Return the size of a policy as IAM counts it, without white space."""
    return len(json.dumps(template.resolved(policy), separators=(",", ":")))


def _inline(template: Template) -> Iterator[str]:
    sizes = (
        (name, sum(_characters(template, policy["PolicyDocument"]) for policy in role.get("Policies", [])))
        for name, role in template.of_type(_ROLE).items()
    )
    return above(_INLINE, sizes, "characters")


def _trust(template: Template) -> Iterator[str]:
    roles = template.of_type(_ROLE).items()
    sizes = ((name, _characters(template, role.get("AssumeRolePolicyDocument", {}))) for name, role in roles)
    return above(_TRUST, sizes, "characters")


def _sizes(template: Template, kind: str) -> Iterator[tuple[str, int]]:
    for name, properties in template.of_type(kind).items():
        yield name, _characters(template, properties.get("PolicyDocument", {}))


def _bucket(template: Template) -> Iterator[str]:
    return above(_BUCKET, _sizes(template, "AWS::S3::BucketPolicy"), "bytes")


def _queue(template: Template) -> Iterator[str]:
    return above(_QUEUE, _sizes(template, "AWS::SQS::QueuePolicy"), "bytes")


def _endpoint(template: Template) -> Iterator[str]:
    return above(_ENDPOINT, _sizes(template, "AWS::EC2::VPCEndpoint"), "characters")


def _permissions(template: Template) -> Iterator[str]:
    """Yield functions whose policy is too large: each permission is a statement in it."""
    statements: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for name, permission in template.of_type("AWS::Lambda::Permission").items():
        function = template.text(permission["FunctionName"])
        source = {"ArnLike": {"AWS:SourceArn": permission.get("SourceArn", "")}}
        resource = f"arn:aws:lambda:{template.region}:123456789012:function:{function}"
        statements[function].append(
            {
                "Sid": f"groundwire-{name}-0A1B2C3D4E5F",
                "Effect": "Allow",
                "Principal": {"Service": permission["Principal"]},
                "Action": permission["Action"],
                "Resource": resource,
                "Condition": source,
            }
        )
    sizes = (
        (function, _characters(template, {"Version": "2012-10-17", "Id": "default", "Statement": lines}))
        for function, lines in statements.items()
    )
    return above(_FUNCTION, sizes, "bytes")


TEMPLATE_RULES: Final = (
    Rule(
        "role-inline-policies",
        "The inline policies of a role are too large together.",
        "10,240 characters, white space not counted",
        _IAM,
        _inline,
    ),
    Rule("role-trust-policy", "The trust policy of a role is too large.", "2,048 characters", _IAM, _trust),
    Rule(
        "bucket-policy",
        "The policy of a bucket is too large.",
        "20 KB",
        Source("Amazon S3 user guide: Policies and permissions in Amazon S3", LOOKED_UP),
        _bucket,
    ),
    Rule(
        "queue-policy",
        "The policy of a queue is too large.",
        "8,192 bytes",
        Source("Amazon SQS developer guide: Policy quotas", LOOKED_UP),
        _queue,
    ),
    Rule(
        "function-policy",
        "The permissions of a function are too large together.",
        "20 KB for the resource-based policy of a function",
        Source("Lambda developer guide: Lambda quotas", LOOKED_UP),
        _permissions,
    ),
    Rule(
        "endpoint-policy",
        "The policy of a VPC endpoint is too large.",
        "20,480 characters, white space included",
        Source("AWS PrivateLink guide: Control access to VPC endpoints using endpoint policies", LOOKED_UP),
        _endpoint,
    ),
)
