"""Filters of a search: decided on the records of what the caller may read, and on nothing else."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.access.policy import Policy, Principal, single_policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.indexed_fields import FILE_PATH_FIELD, file_path, searchable_fields
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import (
    AllOf,
    AnyOf,
    Compare,
    Exists,
    Filter,
    Not,
    Operator,
    TextMatch,
    matches,
)
from groundwire.domain.filters.field_types import FieldType, FieldTypes
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.ports import DocumentVersion, SegmentInput
from groundwire.services.collections.readable_fields import ReadableFields
from groundwire.services.ingest.request import IngestRequest
from tests.server.services.search_requests import requested
from tests.support.documents.filters.trees import any_document, any_tree
from tests.support.isolation.policies import PUBLIC
from tests.support.registry.key_options import with_options
from tests.support.worlds.world import World, caller

CLOSED = Policy(public=False, users=frozenset(), any_tags=frozenset({"board"}), all_tags=frozenset())
EVERYTHING = 60
DOCUMENTS = 30


def ingest(world: World, tenant: str, doc_id: str, policy: Policy, metadata: Mapping[str, object]) -> None:
    content = f"The ledger of the pump, number {doc_id}{doc_id[::-1]}.".encode()
    request = IngestRequest(
        tenant,
        "default",
        f"/nowhere/{doc_id}.txt",
        f"{doc_id}.txt",
        lambda: content,
        DeclaredPolicy(policy, None),
        doc_id,
        None,
    )
    request = replace(request, metadata=metadata)
    [_] = world.services.ingestion.batch(tenant, "default", [request], lambda _done, _total: None)


@pytest.fixture
def tenant(world: World) -> str:
    """Documents with every kind of metadata; every third one is hidden from the caller."""
    made, random = world.tenant("amber"), Random(5)
    for number in range(DOCUMENTS):
        held = {name: value for name, value in any_document(random).items() if not name.startswith("/")}
        ingest(world, made, f"d{number:02}", PUBLIC if number % 3 else CLOSED, held)
    return made


def reader(tenant: str, *tags: str) -> Caller:
    principal = Principal(tenant, None, frozenset(tags))
    made = Caller(principal, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)
    return with_options(made, floor=0.0)


def found(world: World, who: Caller, where: Filter | None, top_n: int = EVERYTHING) -> set[str]:
    result = world.services.reading.search(*requested(who, ["ledger pump"], top_n, where))
    return {each.document.doc_id for passage in result.passages for each in (passage, *passage.also_in)}


def test_random_trees_find_what_memory_finds_among_what_the_caller_may_read(world: World, tenant: str) -> None:
    random, documents = Random(8), world.services.stores.documents
    for tags in ((), ("board",)):
        who = reader(tenant, *tags)
        open_ids = found(world, who, None)
        assert len(open_ids) == (DOCUMENTS if tags else DOCUMENTS * 2 // 3)
        records = documents.read(tenant, sorted(open_ids))
        for _ in range(150):
            where = any_tree(random)
            expected = {each.doc_id for each in records.values() if matches(where, searchable_fields(each))}
            assert found(world, who, where) == expected, where


def test_trees_over_the_path_find_what_memory_finds(world: World, tenant: str) -> None:
    random, documents = Random(9), world.services.stores.documents
    for number, path in enumerate(("host:/a/p0.txt", "p1.txt", "b/other.pdf", "2024", "")):
        ingest(world, tenant, f"p{number}", PUBLIC, {"file_path": path, "year": float(number)})
    who = reader(tenant)
    records = documents.read(tenant, sorted(found(world, who, None)))
    paths = [file_path(each) for each in records.values()]
    for _ in range(100):
        leaf = Compare(FILE_PATH_FIELD, random.choice(list(Operator)[:2]), random.choice(paths), Language.MILVUS)
        tree = any_tree(random, fields=(FILE_PATH_FIELD, "year"))
        for where in (leaf, Not(leaf), random.choice((AllOf, AnyOf))((leaf, tree))):
            expected = {each.doc_id for each in records.values() if matches(where, searchable_fields(each))}
            assert found(world, who, where) == expected, where


@pytest.mark.parametrize("language", list(Language))
def test_no_hidden_document_passes_a_filter_that_is_always_true(world: World, tenant: str, language: Language) -> None:
    who, absent = reader(tenant), Compare("absent", Operator.EQ, 1, language)
    open_ids = found(world, who, None)
    closed = {"d00", "d03", "d06"}
    assert not open_ids & closed
    for where in (
        AllOf(()),
        AnyOf((AllOf(()), absent)),
        Not(AnyOf(())),
        Not(Exists("absent")),
        AnyOf((Exists("year"), Not(Exists("year")))),
        AnyOf((Compare("/title", Operator.EQ, "d00", language), AllOf(()))),
    ):
        assert found(world, who, where) == open_ids
    for where in (
        Compare("/title", Operator.EQ, "d00", language),
        TextMatch("/source_file_name", ("d0", ""), language),
    ):
        assert not found(world, who, where) & closed


@pytest.mark.parametrize(
    "text", ["()", "() or year = 1", "not (year = -7)", "absent != 1", "year not in (1, 2)", "not (() and absent = 1)"]
)
def test_no_filter_of_a_tool_reveals_hidden_documents(world: World, tenant: str, text: str) -> None:
    key = world.acting_key(tenant, floor=0.0)

    def answered(tags: frozenset[str]) -> set[str]:
        arguments = {"search_phrases": ["ledger pump"], "filter": text, "top_n": 20}
        answer = world.tool(caller(key, "ann", tags), "rag_search", **arguments)
        return {each["raw_text"] for each in answer.result["structuredContent"]["segments"]}

    assert answered(frozenset({"board"}))
    for number in range(0, DOCUMENTS, 3):
        assert not any(f"d{number:02}" in each for each in answered(frozenset()))


@pytest.mark.parametrize(
    "text",
    [
        *("true", "not false", "absent ne 1", "absent eq null", "not absent", "not (absent gt 2015-01-01)"),
        *("absent/all(a: a ne 'x')", "not absent/any()", "not search.in(absent, 'a,b')", "year eq 1 or true"),
        *("year eq null or year ne null", "not (year lt -1e308)", "tags/any() or not tags/any()"),
        *("title ne 'd01'", "source_file_name ne null", "page ne 99", "not search.in(title, 'x')", "language ne 'x'"),
    ],
)
def test_no_filter_of_odata_reveals_hidden_documents(world: World, tenant: str, text: str) -> None:
    services = world.services
    fields = ReadableFields(services.stores.indexes, services.stores.documents)
    for tags in ((), ("board",)):
        who = reader(tenant, *tags)
        open_ids = found(world, who, None)
        assert len(open_ids) == (DOCUMENTS if tags else DOCUMENTS * 2 // 3)
        where = parse_odata(text, fields(who, ["default"]), {"absent"})
        records = services.stores.documents.read(tenant, sorted(open_ids))
        passing = {each.doc_id for each in records.values() if matches(where, searchable_fields(each))}
        assert found(world, who, where) == passing, text
        assert passing >= open_ids - {"d01"}


def test_a_name_or_a_type_of_hidden_documents_alone_answers_as_an_unknown_one(world: World, tenant: str) -> None:
    ingest(world, tenant, "secret", CLOSED, {"code": "x", "plan": 1.0})
    ingest(world, tenant, "open", PUBLIC, {"code": 5.0})
    services = world.services
    fields = ReadableFields(services.stores.indexes, services.stores.documents)
    for text in ("code eq 'x'", "plan eq 1"):
        errors = [
            _refusal(text, fields(reader(tenant), ["default"])),
            _refusal(text, {"code": frozenset({FieldType.NUMBER})}),
        ]
        assert errors[0] == errors[1]
    assert found(
        world, reader(tenant, "board"), parse_odata("code eq 'x'", fields(reader(tenant, "board"), ["default"]))
    )


def _refusal(text: str, known: FieldTypes) -> str:
    with pytest.raises(InvalidInput) as refused:
        parse_odata(text, known)
    return str(refused.value)


def test_the_record_decides_where_the_index_has_other_metadata(world: World, tenant: str) -> None:
    services = world.services
    index, [record] = (
        services.stores.indexes.for_tenant(tenant),
        services.stores.documents.read(tenant, ["d01"]).values(),
    )
    version = DocumentVersion("d01", record.version)
    vectors, segments = index.vectors("d01"), index.segments(version)
    rows = [SegmentInput(each, vectors[each.uid].passage, vectors[each.uid].windows) for each in segments]
    index.put(version, single_policy(record.policy), rows, {"only-in-the-index": 1.0})
    assert found(world, reader(tenant), Compare("only-in-the-index", Operator.EQ, 1)) == set()
    assert "d01" in found(world, reader(tenant), None)


def test_a_filter_that_the_index_cannot_decide_reads_all_candidates_that_can_be_checked(
    world: World, tenant: str
) -> None:
    who = reader(tenant, "board")
    search = world.services.reading.search
    last = TextMatch("/source_file_name", ("", "17", ""), Language.CEL)
    assert found(world, who, last, top_n=1) == {"d17"}
    counts = [len(search.traced(*requested(who, ["ledger pump"], 1, where)).fused) for where in (None, AllOf(()))]
    assert counts[0] == counts[1] < DOCUMENTS
    page = Not(Compare("/page", Operator.EQ, 9, Language.ODATA))
    assert len(search.traced(*requested(who, ["ledger pump"], 1, page)).fused) == DOCUMENTS


def test_a_filter_of_too_many_levels_is_refused(world: World, tenant: str) -> None:
    where: Filter = AllOf(())
    for _ in range(64):
        where = Not(where)
    with pytest.raises(InvalidInput, match="at most 64"):
        found(world, reader(tenant), where)


def test_titles_and_names_are_those_of_the_record(world: World, tenant: str) -> None:
    who = reader(tenant)
    title = Path(next(iter(world.services.stores.documents.read(tenant, ["d05"]).values())).source_file_name).stem
    assert found(world, who, Compare("/title", Operator.EQ, title)) == {"d05"}
    assert found(world, who, Compare("title", Operator.EQ, title)) == set()
