"""Retrieval by stored definitions: sources, defaults, and sources that were deleted meanwhile."""

from typing import Any

from groundwire.dialects.azure.requests.resource_paths import ResourceKind, ResourcePath
from groundwire.dialects.azure.targets import Targets
from groundwire.dialects.azure.versions import ApiVersion
from tests.server.dialects.azure.administration import address, admin, agent, base, call_of, message_of, source, stored
from tests.server.dialects.azure.office import (
    AGENT_VERSIONS,
    APRIL_2026,
    AUGUST_2025,
    MAY_2025,
    NOVEMBER_2025,
    Office,
    grounding,
    intents,
    message,
    retrieve_path,
    searches,
    texts,
)

PUMP = intents("wheel pump")


def requested(text: str) -> dict[str, Any]:
    return {"messages": [message(text)]}


def test_a_knowledge_base_searches_all_of_its_sources(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "kitchen"))
    stored(office, "knowledgebases", base("house", "hr", "handbook"))
    answer = office.retrieve(intents("wheel pump", "soup on Monday"), APRIL_2026, "house")
    assert {each["knowledgeSourceName"] for each in searches(answer)} == {"hr", "handbook"}
    assert {"Soup on Monday.", "The wheel pump needs oil."} <= set(texts(answer))
    assert not any("code" in each for each in texts(answer))


def test_the_fields_of_a_source_are_those_of_its_data_and_may_be_filtered_by(office: Office) -> None:
    fields = {"sourceDataFields": [{"name": "title"}, {"name": "month"}], "searchFields": [{"name": "author"}]}
    stored(office, "knowledgesources", source("books", "handbook", **fields))
    stored(office, "knowledgebases", base("house", "books"))
    named = {"knowledgeSourceName": "books", "kind": "searchIndex"}
    body = {**PUMP, "knowledgeSourceParams": [{**named, "includeReferenceSourceData": True}]}
    data = office.retrieve(body, APRIL_2026, "house")["references"][0]["sourceData"]
    assert (data.keys(), data["month"]) == ({"id", "title", "month"}, "May")
    none = {**PUMP, "knowledgeSourceParams": [{**named, "filterAddOn": "author eq 'x'"}]}
    assert office.retrieve(none, APRIL_2026, "house")["references"] == []
    status, _ = office.refusal(
        {**PUMP, "knowledgeSourceParams": [{**named, "filterAddOn": "nope eq 'x'"}]}, name="house"
    )
    assert status == 400


def test_a_definition_that_names_the_address_gets_it_unless_the_metadata_has_one(office: Office) -> None:
    office.add("linked", "The wheel pump has a page.", metadata={"url": "https://wiki.example/pump"})
    stored(office, "knowledgesources", source("books", "handbook", sourceDataFields=[{"name": "url"}]))
    stored(office, "knowledgebases", base("house", "books"))
    named = {"knowledgeSourceName": "books", "kind": "searchIndex", "includeReferenceSourceData": True}
    answer = office.retrieve({**PUMP, "knowledgeSourceParams": [named]}, APRIL_2026, "house")
    urls = {each["docKey"].partition(".")[0]: each["sourceData"]["url"] for each in answer["references"]}
    assert urls["linked"] == "https://wiki.example/pump"
    assert office.world.open(urls["pump"]).status == 200


def test_the_defaults_of_an_agent_count_where_the_request_names_nothing_else(office: Office) -> None:
    def found(version: str, **parameters: object) -> dict[str, Any]:
        named = {"targetIndexParams": [{"indexName": "handbook", **parameters}]} if version == MAY_2025 else {}
        return office.retrieve({**requested("wheel pump"), **named}, version, "helper")

    target = {"indexName": "handbook", "defaultRerankerThreshold": 4, "defaultIncludeReferenceSourceData": True}
    stored(office, "agents", agent(MAY_2025, "helper", targetIndexes=[target]), MAY_2025)
    for version in AGENT_VERSIONS:
        # The model of these tests has no relevance, which a threshold could be compared with.
        targets = Targets(office.world.services.agents.dialect_services)
        path = ResourcePath(ResourceKind.AGENT, "helper", None)
        [searched] = targets.find(call_of(office), path, ApiVersion(version)).sources
        assert searched.threshold == 4
        assert all(each["sourceData"]["id"] == each["docKey"] for each in found(version)["references"])
    assert found(MAY_2025, rerankerThreshold=0, includeReferenceSourceData=False)["references"][0]["sourceData"] is None

    target = {"indexName": "handbook", "defaultMaxDocsForReranker": 101, "defaultRerankerThreshold": 0}
    limits = {"maxOutputSize": 1}
    stored(office, "agents", agent(MAY_2025, "helper", targetIndexes=[target], requestLimits=limits), MAY_2025)
    limited = found(MAY_2025)
    assert len(searches(limited)) == 3
    assert grounding(limited) == []

    named = {"name": "handbook", "includeReferences": False}
    output = {"includeActivity": False, "modality": "extractiveData"}
    helper = agent(AUGUST_2025, "helper", knowledgeSources=[named], outputConfiguration=output)
    stored(office, "agents", helper, AUGUST_2025)
    quiet = found(AUGUST_2025)
    assert texts(quiet)
    assert quiet["references"] == []
    assert "activity" not in quiet


