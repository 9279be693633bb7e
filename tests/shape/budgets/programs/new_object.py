"""Requests to AWS for a new object in the bucket: `python -m tests.shape.budgets.programs.new_object`.

Prints an object with their numbers by service. Tables, bucket and queue are emulated in this process.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from tests.support.aws import buckets
from tests.support.aws.ingestion_stack import deployed

_TURNS: Final = 3
_SERVICES: Final = ("dynamodb", "s3", "sqs")
_BY_THE_TEST: Final = frozenset({"ReceiveMessage", "DeleteMessage"})
"""Operations by which the test takes what the function has sent."""


def requests_of_a_new_object(folder: Path, patch: pytest.MonkeyPatch) -> Mapping[str, int]:
    """Return the requests of an object by service, after others: the first of a tenant also stores its collection."""
    with deployed(folder, patch) as stack:
        requests: Counter[str] = Counter()

        def count(model: Any, **_: object) -> None:
            requests[model.service_model.service_name] += model.name not in _BY_THE_TEST

        for client in (stack.services.stores._dynamodb, buckets.client(), stack.sqs):
            client.meta.events.register("before-call", count)
        counts: list[Mapping[str, int]] = []
        for number in range(_TURNS):
            event = stack.bucket.put(f"default/pump-{number}.md", f"The blue pump {number} moves 40 litres.")
            requests.clear()
            assert stack.deliver(event) == []
            stack.drain()
            counts.append({service: requests[service] for service in _SERVICES})
        assert len(stack.documents()) == _TURNS
        return min(counts, key=lambda each: sum(each.values()))


if __name__ == "__main__":
    with TemporaryDirectory(prefix="groundwire-budgets-") as made, pytest.MonkeyPatch.context() as patched:
        requests = requests_of_a_new_object(Path(made), patched)
    sys.stdout.write(json.dumps({"requests.new_object": requests}) + "\n")
