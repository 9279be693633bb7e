"""Search and status over REST: the service that agents have, no more and no less."""

import json
from urllib.parse import urlencode

import pytest

from groundwire import __version__
from groundwire.domain.access.scopes import Scope
from groundwire.domain.limits import MAX_PHRASE_WORDS
from tests.server.entry.rest.api import Api, Reply, api, key
from tests.server.entry.rest.test_documents import put, tagged
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World, caller


@pytest.fixture
def reader(world: World, tenant: str) -> Api:
    put(world, tenant, "d-sales", tagged("sales"))
    put(world, tenant, "d-hr", tagged("hr"))
    return api(key(world, tenant, Scope.SEARCH, tags=frozenset({"sales"})))


def blocks(api: Api, form: str = "search_result", **body: object) -> Reply:
    return api.send("POST", "/v1/search", json.dumps(body).encode(), urlencode({"as": form}))


def test_a_search_answers_what_rag_search_answers(world: World, tenant: str, reader: Api) -> None:
    reported = reader.post("/v1/search", phrases=["Text"]).json
    agents = world.search(caller(world.acting_key(tenant), "olga", frozenset({"sales"})), "Text").segments

    assert [each["segment_uid"] for each in reported["passages"]] == [each["segment_uid"] for each in agents]
    assert [each["doc_id"] for each in reported["passages"]] == ["d-sales"]
    assert reported["notice"] is None


def test_a_passage_returns_a_link_that_opens_for_its_reader(world: World, reader: Api) -> None:
    [passage] = reader.post("/v1/search", phrases=["Text"]).json["passages"]

    assert world.open(passage["source_url"]).status == 200


def test_search_result_blocks_have_the_passages_of_the_search_and_links_that_open(world: World, reader: Api) -> None:
    passages = reader.post("/v1/search", phrases=["Text"]).json["passages"]

    answer = blocks(reader, phrases=["Text"]).json

    assert answer.keys() == {"content", "notice"}
    # The members of `SearchResultBlockParam`, `TextBlockParam` and `CitationsConfigParam` of Anthropic's SDK 2.12.0.
    for block in answer["content"]:
        assert block.keys() == {"type", "source", "title", "content", "citations"}
        assert (block["type"], block["citations"]) == ("search_result", {"enabled": True})
    assert [block["content"] for block in answer["content"]] == [
        [{"type": "text", "text": each["text"]}] for each in passages
    ]
    assert [block["source"] for block in answer["content"]] == [each["source_url"] for each in passages]
    assert all(world.open(block["source"]).status == 200 for block in answer["content"])


@pytest.mark.parametrize("form", ["blocks", "", "PASSAGES"])
def test_another_form_of_answer_is_refused(reader: Api, form: str) -> None:
    assert blocks(reader, form, phrases=["Text"]).status == 400


def test_an_explanation_has_no_form_of_blocks(admin: Api) -> None:
    assert blocks(admin, phrases=["Text"], explain=True).status == 400


def test_a_link_to_a_pdf_names_the_page_of_the_passage(world: World, tenant: str, reader: Api) -> None:
    world.ingest(tenant, "About ropes.\n\nThe capstan has spokes.", PUBLIC, path="ship.pdf")

    passages = reader.post("/v1/search", phrases=["capstan spokes"]).json["passages"]

    pages = {each["page_first"]: each["source_url"] for each in passages if each["source_file_name"] == "ship.pdf"}
    assert {page: url.partition("#")[2] for page, url in pages.items()} == {1: "page=1", 2: "page=2"}


def test_the_number_of_passages_is_the_keys_unless_it_is_given(world: World, tenant: str, reader: Api) -> None:
    for number in range(3):
        world.ingest(tenant, f"Word{number} apart {number * 7919}.\n", PUBLIC, path=f"n{number}.md")

    assert len(reader.post("/v1/search", phrases=["apart"], top_n=1).json["passages"]) == 1
    assert len(reader.post("/v1/search", phrases=["apart"]).json["passages"]) > 1


