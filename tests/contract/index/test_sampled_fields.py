"""Fields of documents: their names and types for a caller, and the documents whose rows have an earlier form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from groundwire.domain.access.policy import Principal
from groundwire.domain.documents.indexed_fields import ROWS_FIELD, ROWS_FORM
from groundwire.domain.documents.metadata import metadata_from_mapping
from groundwire.domain.errors import Forbidden
from groundwire.domain.filters.field_types import FieldType
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import DocumentsByField, Index, RowSelection, WakeableIndexes
from tests.contract.index.adapters import EVERY_SERVICE
from tests.support.documents.index_documents import ANYONE, MODEL, PUBLIC, for_tags, put, someone

CURRENT = {ROWS_FIELD: ROWS_FORM}


def fields(
    index: Index, principal: Principal, collections: Sequence[str], most: int
) -> Mapping[str, Mapping[FieldType, Sequence[str]]]:
    return index.select(DocumentsByField(RowSelection(principal, collections, ALL_DOCUMENTS, None), most))


def test_fields_have_the_types_of_what_the_caller_may_read(index: Index) -> None:
    first = metadata_from_mapping({"year": 2024, "tags": ["a"], "due": "2024-05-31", "marks": [1], "none": []})
    put(index, "a", ["one", "two"], metadata={**first, "/title": "a", **CURRENT})
    put(index, "b", ["one"], metadata={"year": "soon", "draft": True, **CURRENT})
    put(index, "c", ["one"], for_tags("hr"), metadata={"salary": 5.0, "year": True, **CURRENT})
    put(index, "d", ["one"], collection="vault", metadata={"secret": 5.0, **CURRENT})
    open_fields = {
        "year": {FieldType.NUMBER: ["a"], FieldType.TEXT: ["b"]},
        "tags": {FieldType.TEXTS: ["a"]},
        "due": {FieldType.DATE: ["a"]},
        "marks": {FieldType.NUMBERS: ["a"]},
        "none": {FieldType.EMPTY_LIST: ["a"]},
        "draft": {FieldType.BOOLEAN: ["b"]},
    }
    assert fields(index, ANYONE, ["handbook"], 5) == open_fields
    more = fields(index, someone("hr"), ["handbook", "vault"], 5)
    assert more["salary"] == {FieldType.NUMBER: ["c"]}
    assert more["secret"] == {FieldType.NUMBER: ["d"]}
    assert more["year"][FieldType.BOOLEAN] == ["c"]


def test_a_field_is_sampled_by_few_documents(index: Index) -> None:
    for number in range(6):
        put(index, f"d{number}", ["one"], metadata={"n": float(number), **CURRENT})
    [sampled] = fields(index, ANYONE, ["handbook"], 3)["n"].values()
    assert len({*sampled}) == 3
    assert fields(index, ANYONE, [], 3) == {}


def test_fields_of_another_tenant_are_refused(index: Index) -> None:
    with pytest.raises(Forbidden):
        index.select(
            DocumentsByField(RowSelection(replace(ANYONE, tenant="other"), ["handbook"], ALL_DOCUMENTS, None), 3)
        )


@EVERY_SERVICE
def test_documents_with_rows_of_an_earlier_form_are_listed_in_order(index: Index) -> None:
    assert index.outdated_documents("", 5) == []
    for doc_id in ("a", "b", "c", "d"):
        put(index, doc_id, ["one", "two"], metadata={"n": '"/rows":2.0', **({} if doc_id != "b" else CURRENT)})
    assert list(index.outdated_documents("", 5)) == ["a", "c", "d"]
    assert list(index.outdated_documents("a", 1)) == ["c"]
    put(index, "c", ["one", "two"], PUBLIC, metadata=CURRENT)
    assert list(index.outdated_documents("", 5)) == ["a", "d"]


@EVERY_SERVICE
def test_tenants_with_rows_of_an_earlier_form_are_listed_unless_that_would_wake_the_engine(
    indexes: WakeableIndexes, request: pytest.FixtureRequest
) -> None:
    assert list(indexes.outdated_tenants(may_wake=True)) == []
    tenants = ("t-a", "t-a-1", "t-b", "t-current")
    for tenant in tenants:
        put(indexes.for_tenant(tenant), "d", ["one", "two"], metadata=CURRENT if tenant == "t-current" else {})
    # What another generation holds is no matter of the live one.
    put(indexes.start_generation("t-current", MODEL), "d", ["one"])
    assert list(indexes.outdated_tenants(may_wake=True)) == ["t-a", "t-a-1", "t-b"]
    sleeps = request.node.callspec.params["indexes"].startswith("serverless-nextgen")
    assert list(indexes.outdated_tenants(may_wake=False)) == ([] if sleeps else ["t-a", "t-a-1", "t-b"])
    put(indexes.for_tenant("t-b"), "d", ["one", "two"], metadata=CURRENT)
    indexes.drop("t-a")
    assert list(indexes.outdated_tenants(may_wake=True)) == ["t-a-1"]
