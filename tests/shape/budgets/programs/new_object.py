"""Requests to DynamoDB for a new object in the bucket: `python -m tests.shape.budgets.programs.new_object`.

Prints an object with their number. Table and bucket are emulated in this process.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from tests.support.aws.ingestion_stack import deployed

_TURNS: Final = 3


def requests_of_a_new_object(folder: Path, patch: pytest.MonkeyPatch) -> int:
    """Return the requests of an object after others: the first of a tenant also stores its collection."""
    with deployed(folder, patch) as stack:
        counts: list[int] = []
        operations: Counter[str] = Counter()

        def count(model: Any, **_: object) -> None:
            operations[model.name] += 1

        stack.services.stores._dynamodb.meta.events.register("before-call.dynamodb", count)
        for number in range(_TURNS):
            operations.clear()
            event = stack.bucket.put(f"default/pump-{number}.md", f"The blue pump {number} moves 40 litres.")
            assert stack.deliver(event) == []
            stack.drain()
            counts.append(operations.total())
        assert len(stack.documents()) == _TURNS
        return min(counts)


if __name__ == "__main__":
    with TemporaryDirectory(prefix="groundwire-budgets-") as made, pytest.MonkeyPatch.context() as patched:
        requests = requests_of_a_new_object(Path(made), patched)
    sys.stdout.write(json.dumps({"requests.new_object": {"dynamodb": requests}}) + "\n")
