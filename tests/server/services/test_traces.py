"""A call is found in the audit log by its trace: the caller's own, and that of the Lambda service."""

import json

import pytest

from tests.support.worlds.world import World, caller

XRAY = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"
OPEN = f"00-{'a' * 32}-{'b' * 16}-01"


def traces(world: World, tenant: str, *, traceparent: str | None) -> tuple[object, object]:
    meta = {} if traceparent is None else {"_meta": {"traceparent": traceparent}}
    params = {"name": "rag_search", "arguments": {"search_phrases": ["pump"]}, **meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = caller(world.acting_key(tenant))
    world.post(json.dumps(message).encode(), headers)
    (line,) = world.services.stores.audit.read(1)
    return line.get("trace"), line.get("xray")


def test_in_the_cloud_by_both(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_X_AMZN_TRACE_ID", XRAY)
    assert traces(world, tenant, traceparent=OPEN) == (OPEN, XRAY)
    assert traces(world, tenant, traceparent=None) == (XRAY, None)


def test_on_one_machine_by_the_callers(world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("_X_AMZN_TRACE_ID", raising=False)
    assert traces(world, tenant, traceparent=OPEN) == (OPEN, None)
    assert traces(world, tenant, traceparent=None) == (None, None)
