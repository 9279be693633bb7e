"""A new file costs few requests to DynamoDB, whatever comes before it."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from tests.support.aws.ingestion_stack import Deployment

MOST = 14
"""Requests for a new file, its lock and its event included; three of them look for deletions by persons."""


@contextmanager
def counted(stack: Deployment) -> Generator[Counter[str]]:
    """The requests to DynamoDB within the block, by operation."""
    requests = Counter[str]()
    events = stack.services.stores._dynamodb.meta.events

    def count(model: Any, **_: object) -> None:
        requests[model.name] += 1

    events.register("before-call.dynamodb", count)
    try:
        yield requests
    finally:
        events.unregister("before-call.dynamodb", count)


def test_a_new_file_costs_at_most_so_many_requests(stack: Deployment) -> None:
    assert stack.deliver(stack.bucket.put("handbook/first.txt", "Thirty days.")) == []
    with counted(stack) as requests:
        assert stack.deliver(stack.bucket.put("handbook/second.txt", "Forty days.")) == []
    assert stack.document("second.txt").version == 1
    assert sum(requests.values()) <= MOST, requests


def test_a_new_version_costs_hardly_more(stack: Deployment) -> None:
    assert stack.deliver(stack.bucket.put("handbook/first.txt", "Thirty days.")) == []
    with counted(stack) as requests:
        assert stack.deliver(stack.bucket.put("handbook/first.txt", "Forty days.")) == []
    assert stack.document("first.txt").version == 2
    assert sum(requests.values()) <= MOST + 6, requests
