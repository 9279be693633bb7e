"""Rules of buckets and tables."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Change, Template

_S3: Final = Source("Amazon S3 API reference: PutBucketLifecycleConfiguration", LOOKED_UP)
_DYNAMODB: Final = Source("Amazon DynamoDB developer guide: Quotas in Amazon DynamoDB", LOOKED_UP)
_BUCKET: Final = "AWS::S3::Bucket"
_TABLE: Final = "AWS::DynamoDB::Table"
_MOST_LIFECYCLE_RULES: Final = 1_000
_MOST_CORS_RULES: Final = 100
_MOST_INDEXES: Final = 20
_RULE_ID: Final = 255
_EXPIRATIONS: Final = ("ExpirationInDays", "ExpirationDate")
_ACTIONS: Final = (
    *(*_EXPIRATIONS, "ExpiredObjectDeleteMarker", "NoncurrentVersionExpiration", "NoncurrentVersionTransitions"),
    *("Transitions", "Transition", "AbortIncompleteMultipartUpload", "NoncurrentVersionExpirationInDays"),
)


def _lifecycle_rules(template: Template) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, bucket in template.of_type(_BUCKET).items():
        for number, rule in enumerate(bucket.get("LifecycleConfiguration", {}).get("Rules", [])):
            yield f"{name}, rule {rule.get('Id', number)}", rule


def _lifecycle(template: Template) -> Iterator[str]:
    for place, rule in _lifecycle_rules(template):
        if rule.get("ExpiredObjectDeleteMarker") and any(each in rule for each in _EXPIRATIONS):
            yield f"{place}: ExpiredObjectDeleteMarker beside a day"
        if "TagFilters" in rule and ("AbortIncompleteMultipartUpload" in rule or "ExpiredObjectDeleteMarker" in rule):
            yield f"{place}: a filter by tags beside uploads or markers"
        if not any(action in rule for action in _ACTIONS):
            yield f"{place}: no action"
        if len(str(rule.get("Id", ""))) > _RULE_ID:
            yield f"{place}: Id"


def _lifecycle_ids(template: Template) -> Iterator[str]:
    for name, bucket in template.of_type(_BUCKET).items():
        rules = bucket.get("LifecycleConfiguration", {}).get("Rules", [])
        named = [rule["Id"] for rule in rules if "Id" in rule]
        yield from (f"{name}: two rules {one}" for one in sorted({one for one in named if named.count(one) > 1}))
        yield from above(_MOST_LIFECYCLE_RULES, [(name, len(rules))], "rules")


def _cors(template: Template) -> Iterator[str]:
    buckets = template.of_type(_BUCKET).items()
    sizes = ((name, len(bucket.get("CorsConfiguration", {}).get("CorsRules", []))) for name, bucket in buckets)
    return above(_MOST_CORS_RULES, sizes, "rules")


def _indexes(template: Template) -> Iterator[str]:
    tables = template.of_type(_TABLE).items()
    return above(_MOST_INDEXES, ((name, len(one.get("GlobalSecondaryIndexes", []))) for name, one in tables), "indexes")


def _attributes(template: Template) -> Iterator[str]:
    for name, table in template.of_type(_TABLE).items():
        declared = {each["AttributeName"] for each in table.get("AttributeDefinitions", [])}
        keyed = [table, *table.get("GlobalSecondaryIndexes", []), *table.get("LocalSecondaryIndexes", [])]
        used = {key["AttributeName"] for each in keyed for key in each.get("KeySchema", [])}
        if declared != used:
            yield f"{name}: {', '.join(sorted(declared ^ used))}"


def _index_changes(change: Change) -> Iterator[str]:
    before = change.before.of_type(_TABLE)
    for name, table in change.after.of_type(_TABLE).items():
        if name in before:
            old, new = _by_name(before[name]), _by_name(table)
            changed = old.keys() ^ new.keys() | {index for index in old.keys() & new.keys() if old[index] != new[index]}
            if len(changed) > 1:
                yield f"{name}: {', '.join(sorted(changed))}"


def _by_name(table: Mapping[str, Any]) -> dict[str, Any]:
    return {index["IndexName"]: index for index in table.get("GlobalSecondaryIndexes", [])}


TEMPLATE_RULES: Final = (
    Rule(
        "lifecycle-rule",
        "A rule of a bucket's lifecycle combines what excludes each other, or does nothing.",
        "ExpiredObjectDeleteMarker is not with Days or Date; tags are not with uploads; each rule has an action",
        _S3,
        _lifecycle,
    ),
    Rule(
        "lifecycle-ids",
        "Two rules of a bucket's lifecycle have one id, or there are too many.",
        "unique Id; 1,000 rules",
        _S3,
        _lifecycle_ids,
    ),
    Rule("cors-rules", "A bucket has too many CORS rules.", "100 rules", _S3, _cors),
    Rule("table-indexes", "A table has too many global secondary indexes.", "20 indexes", _DYNAMODB, _indexes),
    Rule(
        "table-attributes",
        "A table defines attributes that no key uses, or uses undefined ones.",
        '"Some AttributeDefinitions are not used" (ValidationException)',
        Source("Amazon DynamoDB API reference: CreateTable", LOOKED_UP),
        _attributes,
    ),
)
CHANGE_RULES: Final = (
    Rule(
        "table-index-changes",
        "An update creates, deletes or changes more than one index of a table.",
        '"Cannot perform more than one GSI creation or deletion in a single update"',
        Source("Amazon DynamoDB developer guide: Managing global secondary indexes", LOOKED_UP),
        _index_changes,
    ),
)