def test_an_explanation_is_an_administrators(admin: Api, reader: Api, world: World, tenant: str) -> None:
    put(world, tenant, "d-all", PUBLIC)

    reported = admin.post("/v1/search", phrases=["Text"], explain=True).json

    assert reader.post("/v1/search", phrases=["Text"], explain=True).code == "denied"
    assert (reported["phrases"], reported["steps"]["answer"]) == (["Text"], 1)
    why = reported["passages"][0]["why"]
    assert why["brought_by"] == "Text"
    assert "Text" in why["excerpt"]


def test_a_phrase_of_any_length_is_searched_and_an_explanation_states_how_far(
    admin: Api, reader: Api, world: World, tenant: str
) -> None:
    put(world, tenant, "d-all", PUBLIC)
    long = "Text " * 20_000

    assert reader.post("/v1/search", phrases=[long]).json["passages"]
    reported = admin.post("/v1/search", phrases=["Text", long], explain=True).json
    assert reported["phrases_cut"] == [2]
    assert reported["phrases"] == ["Text", ("Text " * MAX_PHRASE_WORDS).rstrip()]
    assert "phrases_cut" not in reader.post("/v1/search", phrases=[long]).json


def test_an_explanation_and_the_audit_line_count_the_tags_that_gave_no_right(world: World, tenant: str) -> None:
    put(world, tenant, "d-sales", tagged("sales"))
    put(world, tenant, "d-hr", tagged("hr"))
    agent = world.acting_key(tenant, max_tags=("sales",), scopes=frozenset({Scope.SEARCH, Scope.ADMIN}))
    log = world.services.settings.home / "audit.jsonl"

    for tags, ignored in ((["sales"], 0), (["hr", "sales", "vip"], 2)):
        headers = caller(agent, "olga", frozenset(tags))
        reported = Api(headers).post("/v1/search", phrases=["Text"], explain=True).json

        assert reported["tags_ignored"] == ignored
        assert [each["doc_id"] for each in reported["passages"]] == ["d-sales"]
        assert json.loads(log.read_text().splitlines()[-1]).get("tags_ignored", 0) == ignored
        assert "tags_ignored" not in Api(headers).post("/v1/search", phrases=["Text"]).json


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"phrases": []},
        {"phrases": ["  "]},
        {"phrases": "Text"},
        {"phrases": ["a"] * 6},
        {"phrases": ["a"], "top_n": 0},
        {"phrases": ["a"], "top_n": 21},
        {"phrases": ["a"], "top_n": True},
        {"phrases": ["a"], "where": "year >"},
        {"phrases": ["a"], "where": 1},
        {"phrases": ["a"], "tenant": "t_2"},
        {"phrases": ["a"], "user": "ann"},
    ],
)
def test_a_search_that_cannot_be_is_refused(reader: Api, body: dict[str, object]) -> None:
    assert reader.post("/v1/search", **body).code == "invalid"


def test_a_filter_narrows(reader: Api) -> None:
    assert reader.post("/v1/search", phrases=["Text"], where="year >= 2024").json["passages"] == []


def test_a_status_counts_documents_for_those_who_manage_them_only(
    world: World, tenant: str, admin: Api, reader: Api
) -> None:
    reported = admin.get("/v1/status").json

    assert reported == {
        "version": __version__,
        "tenant": tenant,
        "documents": {"indexed": 2},
        "visible_after_seconds": 0,
    }
    assert reader.get("/v1/status").json == reported | {"documents": None}


def test_an_empty_answer_names_the_collection_that_the_person_cannot_read(world: World, tenant: str) -> None:
    world.ingest(tenant, "The open pump.", PUBLIC, path="/nowhere/open.txt", collection="company", doc_id="open")
    world.ingest(tenant, "Salaries.", tagged("hr"), path="/nowhere/pay.txt", collection="payroll", doc_id="pay")
    reader = api(key(world, tenant, Scope.SEARCH, tags=frozenset({"sales"})))

    def notice(*collections: str) -> str | None:
        return reader.post("/v1/search", phrases=["pump"], collections=list(collections)).json["notice"]

    assert notice("company") is None
    assert notice("compnay") == "No document that this user may read is in: 'compnay'. Did you mean 'company'?"
    assert notice("payroll") == "No document that this user may read is in: 'payroll'."
    assert notice("payrol") == "No document that this user may read is in: 'payrol'."
