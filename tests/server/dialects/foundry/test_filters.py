"""Milvus expressions only take away, and never meet a document that the caller may not read."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_LEVELS
from groundwire.services.ingest.request import IngestRequest
from tests.server.dialects.foundry.edge import SEARCHES, Edge, edge
from tests.support.documents.filters.milvus_cases import any_filter, any_row, text_of
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.world import World

TEXT_SEARCHES = SEARCHES[:3]
WIDENING = (
    "1 == 1 or year == 1",
    "1 == 1",
    "secret is null",
    "secret is not null",
    "not (year == 1)",
    "year != 1",
    "year not in [1]",
    "not exists secret",
    "exists secret",
    'secret != "x"',
    'not (secret == "x")',
    'file_path like "%"',
    'not (file_path like "x%")',
    'file_path == "safe.txt"',
    "secret == secret or 1 == 1",
    'json_contains(metadata["secret"], "x") or not (json_contains(metadata["secret"], "x"))',
)


def describe(world: World, tenant: str, name: str, metadata: Mapping[str, Any], readers: Policy = PUBLIC) -> None:
    """Ingest a document about valves with this metadata."""
    text = f"Valve {name} of the works.".encode()
    request = IngestRequest(
        tenant,
        "valves",
        f"/nowhere/{name}",
        name,
        lambda: text,
        DeclaredPolicy(readers, None),
        None,
        None,
        metadata=metadata,
    )
    list(world.services.ingestion.batch(tenant, "valves", [request], lambda _done, _total: None))


@pytest.fixture
def valves(world: World, tenant: str) -> Edge:
    """A client that can read three of the four documents about valves."""
    describe(world, tenant, "a guide.txt", {"year": 2024.0, "dept": "sales"})
    describe(world, tenant, "b_100%.txt", {"year": 2023.0, "tags": ("x", "y")})
    describe(world, tenant, "straße.txt", {})
    describe(world, tenant, "closed.txt", {"year": 2024.0, "secret": "x", "dept": "board"}, for_users("ana"))
    return edge(world, world.personal_key(tenant, "ben", frozenset()))


def paths(client: Edge, filters: str | None, tool: str = "search_hybrid") -> set[str]:
    """Return the paths of what passes the filter."""
    results = client.results(
        tool, query="valve of the works", collection_names=["valves"], strictness=0, top_n=50, filters=filters
    )
    return {each["file_path"] for each in results}


ALL = {"a guide.txt", "b_100%.txt", "straße.txt"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (None, ALL),
        ("", ALL),
        ("  \n", ALL),
        ("year == 2024", {"a guide.txt"}),
        ("year != 2024", {"b_100%.txt"}),
        ("2022 < year <= 2023", {"b_100%.txt"}),
        ('metadata["dept"] == "sales"', {"a guide.txt"}),
        ('json_contains(metadata["tags"], "x")', {"b_100%.txt"}),
        ('metadata["tags"] == "x"', set()),
        ("year is null", {"straße.txt"}),
        ('file_path like "%guide%"', {"a guide.txt"}),
        (r'file_path like "b\\_100\\%.txt"', {"b_100%.txt"}),
        ('file_path like "stra_e.txt"', {"straße.txt"}),
        ("page == 1", ALL),
        ("page == 2", set()),
        ("unknown_field == 1", set()),
        ("unknown_field != 1", set()),
    ],
)
@pytest.mark.parametrize("tool", TEXT_SEARCHES)
def test_an_expression_passes_what_milvus_would(valves: Edge, tool: str, filters: str, expected: set[str]) -> None:
    assert paths(valves, filters, tool) == expected


@pytest.mark.parametrize("tool", TEXT_SEARCHES)
def test_a_path_of_an_answer_filters_for_its_document(valves: Edge, tool: str) -> None:
    for path in paths(valves, None, tool):
        assert paths(valves, f'file_path == "{path}"', tool) == {path}
        assert paths(valves, f'file_path in ["{path}"]', tool) == {path}


def test_a_path_of_the_metadata_filters_for_its_document(world: World, tenant: str, valves: Edge) -> None:
    describe(world, tenant, "moved.txt", {"file_path": "host:/exports/moved.txt"})
    assert "host:/exports/moved.txt" in paths(valves, None)
    assert paths(valves, 'file_path == "host:/exports/moved.txt"') == {"host:/exports/moved.txt"}


@pytest.mark.parametrize("tool", TEXT_SEARCHES)
def test_every_path_of_a_mixed_collection_filters_for_its_document(
    world: World, tenant: str, valves: Edge, tool: str
) -> None:
    describe(world, tenant, "moved.txt", {"file_path": "/exports/moved.txt"})
    describe(world, tenant, "other.txt", {"file_path": "/exports/other.pdf"})
    shown = paths(valves, None, tool)
    assert shown == {*ALL, "/exports/moved.txt", "other.txt"}
    for path in shown:
        assert paths(valves, f'file_path == "{path}"', tool) == {path}
        assert paths(valves, f'not (file_path != "{path}")', tool) == {path}
        assert paths(valves, f'file_path != "{path}"', tool) == shown - {path}
    assert paths(valves, 'file_path like "/exports/%"', tool) == {"/exports/moved.txt"}
    assert paths(valves, 'metadata["file_path"] like "/exports/%"', tool) == {"/exports/moved.txt", "other.txt"}
    assert paths(valves, "exists file_path", tool) == shown


def test_a_filter_holds_for_every_collection_and_for_the_default_name(valves: Edge) -> None:
    answer = valves.found(
        "search_hybrid",
        query="reset valve",
        collection_names=["valves", "guides", "edgeragapp"],
        strictness=0,
        filters='file_path like "%guide%"',
    )
    found = {name: {each["file_path"] for each in entry["results"]} for name, entry in answer.items()}
    assert found == {"valves": {"a guide.txt"}, "guides": set(), "edgeragapp": {"a guide.txt"}}


@pytest.mark.parametrize("filters", WIDENING)
@pytest.mark.parametrize("tool", TEXT_SEARCHES)
def test_no_expression_reveals_a_hidden_document(valves: Edge, tool: str, filters: str) -> None:
    answer = valves.call(tool, query="valve", collection_names=["valves", "edgeragapp"], strictness=0, filters=filters)
    assert b"closed.txt" not in answer.bytes
    assert b"board" not in answer.bytes


def test_an_answer_does_not_change_where_a_hidden_document_comes_and_goes(
    world: World, tenant: str, valves: Edge
) -> None:
    def answers() -> list[bytes]:
        arguments = {"query": "valve", "collection_names": ["valves", "edgeragapp"], "strictness": 0}
        calls = [(tool, each) for tool in TEXT_SEARCHES for each in WIDENING]
        return [valves.call(tool, **arguments, filters=filters).response.body for tool, filters in calls]

    [closed] = [each for each in world.services.stores.documents.all(tenant, "valves") if not each.policy.public]
    before = answers()
    world.services.administration.document_admin.delete(tenant, closed.doc_id)
    assert answers() == before


def test_random_expressions_only_take_away(world: World, tenant: str) -> None:
    random = Random(7)
    readers = [PUBLIC, for_users("ana"), for_users("ben")]
    for number in range(24):
        describe(world, tenant, f"valve{number}.txt", any_row(random), readers[number % 3])
    ben = edge(world, world.personal_key(tenant, "ben", frozenset()))
    everything = paths(ben, None)
    assert everything == {f"valve{number}.txt" for number in range(24) if number % 3 != 1}
    sizes = set[int]()
    for _ in range(300):
        expression = text_of(any_filter(random), random)
        answer = ben.call(
            random.choice(TEXT_SEARCHES),
            query="valve",
            collection_names=["valves"],
            strictness=0,
            top_n=50,
            filters=expression[:MAX_FILTER_CHARACTERS],
        )
        if "result" in answer.payload:
            found = {each["file_path"] for each in answer.result["structuredContent"]["valves"]["results"]}
            assert found <= everything, expression
            sizes.add(len(found))
        else:
            assert answer.payload["error"]["code"] == -32602, expression
    assert len(sizes) > 3


@pytest.mark.parametrize(
    "filters",
    [
        "a == 1 or " * 1_000 + "a == 1",
        "(" * (MAX_FILTER_LEVELS + 1) + "a == 1" + ")" * (MAX_FILTER_LEVELS + 1),
        "not " * 900 + "(a == 1)",
        "a in [" + "1," * 1_900 + "1]",
        "[" * 3_000,
        '"' * 3_999,
        "\\" * 3_999,
        'a like "' + "%_" * 1_900 + '"',
    ],
)
def test_length_depth_and_time_are_bounded(valves: Edge, filters: str) -> None:
    answer = valves.call("search_hybrid", query="valve", filters=filters)
    assert answer.status == 200
    assert "result" in answer.payload or answer.payload["error"]["code"] == -32602
