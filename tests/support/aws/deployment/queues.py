"""Queues and what they feed as CloudFormation would have made them: the emulator leaves two numbers texts, and then
compares them with numbers."""

import json
from collections.abc import Iterable

from tests.support.engines.ministack import Account

_REDRIVE = "RedrivePolicy"


def put_right(account: Account, queues: Iterable[str]) -> None:
    """How often a message may be received, and how many functions a queue may keep busy, are numbers."""
    for queue in queues:
        _count_receives(account, queue)
    functions = account.functions
    for mapping in functions.list_event_source_mappings()["EventSourceMappings"]:
        most = mapping.get("ScalingConfig", {}).get("MaximumConcurrency")
        if most is not None:
            functions.update_event_source_mapping(
                UUID=mapping.get("UUID", ""), ScalingConfig={"MaximumConcurrency": int(most)}
            )


def _count_receives(account: Account, queue: str) -> None:
    attributes = account.sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=[_REDRIVE]).get("Attributes", {})
    if _REDRIVE in attributes:
        policy = json.loads(attributes[_REDRIVE])
        counted = {**policy, "maxReceiveCount": int(policy["maxReceiveCount"])}
        account.sqs.set_queue_attributes(QueueUrl=queue, Attributes={_REDRIVE: json.dumps(counted)})