def test_an_agent_of_sources_is_searched_by_the_first_version_by_its_indexes(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "kitchen"), AUGUST_2025)
    stored(office, "agents", agent(AUGUST_2025, "helper", "hr"), AUGUST_2025)
    body = {**requested("soup on Monday"), "targetIndexParams": [{"indexName": "kitchen"}]}
    answer = office.retrieve(body, MAY_2025, "helper")
    assert texts(answer) == ["Soup on Monday."]
    assert [each["targetIndex"] for each in searches(answer)] == ["kitchen"]


def test_the_effort_of_a_knowledge_base_counts_where_the_request_names_none(office: Office) -> None:
    body = base("house", "handbook", retrievalReasoningEffort={"kind": "minimal"})
    stored(office, "knowledgebases", body, NOVEMBER_2025)
    status, text = office.refusal(requested("wheel pump"), NOVEMBER_2025, "house")
    assert (status, "minimal" in text) == (400, True)
    named = {**requested("wheel pump"), "retrievalReasoningEffort": {"kind": "low"}}
    assert texts(office.retrieve(named, NOVEMBER_2025, "house"))


def test_a_source_that_was_changed_counts_as_it_is_at_the_time_of_the_call(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "kitchen"))
    stored(office, "knowledgebases", base("house", "hr"))
    stored(office, "knowledgesources", source("hr", "handbook"))
    assert texts(office.retrieve(PUMP, APRIL_2026, "house"))[0].startswith("The wheel pump")


def test_a_source_that_was_deleted_is_an_error_in_the_activity_of_a_partial_answer(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "kitchen"))
    stored(office, "knowledgebases", base("house", "hr", "handbook"))
    stored(office, "agents", agent(AUGUST_2025, "helper", "hr", "handbook"), AUGUST_2025)
    office.send("DELETE", address("knowledgesources", "hr"), None, admin(office))
    answer = office.send("POST", retrieve_path(APRIL_2026, "house"), PUMP)
    assert answer.status == 206
    assert texts(answer.payload)[0].startswith("The wheel pump")
    by_source = {each["knowledgeSourceName"]: each for each in searches(answer.payload)}
    assert "deleted" in by_source["hr"]["error"]["message"]
    assert "error" not in by_source["handbook"]
    first = answer.payload["references"][0]["activitySource"]
    assert answer.payload["activity"][first]["knowledgeSourceName"] == "handbook"

    needed = {"knowledgeSourceName": "hr", "kind": "searchIndex", "failOnError": True}
    refused = office.send(
        "POST", retrieve_path("2026-08-01-preview", "house"), {**PUMP, "knowledgeSourceParams": [needed]}
    )
    assert (refused.status, "hr" in message_of(refused)) == (400, True)
    # The first versions have no partial answers.
    refused = office.send("POST", retrieve_path(AUGUST_2025, "helper"), requested("wheel pump"))
    assert (refused.status, "hr" in message_of(refused)) == (400, True)


def test_a_definition_all_of_whose_sources_were_deleted_is_refused_by_name(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "kitchen"))
    stored(office, "knowledgebases", base("house", "hr"))
    office.send("DELETE", address("knowledgesources", "hr"), None, admin(office))
    status, text = office.refusal(PUMP, APRIL_2026, "house")
    assert (status, "hr" in text) == (400, True)


def test_the_endpoint_of_a_knowledge_base_searches_the_stored_definition(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "kitchen"))
    stored(office, "knowledgebases", base("house", "hr"))
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "knowledge_base_retrieve",
            "arguments": {"request": {"knowledgeAgentIntents": ["soup on Monday"]}},
        },
    }
    headers = {**office.headers, "accept": "application/json"}
    answer = office.send("POST", f"/knowledgebases/house/mcp?api-version={APRIL_2026}", call, headers)
    assert "Soup on Monday." in answer.payload["result"]["content"][1]["text"]
