"""Rules of queues, event sources and events."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source, above
from tests.support.aws.refusals.template import Template

_SQS: Final = Source("Amazon SQS API reference: SetQueueAttributes", LOOKED_UP)
_MAPPING: Final = Source("Lambda API reference: CreateEventSourceMapping", LOOKED_UP)
_EVENTS: Final = Source("Amazon EventBridge user guide: EventBridge quotas", LOOKED_UP)
_QUEUE: Final = "AWS::SQS::Queue"
_SOURCE: Final = "AWS::Lambda::EventSourceMapping"
_RULE: Final = "AWS::Events::Rule"
_BOUNDS: Final = {
    "VisibilityTimeout": (0, 43_200),
    "MessageRetentionPeriod": (60, 1_209_600),
    "DelaySeconds": (0, 900),
    "ReceiveMessageWaitTimeSeconds": (0, 20),
    "MaximumMessageSize": (1_024, 1_048_576),
}
_RECEIVES: Final = (1, 1_000)
_CONCURRENCY: Final = (2, 1_000)
_PLAIN_BATCH, _MOST_IN_BATCH = 10, 10_000
_DEFAULT_VISIBILITY_S: Final = 30
_PATTERN: Final = 2_048
_MOST_TARGETS: Final = 5
_RULE_NAME: Final = re.compile(r"[.\-_A-Za-z0-9]{1,64}")
_REPEATED_WILDCARD: Final = re.compile(r"\*\*")
_MOST_WILDCARDS: Final = 3


def _bounds(template: Template) -> Iterator[str]:
    for name, queue in template.of_type(_QUEUE).items():
        for attribute, (least, most) in _BOUNDS.items():
            if attribute in queue and not least <= int(queue[attribute]) <= most:
                yield f"{name}: {attribute} {queue[attribute]}"
        receives = int(queue.get("RedrivePolicy", {}).get("maxReceiveCount", 1))
        if not _RECEIVES[0] <= receives <= _RECEIVES[1]:
            yield f"{name}: maxReceiveCount {receives}"


def _logical_id(value: Any) -> str:
    match value:
        case {"Ref": str(name)}:
            return name.partition(".")[0]
        case {"Fn::GetAtt": [str(name), _]}:
            return name
        case _:
            return str(value)


def _sources(template: Template) -> Iterator[tuple[str, Mapping[str, Any], str, str]]:
    """Yield each mapping of a queue, with the logical ids of function and queue."""
    queues = template.of_type(_QUEUE)
    for name, mapping in template.of_type(_SOURCE).items():
        queue = _logical_id(mapping.get("EventSourceArn"))
        if queue in queues:
            yield name, mapping, _logical_id(mapping.get("FunctionName")), queue
    for function, properties in template.functions.items():
        for event, source in properties.get("Events", {}).items():
            queue = _logical_id(source.get("Properties", {}).get("Queue"))
            if source["Type"] == "SQS" and queue in queues:
                yield f"{function}.{event}", source["Properties"], function, queue


def _visibility(template: Template) -> Iterator[str]:
    queues = template.of_type(_QUEUE)
    for name, _, function, queue in _sources(template):
        hidden = int(queues[queue].get("VisibilityTimeout", _DEFAULT_VISIBILITY_S))
        runs = int(template.functions.get(function, {}).get("Timeout", 3))
        if hidden < runs:
            yield f"{name}: {queue} hides a message for {hidden} s, {function} runs for up to {runs} s"


def _concurrency(template: Template) -> Iterator[str]:
    for name, mapping, _, _ in _sources(template):
        most = int(mapping.get("ScalingConfig", {}).get("MaximumConcurrency", _CONCURRENCY[0]))
        if not _CONCURRENCY[0] <= most <= _CONCURRENCY[1]:
            yield f"{name}: MaximumConcurrency {most}"


def _batches(template: Template) -> Iterator[str]:
    for name, mapping, _, _ in _sources(template):
        size = int(mapping.get("BatchSize", _PLAIN_BATCH))
        waits = int(mapping.get("MaximumBatchingWindowInSeconds", 0))
        if not 1 <= size <= _MOST_IN_BATCH or (size > _PLAIN_BATCH and waits < 1):
            yield f"{name}: BatchSize {size}, MaximumBatchingWindowInSeconds {waits}"


def _patterns(template: Template) -> Iterator[str]:
    patterns = ((name, rule.get("EventPattern", {})) for name, rule in template.of_type(_RULE).items())
    return above(_PATTERN, ((name, len(json.dumps(template.resolved(one)))) for name, one in patterns), "characters")


def _wildcards(template: Template) -> Iterator[str]:
    for name, rule in template.of_type(_RULE).items():
        for text in _wildcard_texts(template.resolved(rule.get("EventPattern", {}))):
            if _REPEATED_WILDCARD.search(text) or text.count("*") > _MOST_WILDCARDS:
                yield f"{name}: {text}"


def _wildcard_texts(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for one in node:
            yield from _wildcard_texts(one)
    if isinstance(node, dict):
        for member, value in node.items():
            if member == "wildcard":
                yield from value if isinstance(value, list) else [value]
            else:
                yield from _wildcard_texts(value)


def _targets(template: Template) -> Iterator[str]:
    rules = template.of_type(_RULE).items()
    return above(_MOST_TARGETS, ((name, len(rule.get("Targets", []))) for name, rule in rules), "targets")


def _rule_names(template: Template) -> Iterator[str]:
    for name, rule in template.of_type(_RULE).items():
        given = template.text(rule.get("Name", name))
        if not _RULE_NAME.fullmatch(given):
            yield f"{name}: {given}"


TEMPLATE_RULES: Final = (
    Rule(
        "queue-attributes",
        "An attribute of a queue is out of its bounds.",
        "visibility 0 to 43,200 s, retention 60 to 1,209,600 s, delay 0 to 900 s, wait 0 to 20 s, receives 1 to 1,000",
        _SQS,
        _bounds,
    ),
    Rule(
        "queue-visibility",
        "A queue hides a message for a shorter time than its function may run.",
        '"Queue visibility timeout is less than Function timeout" (InvalidParameterValueException)',
        _MAPPING,
        _visibility,
    ),
    Rule(
        "event-source-concurrency",
        "An event source may start too few or too many functions.",
        "MaximumConcurrency 2 to 1,000",
        _MAPPING,
        _concurrency,
    ),
    Rule(
        "event-source-batch",
        "A batch of a queue is too large, or larger than 10 without a window.",
        "BatchSize 1 to 10,000; above 10 MaximumBatchingWindowInSeconds is at least 1",
        _MAPPING,
        _batches,
    ),
    Rule(
        "event-pattern-size",
        "The pattern of a rule is too long.",
        "2,048 characters; an account may ask for 4,096",
        _EVENTS,
        _patterns,
    ),
    Rule(
        "event-pattern-wildcards",
        "A wildcard of a pattern is too complex.",
        '"consecutive wildcard characters are not supported"; "Rule is too complex"',
        Source("Amazon EventBridge user guide: Comparison operators for use in event patterns", LOOKED_UP),
        _wildcards,
        doubt="The guide gives no number of wildcards from which a rule is too complex; three is taken here.",
    ),
    Rule("event-targets", "A rule has too many targets.", "5 targets per rule", _EVENTS, _targets),
    Rule(
        "event-rule-name",
        "The name of a rule has other characters or is too long.",
        "1 to 64 characters [.-_A-Za-z0-9]",
        Source("botocore service model events, PutRule", LOOKED_UP),
        _rule_names,
    ),
)
