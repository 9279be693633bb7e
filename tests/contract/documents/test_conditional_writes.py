from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain import errors
from groundwire.domain.documents import Document, DocumentState
from tests.contract.places import Stores
from tests.contract.records import DOCUMENT, tenant

versions = st.integers(0, 2)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    return replace(
        DOCUMENT,
        doc_id=draw(st.sampled_from(["d-1", "d-2"])),
        version=draw(versions),
        policy_version=draw(versions),
        title=draw(st.text(st.characters(codec="utf-8"), max_size=8)),
        state=draw(st.sampled_from(DocumentState)),
    )


@st.composite
def writes(draw: st.DrawFn) -> tuple[Document, Document | None]:
    document = draw(documents())
    expected = replace(document, version=draw(versions), policy_version=draw(versions))
    return document, draw(st.sampled_from([None, expected, expected]))


def admissible(stored: Document | None, expected: Document | None) -> bool:
    if stored is None or expected is None:
        return stored is expected
    return (stored.version, stored.policy_version) == (expected.version, expected.policy_version)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(attempts=st.lists(writes(), max_size=12))
def test_a_write_succeeds_exactly_when_the_stored_versions_are_those_expected(
    shared_stores: Stores, attempts: list[tuple[Document, Document | None]]
) -> None:
    stores, name = shared_stores, f"t-{uuid4().hex}"
    stores.tenants.add(tenant(name))
    model: dict[str, Document] = {}
    for document, expected in attempts:
        if admissible(model.get(document.doc_id), expected):
            stores.documents.write(name, document, expected)
            model[document.doc_id] = document
        else:
            with pytest.raises(errors.Conflict):
                stores.documents.write(name, document, expected)
        assert stores.documents.read(name, ["d-1", "d-2"]) == model
