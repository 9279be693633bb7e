"""Reindexing of a stack's tenant with another model, in batches, because a call's time is limited."""

from collections.abc import Sequence

import pytest

from groundwire.entry.operator import reindex
from groundwire.ports import ModelId
from tests.support.aws.operator_stack import Stack
from tests.support.aws.tenant_content import fill


@pytest.fixture
def filled(stack: Stack, tenant: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tenant whose documents another model is deployed for."""
    fill(stack, tenant, documents=3)
    stack.models.default, stack.models.other = stack.models.other, stack.models.default
    return tenant


def test_a_run_that_pauses_states_how_far_it_is_and_is_continued(
    stack: Stack, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = stack.models.default.model.name
    monkeypatch.setattr(reindex, "MAX_RUN_SECONDS", -1.0)
    first = stack.done("reindex.run", tenant="acme", model=model)
    assert (first["state"], first["done"]) == ("running", 1)
    status = stack.done("reindex.status", tenant="acme")
    assert (status["answering"], status["begun"], status["done"], status["total"]) == ("hashed-words", model, 1, 3)
    monkeypatch.undo()


def test_the_new_model_answers_when_the_last_batch_is_done(
    stack: Stack, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = stack.models.default.model
    with monkeypatch.context() as patch:
        patch.setattr(reindex, "MAX_RUN_SECONDS", -1.0)
        paused = stack.done("reindex.run", tenant="acme", model=model.name)
    done = stack.done("reindex.run", tenant="acme", model=model.name, after=paused["after"])
    assert (done["state"], done["before"], done["model"]) == ("done", "hashed-words", model.name)
    assert (done["documents"], done["embedded"]) == (3, 2)
    assert stack.services.stores.indexes.for_tenant(filled).model == model


def test_a_batch_begins_after_the_last_document_of_the_one_before(
    stack: Stack, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, after, seen = stack.models.default.model.name, "", list[int]()
    read = type(stack.services.stores.documents).read

    def counted(self: object, tenant: str, doc_ids: Sequence[str]) -> object:
        seen.append(len(doc_ids))
        return read(self, tenant, doc_ids)  # pyright: ignore[reportArgumentType] - it is one

    monkeypatch.setattr(type(stack.services.stores.documents), "read", counted)
    monkeypatch.setattr(reindex, "MAX_RUN_SECONDS", -1.0)
    for _ in range(3):
        answer = stack.done("reindex.run", tenant="acme", model=model, after=after)
        assert (answer["state"], seen) == ("running", [1])
        after = answer["after"]
        seen.clear()
    assert stack.done("reindex.run", tenant="acme", model=model, after=after)["state"] == "done"
    assert seen == []
    assert stack.services.stores.indexes.for_tenant(filled).count_rows() == 3


def test_a_model_that_is_not_deployed_is_refused_by_naming_the_one_that_is(stack: Stack, filled: str) -> None:
    refused = stack.refused("reindex.run", tenant="acme", model="third")
    assert refused["code"] == "not_found"
    assert stack.models.default.model.name in refused["message"]


def test_a_change_that_was_started_can_be_abandoned(stack: Stack, filled: str) -> None:
    stack.services.stores.indexes.start_generation(filled, ModelId("third", 8))
    assert stack.done("reindex.abandon", tenant="acme")["abandoned"] is True
    assert stack.done("reindex.status", tenant="acme")["begun"] is None
