"""Searches by path or by parent return the current records, whatever was written before."""

from dataclasses import replace
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState, Ingestion
from tests.support.plugins.draws import examples
from tests.support.registry.backends import Stores
from tests.support.registry.records import DOCUMENT, NOW, tenant

IDS = ("d-0", "d-1", "d-2", "d-3")
COLLECTIONS = ("handbook", "prices")
PATHS = ("/a", "/b")
PARENTS = (None, "d-0", "d-1")


@st.composite
def documents(draw: st.DrawFn) -> Document:
    return replace(
        DOCUMENT,
        doc_id=draw(st.sampled_from(IDS)),
        collection=draw(st.sampled_from(COLLECTIONS)),
        source_path=draw(st.sampled_from((None, *PATHS))),
        parent=draw(st.sampled_from(PARENTS)),
        ingestion=Ingestion(
            draw(st.sampled_from((DocumentState.INDEXED, DocumentState.PARSING, DocumentState.DELETED)))
        ),
        version=draw(st.sampled_from((0, 1))),
        created_at=NOW + draw(st.integers(0, 3)),
        updated_at=NOW + draw(st.integers(0, 3)),
    )


def change(stores: Stores, owner: str, model: dict[str, Document], step: Document | str) -> None:
    """Write a record with an expected record of another place, or remove the index entry of a document id."""
    if isinstance(step, str):
        stores.documents.delete_unindexed(owner, model.get(step, replace(DOCUMENT, doc_id=step)))
        if step in model and model[step].version == 0 and model[step].state not in TOMBSTONE_STATES:
            del model[step]
        return
    stored = model.get(step.doc_id)
    expected = stored and replace(stored, source_path="/elsewhere", collection="elsewhere", parent="d-9")
    stores.documents.write(owner, step, expected)
    model[step.doc_id] = step


@settings(deadline=None, max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(documents() | st.sampled_from(IDS), max_size=10))
def test_documents_are_found_where_their_records_say_they_are(
    shared_stores: Stores, steps: list[Document | str]
) -> None:
    owner, model = f"t-{uuid4().hex}", dict[str, Document]()
    shared_stores.tenants.add(tenant(owner))
    for step in steps:
        change(shared_stores, owner, model, step)
    living = [each for each in model.values() if each.state not in TOMBSTONE_STATES]
    for place in {(each.collection, each.source_path, each.parent) for each in model.values()}:
        collection, path, parent = place
        if path is not None:
            at_place = [each for each in living if (each.collection, each.source_path, each.parent) == place]
            latest = min(at_place, key=lambda each: (-each.updated_at, each.doc_id), default=None)
            assert shared_stores.documents.from_source(owner, collection, path, parent).living == latest
    for parent in IDS:
        carried = sorted(
            (each for each in living if each.parent == parent), key=lambda each: (each.created_at, each.doc_id)
        )
        assert shared_stores.documents.children(owner, parent) == carried
    assert shared_stores.documents.all(owner, None) == sorted(living, key=lambda each: each.doc_id)
