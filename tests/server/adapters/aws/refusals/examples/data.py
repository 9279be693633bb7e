"""Examples of queues, events, buckets, tables and collections."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from tests.server.adapters.aws.refusals.examples.building import ARN, Example, function, of, resource, template

_KEY: Final = [{"AttributeName": "key", "KeyType": "HASH"}]
_ATTRIBUTE: Final = {"AttributeName": "key", "AttributeType": "S"}


def _feeding(visible: int, mapping: Mapping[str, Any], runs: int = 3) -> dict[str, Any]:
    return {
        "Queue": resource("SQS::Queue", VisibilityTimeout=visible),
        "One": function(Timeout=runs),
        "Feeds": resource("Lambda::EventSourceMapping", EventSourceArn=ARN, FunctionName={"Ref": "One"}, **mapping),
    }


def _matching(wildcard: str) -> dict[str, Any]:
    return {"EventPattern": {"detail": {"object": {"key": [{"anything-but": {"wildcard": wildcard}}]}}}}


def _bucket(*rules: Mapping[str, Any]) -> dict[str, Any]:
    return {"LifecycleConfiguration": {"Rules": list(rules)}}


def _table(indexes: int, *attributes: Mapping[str, str]) -> dict[str, Any]:
    declared = [{"IndexName": f"by-{number}", "KeySchema": _KEY} for number in range(indexes)]
    return {
        "AttributeDefinitions": [_ATTRIBUTE, *attributes],
        "KeySchema": _KEY,
        **({"GlobalSecondaryIndexes": declared} if declared else {}),
    }


def _group(**properties: Any) -> dict[str, Any]:
    return {"Name": "groundwire", **properties}


_GROUP: Final = template({"One": resource("OpenSearchServerless::CollectionGroup", **_group())})
EXAMPLES: Final[Mapping[str, Example]] = {
    "queue-attributes": of("SQS::Queue", {"DelaySeconds": 901}, {"DelaySeconds": 900}),
    "queue-visibility": Example(template(_feeding(299, {}, runs=300)), template(_feeding(300, {}, runs=300))),
    "event-source-concurrency": Example(
        template(_feeding(30, {"ScalingConfig": {"MaximumConcurrency": 1}})),
        template(_feeding(30, {"ScalingConfig": {"MaximumConcurrency": 2}})),
    ),
    "event-source-batch": Example(
        template(_feeding(30, {"BatchSize": 11})),
        template(_feeding(30, {"BatchSize": 11, "MaximumBatchingWindowInSeconds": 1})),
    ),
    "event-pattern-size": of(
        "Events::Rule", {"EventPattern": {"source": ["x" * 2_050]}}, {"EventPattern": {"source": ["x" * 2_000]}}
    ),
    "event-pattern-wildcards": of("Events::Rule", _matching("tenants/**"), _matching("tenants/*/.blobs/*")),
    "event-targets": of("Events::Rule", {"Targets": [{}] * 6}, {"Targets": [{}] * 5}),
    "event-rule-name": of("Events::Rule", {"Name": "a b"}, {"Name": "a.b"}),
    "lifecycle-rule": of(
        "S3::Bucket",
        _bucket({"Id": "a", "ExpiredObjectDeleteMarker": True, "ExpirationInDays": 1}),
        _bucket({"Id": "a", "ExpiredObjectDeleteMarker": True}, {"Id": "b", "ExpirationInDays": 1, "Prefix": "x/"}),
    ),
    "lifecycle-ids": of(
        "S3::Bucket",
        _bucket({"Id": "a", "ExpirationInDays": 1}, {"Id": "a", "ExpirationInDays": 2}),
        _bucket({"Id": "a", "ExpirationInDays": 1}, {"Id": "b", "ExpirationInDays": 2}),
    ),
    "cors-rules": of(
        "S3::Bucket", {"CorsConfiguration": {"CorsRules": [{}] * 101}}, {"CorsConfiguration": {"CorsRules": [{}] * 100}}
    ),
    "table-indexes": of("DynamoDB::Table", _table(21), _table(20)),
    "table-attributes": of("DynamoDB::Table", _table(0, {"AttributeName": "other", "AttributeType": "S"}), _table(0)),
    "collection-group-region": Example(replace(_GROUP, region="me-central-1"), _GROUP),
    "search-names": of("OpenSearchServerless::SecurityPolicy", {"Name": "ab"}, {"Name": "a" * 32}),
    "search-policy": of(
        "OpenSearchServerless::AccessPolicy",
        {"Name": "abc", "Policy": "x" * 20_481},
        {"Name": "abc", "Policy": "x" * 20_480},
    ),
    "search-capacity": of(
        "OpenSearchServerless::CollectionGroup",
        _group(CapacityLimits={"MaxSearchCapacityInOCU": 3}),
        _group(CapacityLimits={"MaxSearchCapacityInOCU": 4}),
    ),
    "search-capacity-order": of(
        "OpenSearchServerless::CollectionGroup",
        _group(CapacityLimits={"MinSearchCapacityInOCU": 8, "MaxSearchCapacityInOCU": 4}),
        _group(CapacityLimits={"MinSearchCapacityInOCU": 4, "MaxSearchCapacityInOCU": 4}),
    ),
}
