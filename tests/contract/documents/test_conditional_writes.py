from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain import errors
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import (
    VERSION_TOKEN_FIELDS,
    Document,
    DocumentState,
    IndexSync,
    Ingestion,
    Refusal,
    RefusalCause,
)
from groundwire.ports import Documents
from tests.support.plugins.draws import examples
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, NOW, tenant

versions = st.integers(0, 2)
REFUSALS = {
    DocumentState.WAITING: Refusal(RefusalCause.PARSER_BUSY, "the parser is busy"),
    DocumentState.FAILED: Refusal(RefusalCause.PARSER_BROKEN, "the parser does not start"),
}
"""Refusal that each record in the state has."""
moments = st.sampled_from([0.0, NOW, NOW + 1 / 3])
TOKEN_FIELDS = {
    "version": versions,
    "policy_version": versions,
    "policy_overridden_at": moments,
    "ingestion": st.sampled_from(DocumentState).flatmap(
        lambda state: st.builds(Ingestion, st.just(state), st.just(REFUSALS.get(state)), versions)
    ),
    "sync": st.builds(IndexSync, st.booleans(), moments),
}


@st.composite
def documents(draw: st.DrawFn) -> Document:
    document = replace(
        DOCUMENT,
        doc_id=draw(st.sampled_from(["d-1", "d-2"])),
        title=draw(st.text(st.characters(codec="utf-8"), max_size=8)),
        **draw(st.fixed_dictionaries(TOKEN_FIELDS)),
    )
    # Only a manual policy has a time at which it was given.
    return replace(document, policy_source=PolicySource.MANUAL) if document.policy_overridden_at else document


def with_version_token_of(stored: Document, other: Document) -> Document:
    """Return `other` with the version token of `stored`."""
    values = [getattr(stored, name) for name in TOKEN_FIELDS]
    return replace(other, **dict(zip(TOKEN_FIELDS, values, strict=True)))


def without(document: Document, name: str, value: object) -> Document:
    return replace(document, **{name: value})  # pyright: ignore[reportArgumentType]


def test_every_field_of_the_version_token_is_drawn_here() -> None:
    assert {name.partition(".")[0] for name in VERSION_TOKEN_FIELDS} == set(TOKEN_FIELDS)


@settings(deadline=None, max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), attempts=st.lists(documents(), max_size=12))
def test_a_write_succeeds_exactly_when_the_stored_version_token_is_the_expected_one(
    shared_stores: Stores, data: st.DataObject, attempts: list[Document]
) -> None:
    stores, name = shared_stores, f"t-{uuid4().hex}"
    stores.tenants.add(tenant(name))
    model: dict[str, Document] = {}
    for document in attempts:
        stored = model.get(document.doc_id)
        known = document if stored is None else with_version_token_of(stored, document)
        one = data.draw(st.sampled_from(sorted(TOKEN_FIELDS)))
        other = without(known, one, data.draw(TOKEN_FIELDS[one]))
        expected = data.draw(st.sampled_from([None, known, known, other]))
        admissible = (
            stored is expected if stored is None or expected is None else stored.version_token == expected.version_token
        )
        if admissible:
            stores.documents.write(name, document, expected)
            model[document.doc_id] = document
        else:
            with pytest.raises(errors.Conflict):
                stores.documents.write(name, document, expected)
        assert stores.documents.read(name, ["d-1", "d-2"]) == model


AGAIN = replace(DOCUMENT, policy_source=PolicySource.MANUAL, policy_overridden_at=NOW)
LATER = replace(DOCUMENT, version=DOCUMENT.version + 1)
OTHER = replace(DOCUMENT, doc_id="d-2", source_path="/docs/other.pdf")
WRITES: dict[str, Callable[[Documents, str], None]] = {
    "alone": lambda documents, name: documents.write(name, LATER, DOCUMENT),
    "together": lambda documents, name: documents.write_all(name, [(LATER, DOCUMENT)]),
    "as a family": lambda documents, name: documents.write_attachment_tree(name, [(LATER, DOCUMENT)]),
    "held": lambda documents, name: documents.write_all(
        name, [(DOCUMENT, DOCUMENT), (replace(OTHER, version=9), OTHER)]
    ),
}


@pytest.mark.parametrize("step", WRITES)
def test_a_policy_that_was_set_manually_again_is_a_change_though_it_is_the_same(
    shared_stores: Stores, step: str
) -> None:
    documents, name = shared_stores.documents, f"t-{uuid4().hex}"
    shared_stores.tenants.add(tenant(name))
    documents.add_queued(name, [DOCUMENT, OTHER])
    documents.write(name, AGAIN, DOCUMENT)
    with pytest.raises(errors.Conflict):
        WRITES[step](documents, name)
    assert documents.read(name, ["d-1", "d-2"]) == {"d-1": AGAIN, "d-2": OTHER}
