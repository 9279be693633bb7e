from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.domain import errors
from groundwire.domain.documents import Document, DocumentState
from tests.contract.places import Stores
from tests.contract.races import race
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


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(attempts=st.lists(writes(), max_size=12))
def test_a_write_succeeds_exactly_when_the_stored_versions_are_those_expected(
    stores: Stores, attempts: list[tuple[Document, Document | None]]
) -> None:
    stores.tenants.delete("t-acme")
    stores.tenants.add(tenant("t-acme"))
    model: dict[str, Document] = {}
    for document, expected in attempts:
        if admissible(model.get(document.doc_id), expected):
            stores.documents.write("t-acme", document, expected)
            model[document.doc_id] = document
        else:
            with pytest.raises(errors.Conflict):
                stores.documents.write("t-acme", document, expected)
        assert stores.documents.read("t-acme", ["d-1", "d-2"]) == model


def test_of_racing_writers_of_one_version_exactly_one_succeeds(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.documents.write("t-acme", DOCUMENT, expected=None)

    def write(number: int) -> str | None:
        title = f"by writer {number}"
        try:
            stores.documents.write("t-acme", replace(DOCUMENT, version=2, title=title), expected=DOCUMENT)
        except errors.Conflict:
            return None
        return title

    (winner,) = [title for title in race(12, write) if title is not None]
    assert stores.documents.read("t-acme", ["d-1"])["d-1"].title == winner


def test_no_policy_change_is_lost_among_racing_writers_that_retry(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.documents.write("t-acme", DOCUMENT, expected=None)

    def grant(number: int) -> None:
        while True:
            current = stores.documents.read("t-acme", ["d-1"])["d-1"]
            policy = replace(current.policy, users=current.policy.users | {f"user {number}"})
            changed = replace(current, policy=policy, policy_version=current.policy_version + 1)
            try:
                stores.documents.write("t-acme", changed, expected=current)
            except errors.Conflict:
                continue
            return

    race(8, grant)
    final = stores.documents.read("t-acme", ["d-1"])["d-1"]
    assert final.policy.users == DOCUMENT.policy.users | {f"user {number}" for number in range(8)}
    assert final.policy_version == DOCUMENT.policy_version + 8
