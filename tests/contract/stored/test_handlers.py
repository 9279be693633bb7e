"""Functions of a deployment carry out the messages that a release left in their queues."""

import json
from pathlib import Path

import pytest

from groundwire.domain.documents.record import DocumentState
from tests.contract.stored.conftest import FIRST
from tests.contract.stored.reading.fixture import Fixture
from tests.support.aws.ingestion_stack import deployed
from tests.support.aws.operator_stack import opened_stack


def test_the_ingestion_function_carries_out_stored_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = Fixture(FIRST, FIRST).json("messages")
    with deployed(tmp_path, monkeypatch) as deployment:
        deployment.bucket.put("handbook/pumps.md", "# Pumps\n\nThe blue pump.\n")
        deployment.bucket.put("handbook/.policy.yaml", "public: true\n")
        for body in (*messages["events"].values(), *messages["ingestion"].values()):
            assert deployment.deliver(json.loads(body)) == []
        deployment.drain()
        document = deployment.document("pumps.md")
    assert (document.state, document.policy.public) == (DocumentState.INDEXED, True)


def test_the_operator_function_carries_out_a_stored_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = Fixture(FIRST, FIRST).json("messages")["operator_queue"]
    with opened_stack(tmp_path, monkeypatch) as stack:
        assert stack.invoke({"Records": [{"body": body}]}) == {"ok": True}
        assert stack.audit_lines()[-1]["outcome"] == "done"
