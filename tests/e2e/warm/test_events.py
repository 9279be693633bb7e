"""Each file in events/, again and again in one process, in another order every time: the answer stays the first one."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from groundwire import wiring
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, load_function
from tests.e2e.warm.answers import comparable
from tests.support.aws.template.routes import deployed_route

ROOT: Final = Path(__file__).parents[3]
TENANT: Final = "t_0123456789abcdef"
ANOTHER_PLACE: Final = frozenset({"api", "azure", "embedding", "ingestion", "local", "operator", "sources", "vertex"})
"""No call of /mcp: what the other functions get, and the variables of all of them."""
CALLS: Final = sorted({file.stem for file in (ROOT / "events").iterdir()} - ANOTHER_PLACE)


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, LambdaFunction]]:
    """By event, over a home with the events' tenant."""
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    wiring.reset()
    wiring.local_services().stores.tenants.add(Tenant(TENANT, "Acme", rate_per_minute=600, burst=60, created_at=0.0))
    route = deployed_route("ANY /mcp")
    assert route.authorizer is not None
    mcp, authorizer = load_function(route.function), load_function(route.authorizer)
    yield {name: authorizer if name == "authorizer" else mcp for name in CALLS}
    wiring.reset()


def test_warm_invocations_of_every_event_answer_as_the_first_did(functions: dict[str, LambdaFunction]) -> None:
    def invoke(name: str) -> dict[str, object]:
        event = json.loads((ROOT / "events" / f"{name}.json").read_text(encoding="utf-8"))
        answer: Any = functions[name].invoke(event)
        return comparable(answer)

    first = {name: invoke(name) for name in CALLS}
    order, random = CALLS * 2, Random(7)
    for _ in range(5):
        random.shuffle(order)
        assert [(name, invoke(name)) for name in order] == [(name, first[name]) for name in order]
    assert len({str(answer) for answer in first.values()}) >= 7
