"""Rules of OpenSearch Serverless: Regions, names, policies and capacities."""

import re
from collections.abc import Iterator
from typing import Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Template

_MODEL: Final = Source("botocore service model opensearchserverless", LOOKED_UP)
_PREFIX: Final = "AWS::OpenSearchServerless::"
_GROUP: Final = f"{_PREFIX}CollectionGroup"
REGIONS_WITHOUT_GROUPS: Final = frozenset(
    {
        *("af-south-1", "ap-east-2", "ca-west-1", "il-central-1", "me-central-1", "mx-central-1"),
        *("ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7"),
        *("cn-north-1", "cn-northwest-1"),
    }
)
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{2,31}")
_COLLECTION: Final = re.compile(r"[a-z][a-z0-9_-]{2,63}")
_POLICY: Final = 20_480
_CAPACITIES: Final = frozenset({0, 1, 2, 4, 8, 16, *range(32, 1_697, 16)})


def _regions(template: Template) -> Iterator[str]:
    if template.region in REGIONS_WITHOUT_GROUPS:
        yield from (f"{name}: {template.region} lacks {_GROUP}" for name in template.of_type(_GROUP))


def _names(template: Template) -> Iterator[str]:
    for kind in ("CollectionGroup", "SecurityPolicy", "AccessPolicy"):
        for name, each in template.of_type(f"{_PREFIX}{kind}").items():
            given = template.text(each.get("Name", ""))
            if not _NAME.fullmatch(given):
                yield f"{name}: {given}"
    for name, each in template.of_type(f"{_PREFIX}Collection").items():
        given = template.text(each.get("Name", ""))
        if not _COLLECTION.fullmatch(given):
            yield f"{name}: {given}"


def _policies(template: Template) -> Iterator[str]:
    for kind in ("SecurityPolicy", "AccessPolicy"):
        declared = template.of_type(f"{_PREFIX}{kind}").items()
        sizes = ((name, len(template.text(each.get("Policy", "")).encode())) for name, each in declared)
        yield from above(_POLICY, sizes, "bytes")


def _capacities(template: Template) -> Iterator[str]:
    for name, group in template.of_type(_GROUP).items():
        for member, units in group.get("CapacityLimits", {}).items():
            if float(units) not in _CAPACITIES:
                yield f"{name}: {member} {units}"


def _minimum_above_maximum(template: Template) -> Iterator[str]:
    for name, group in template.of_type(_GROUP).items():
        limits = group.get("CapacityLimits", {})
        for part in ("Search", "Indexing"):
            least, most = limits.get(f"Min{part}CapacityInOCU", 0), limits.get(f"Max{part}CapacityInOCU")
            if most is not None and float(least) > float(most):
                yield f"{name}: {part} {least} to {most}"


TEMPLATE_RULES: Final = (
    Rule(
        "collection-group-region",
        "A Region does not know groups of collections.",
        f"no schema of {_GROUP} in {len(REGIONS_WITHOUT_GROUPS)} Regions",
        Source("cfn-lint 1.58, resource schemas of each Region", LOOKED_UP),
        _regions,
    ),
    Rule(
        "search-names",
        "The name of a collection, a group or a policy is too short, too long or has other characters.",
        "3 to 32 characters [a-z][a-z0-9-]+, for a collection 3 to 64",
        _MODEL,
        _names,
    ),
    Rule("search-policy", "A policy of a collection is too large.", "20,480 characters", _MODEL, _policies),
    Rule(
        "search-capacity",
        "A capacity is none of those that can be chosen.",
        "0, 1, 2, 4, 8, 16, then multiples of 16 OCU",
        Source("OpenSearch Serverless developer guide: Managing capacity limits", LOOKED_UP),
        _capacities,
    ),
    Rule(
        "search-capacity-order",
        "The least capacity of a group is above its largest.",
        "ValidationException",
        Source("OpenSearch Serverless developer guide: Managing capacity limits", LOOKED_UP),
        _minimum_above_maximum,
    ),
)
