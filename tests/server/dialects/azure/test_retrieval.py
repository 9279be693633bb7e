"""Retrieval by agents and knowledge bases: response, activity and references of each version."""

import re
from typing import Any
from urllib.parse import quote

import pytest

from tests.server.dialects.azure.office import (
    AGENT_VERSIONS,
    APRIL_2026,
    AUGUST_2025,
    AUGUST_2026,
    BASE_VERSIONS,
    MAY_2025,
    MAY_2026,
    NOVEMBER_2025,
    Office,
    grounding,
    intents,
    message,
    requested,
    retrieve_path,
    searches,
    texts,
)
from tests.support.isolation.policies import NO_READERS
from tests.support.worlds.world import caller

VERSIONS = (*AGENT_VERSIONS, *BASE_VERSIONS)
PUMP = {"The wheel pump needs oil.", "The wheel pump stands in the cellar."}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_answers_with_passages_of_documents_that_the_user_may_read(office: Office, version: str) -> None:
    answer = office.retrieve(requested("wheel pump", version), version)
    found = texts(answer)
    assert set(found[:2]) == PUMP
    assert not any("code" in each or "vault" in each for each in found)
    assert [each["ref_id"] for each in grounding(answer)] == list(range(len(found)))


@pytest.mark.parametrize(
    ("form", "version"),
    [
        ("/agents/handbook/retrieve", MAY_2025),
        ("/agents('handbook')/retrieve", MAY_2025),
        ("/agents(%27handbook%27)/retrieve", AUGUST_2025),
        ("/knowledgebases/handbook/retrieve", APRIL_2026),
        ("/knowledgebases('handbook')/retrieve", NOVEMBER_2025),
        ("/knowledgebases('handbook')/retrieve", "2025-11-01-Preview"),
        ("/knowledgebases('%68andbook')/retrieve", APRIL_2026),
    ],
)
def test_every_form_of_path_and_version_leads_to_the_same_retrieval(office: Office, form: str, version: str) -> None:
    answer = office.send("POST", f"{form}?api-version={version}", requested("wheel pump", version))
    assert answer.status == 200, answer.payload
    assert set(texts(answer.payload)[:2]) == PUMP


@pytest.mark.parametrize(
    ("version", "search", "reference", "role"),
    [
        (MAY_2025, "AzureSearchQuery", "AzureSearchDoc", "assistant"),
        (AUGUST_2025, "searchIndex", "searchIndex", "assistant"),
        (NOVEMBER_2025, "searchIndex", "searchIndex", None),
        (APRIL_2026, "searchIndex", "searchIndex", None),
        (MAY_2026, "searchIndex", "searchIndex", None),
        (AUGUST_2026, "searchIndex", "searchIndex", None),
    ],
)
def test_types_and_names_are_those_of_the_version(
    office: Office, version: str, search: str, reference: str, role: str | None
) -> None:
    answer = office.retrieve(requested("wheel pump", version, filterAddOn="year eq 2024"), version)
    assert answer["response"][0].get("role") == role
    [step] = searches(answer)
    assert step["type"] == search
    arguments = step["query"] if version == MAY_2025 else step["searchIndexArguments"]
    assert step["targetIndex" if version == MAY_2025 else "knowledgeSourceName"] == "handbook"
    assert (arguments["search"], arguments["filter"]) == ("wheel pump", "year eq 2024")
    assert step["count"] == len(texts(answer)) == 2
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", step["queryTime"])
    assert isinstance(step["elapsedMs"], int)
    assert [each["id"] for each in answer["activity"]] == list(range(len(answer["activity"])))
    first = answer["references"][0]
    assert (first["type"], first["id"], first["activitySource"]) == (reference, "0", step["id"])
    assert first["docKey"].startswith("pump.")
    assert ("rerankerScore" in first) == (version != MAY_2025)


def test_no_record_of_a_model_is_there_where_no_model_worked(office: Office) -> None:
    for version in VERSIONS:
        kinds = {
            each["type"].lower() for each in office.retrieve(requested("wheel pump", version), version)["activity"]
        }
        assert kinds <= {"azuresearchquery", "searchindex", "agenticreasoning"}
        assert ("agenticreasoning" in kinds) == (version in BASE_VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_found_is_an_empty_list_in_the_response(office: Office, version: str) -> None:
    body = requested("wheel pump", version, filterAddOn="year eq 1900")
    answer = office.retrieve(body, version)
    assert (grounding(answer), answer["references"]) == ([], [])
    assert [step["count"] for step in searches(answer)] == [0]


def test_several_intents_are_one_search_each_and_give_by_turns(office: Office) -> None:
    answer = office.retrieve(intents("wheel pump", "bread in the morning"))
    assert [step["searchIndexArguments"]["search"] for step in searches(answer)] == [
        "wheel pump",
        "bread in the morning",
    ]
    assert texts(answer)[0] in PUMP
    assert texts(answer)[1] == "Bread is baked in the morning."
    assert [each["activitySource"] for each in answer["references"][:2]] == [0, 1]
    assert len(texts(answer)) == len(set(texts(answer)))


def test_a_single_plain_question_is_searched_as_it_was_written(office: Office) -> None:
    question = "Where does the wheel pump stand?"
    body = {"messages": [message("You answer questions.", "assistant"), message(question)]}
    answer = office.retrieve(body, MAY_2025)
    assert [step["query"]["search"] for step in searches(answer)] == [question]


def test_source_data_is_returned_on_request_with_the_key_and_the_semantic_fields(office: Office) -> None:
    for name in ("includeReferenceSourceData", "IncludeReferenceSourceData"):
        answer = office.retrieve(requested("wheel pump", MAY_2025, **{name: True}), MAY_2025)
        data = answer["references"][0]["sourceData"]
        assert data["id"] == answer["references"][0]["docKey"]
        assert {"title", "content", "url"} <= data.keys() <= {"id", "title", "terms", "content", "url"}
        assert data["content"] in PUMP
    both = {"includeReferenceSourceData": False, "IncludeReferenceSourceData": True}
    assert office.retrieve(requested("wheel pump", MAY_2025, **both), MAY_2025)["references"][0]["sourceData"] is None


@pytest.mark.parametrize("version", VERSIONS)
def test_source_data_has_an_address_that_opens_the_document_while_its_reader_may(office: Office, version: str) -> None:
    body = requested("A wheel has spokes.", version, includeReferenceSourceData=True)
    url = office.retrieve(body, version)["references"][0]["sourceData"]["url"]
    opened = office.world.open(url)
    assert (opened.status, opened.response.body) == (200, b"A wheel has spokes.")
    office.world.services.administration.document_admin.override_policy(office.tenant, "wheel", NO_READERS)
    assert office.world.open(url).status == 404


def test_a_threshold_of_zero_drops_nothing_and_of_four_drops_all_but_the_surest(office: Office) -> None:
    def found(threshold: float | None) -> list[str]:
        named = {} if threshold is None else {"rerankerThreshold": threshold}
        return texts(office.retrieve(requested("wheel pump", MAY_2025, **named), MAY_2025))

    everything = found(0)
    assert len(everything) == 4
    assert set(found(2.5)) <= set(everything)
    assert len(found(4)) <= len(found(2.5))


def test_more_documents_take_further_searches_of_the_first_query(office: Office) -> None:
    body = requested("wheel pump", MAY_2025, maxDocsForReranker=51, rerankerThreshold=0)
    answer = office.retrieve(body, MAY_2025)
    assert [step["query"]["search"] for step in searches(answer)] == ["wheel pump"] * 2
    body = requested("wheel pump", MAY_2025, maxDocsForReranker=5_000, rerankerThreshold=0)
    assert len(searches(office.retrieve(body, MAY_2025))) == 4


def test_an_answer_has_no_more_documents_than_the_request_names(office: Office) -> None:
    office.add("many", "\n\n".join(f"The crane number {number} lifts {number} crates." for number in range(130)))
    for most in (7, 60):
        body = requested("Which crane lifts crates?", MAY_2025, maxDocsForReranker=most, rerankerThreshold=0)
        answer = office.retrieve(body, MAY_2025)
        assert len(answer["references"]) == most
        assert len(searches(answer)) == (most + 49) // 50


def test_an_unknown_target_is_not_found_whatever_sources_the_request_names(office: Office) -> None:
    agent = {**requested("wheel pump", MAY_2025), "targetIndexParams": [{"indexName": "handbook"}]}
    base = {**intents("wheel pump"), "knowledgeSourceParams": [{"knowledgeSourceName": "x", "kind": "searchIndex"}]}
    plain = requested("wheel pump", MAY_2025)
    for body, without_sources, version in ((agent, plain, MAY_2025), (base, intents("wheel pump"), APRIL_2026)):
        refused = office.refusal(body, version, "nosuch")
        assert refused[0] == 404
        assert refused == office.refusal(without_sources, version, "nosuch")


def test_ranks_beyond_fifty_follow_without_gap_and_repetition(office: Office) -> None:
    office.add("many", "\n\n".join(f"The crane number {number} lifts {number} crates." for number in range(130)))
    body = requested("Which crane lifts crates?", MAY_2025, maxDocsForReranker=150, rerankerThreshold=0)
    answer = office.retrieve(body, MAY_2025)
    keys = [each["docKey"] for each in answer["references"]]
    assert [step["count"] for step in searches(answer)] == [50, 50, 34]
    assert len(keys) == len(set(keys)) == 134
    assert [each["activitySource"] for each in answer["references"]] == [0] * 50 + [1] * 50 + [2] * 34


def test_the_response_holds_whole_passages_up_to_the_size_of_the_output(office: Office) -> None:
    whole = office.retrieve(intents("wheel pump"))
    cut = office.retrieve({**intents("wheel pump"), "maxOutputSizeInTokens": 60})
    assert 0 < len(texts(cut)) < len(texts(whole))
    assert texts(cut) == texts(whole)[: len(texts(cut))]
    assert len(cut["references"]) == len(texts(cut))
    nothing = office.retrieve({**intents("wheel pump"), "maxOutputSizeInTokens": 1})
    assert (texts(nothing), nothing["references"]) == ([], [])


def test_without_activity_the_member_is_not_there(office: Office) -> None:
    assert "activity" not in office.retrieve({**intents("wheel pump"), "includeActivity": False})


@pytest.mark.parametrize(
    ("version", "body", "part"),
    [
        (MAY_2025, {}, "messages is missing"),
        (MAY_2025, {"messages": []}, "The request has no question"),
        (MAY_2025, {"messages": [message("Hello", "assistant")]}, "The request has no question"),
        (MAY_2025, {"messages": [message(" ")]}, "The request has no question"),
        (MAY_2025, {"messages": [message("x", "tool")]}, "role"),
        (MAY_2025, {"messages": [{"content": [{"type": "text", "text": "x"}]}]}, "messages[0].role is missing"),
        (MAY_2025, {"messages": [{"role": "user", "content": "x"}]}, "messages[0].content must be a list"),
        (MAY_2025, {"messages": [{"role": "user", "content": [{"type": "image", "image": {"url": "x"}}]}]}, "image"),
        (MAY_2025, intents("x"), "2025-11-01-preview"),
        (APRIL_2026, {"messages": [message("x")]}, "has no member messages"),
        (APRIL_2026, {**intents("x"), "outputMode": "extractiveData"}, "has no member outputMode"),
        (APRIL_2026, {**intents("x"), "rerankerThreshold ": 1}, "rerankerThreshold "),
        (APRIL_2026, intents(), "The request has no question"),
        (APRIL_2026, intents(" "), "intents[0].search is empty"),
        (APRIL_2026, intents(*map(str, range(11))), "at most 10"),
        (APRIL_2026, {"intents": [{"type": "x", "search": "y"}]}, "semantic"),
        (APRIL_2026, {**intents("x"), "maxOutputSizeInTokens": 0}, "1 or more"),
        (APRIL_2026, {**intents("x"), "maxRuntimeInSeconds": -5}, "1 or more"),
        (AUGUST_2026, requested("x", AUGUST_2026, enableImageServing=True), "images"),
        (APRIL_2026, [], "must be an object"),
        (NOVEMBER_2025, {**intents("x"), "outputMode": "answerSynthesis"}, "extractiveData"),
        (NOVEMBER_2025, {**intents("x"), "retrievalReasoningEffort": {"kind": "auto"}}, "minimal, low, medium"),
        (NOVEMBER_2025, {"messages": [message("x")], "retrievalReasoningEffort": {"kind": "minimal"}}, "intents"),
        (MAY_2025, requested("x", MAY_2025, rerankerThreshold=4.1), "between 0 and 4"),
        (MAY_2025, requested("x", MAY_2025, rerankerThreshold=-1), "between 0 and 4"),
        (MAY_2025, requested("x", MAY_2025, rerankerThreshold="2.5"), "must be a number"),
        (MAY_2025, requested("x", MAY_2025, maxDocsForReranker=0), "1 or more"),
        (MAY_2025, requested("x", MAY_2025, indexName="kitchen"), "'kitchen'"),
        (MAY_2025, requested("x", MAY_2025, filterAddOn="year gt"), "$filter"),
        (MAY_2025, requested("x", MAY_2025, filterAddOn="hidden eq 'x'"), "'hidden'"),
    ],
)
def test_a_wrong_request_is_refused_with_the_reason(office: Office, version: str, body: Any, part: str) -> None:
    status, text = office.refusal(body, version)
    assert status == 400
    assert part in text


@pytest.mark.parametrize("query", ["", "?api-version=", "?api-version=2020-01-01", "?api-version=2025-05-01-preview"])
def test_a_version_that_is_missing_unknown_or_without_the_resource_is_refused(office: Office, query: str) -> None:
    answer = office.send("POST", f"/knowledgebases('handbook')/retrieve{query}", intents("x"))
    assert (answer.status, set(answer.payload)) == (400, {"error"})


@pytest.mark.parametrize("name", ["closed", "nowhere", "HANDBOOK", "a/b", "o'b ü/x", "x" * 500, ""])
@pytest.mark.parametrize("filtered", [False, True])
def test_a_hidden_an_unknown_and_an_impossible_name_get_the_same_answer(
    office: Office, name: str, *, filtered: bool
) -> None:

    path = f"/knowledgebases('{quote(name, safe='')}')/retrieve?api-version={APRIL_2026}"
    named = {"knowledgeSourceName": name, "kind": "searchIndex", "filterAddOn": "year eq 2024"}
    body = {**intents("wheel pump"), **({"knowledgeSourceParams": [named]} if filtered else {})}
    answer = office.send("POST", path, body)
    assert answer.status == 404
    if name and "/" not in name:
        assert answer.payload["error"]["code"] == ""
        expected = f"No Knowledge Base with the name {name[:128]!r} was found in service 'groundwire'."
        assert answer.payload["error"]["message"] == expected


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"api-key": "gw_wrong"}, 403), ({"authorization": "Bearer gw_wrong"}, 403), ({"api-key": ""}, 401), ({}, 401)],
)
def test_a_wrong_key_is_forbidden_and_without_a_key_one_is_required(
    office: Office, headers: dict[str, str], status: int
) -> None:
    for method, path in (("POST", retrieve_path(APRIL_2026)), ("GET", f"/knowledgebases?api-version={APRIL_2026}")):
        answer = office.send(method, path, intents("x"), {**headers, "x-ms-client-request-id": "5a1f-77"})
        assert answer.status == status
        assert set(answer.payload["error"]) == {"code", "message"}
        assert "api-key" in answer.payload["error"]["message"]
        assert dict(answer.response.headers)["client-request-id"] == "5a1f-77"


def test_every_answer_has_an_id_and_its_time(office: Office) -> None:
    own = caller(office.key, "ana")
    for name, sent in {"": "", "5a1f-77": "5a1f-77", "two words": ""}.items():
        for path in (retrieve_path(APRIL_2026), retrieve_path(APRIL_2026, "nothing")):
            answer = office.send("POST", path, intents("wheel pump"), {**own, "x-ms-client-request-id": name})
            headers = dict(answer.response.headers)
            assert re.fullmatch(sent or r"[0-9a-f-]{36}", headers["request-id"])
            assert headers["elapsed-time"].isdecimal()
            assert headers.get("client-request-id", "") == sent
            assert (headers.get("expires") == "-1") is (answer.status == 404)


def test_the_key_counts_in_its_own_header_and_before_a_token(office: Office) -> None:
    personal = office.world.personal_key(office.tenant, "ana", frozenset())
    headers = {"api-key": personal.secret.reveal(), "authorization": "Bearer eyJ.some.token"}
    answer = office.send("POST", retrieve_path(APRIL_2026), intents("wheel pump"), headers)
    assert answer.status == 200
    assert set(texts(answer.payload)[:2]) == PUMP


def test_a_clients_id_of_a_call_is_repeated(office: Office) -> None:
    headers = {**caller(office.key, "ana"), "x-ms-client-request-id": "5a1f-77"}
    answer = office.send("POST", retrieve_path(APRIL_2026), intents("wheel pump"), headers)
    sent = dict(answer.response.headers)
    assert sent["x-ms-client-request-id"] == sent["client-request-id"] == "5a1f-77"
    assert sent["odata-version"] == "4.0"
    assert sent["content-type"].startswith("application/json; odata.metadata=minimal")


def test_a_client_that_takes_an_event_stream_alone_is_refused_with_the_reason(office: Office) -> None:
    headers = {**caller(office.key, "ana"), "accept": "text/event-stream"}
    assert office.send("POST", retrieve_path(AUGUST_2026), intents("x"), headers).status == 406


@pytest.mark.parametrize("path", ["/nothing/retrieve", "/agents/handbook/x", "/agents('handbook')/mcp/retrieve"])
def test_other_paths_are_answered_as_the_gateway_answers_unknown_ones(office: Office, path: str) -> None:
    for headers in (None, {}):
        answer = office.send("POST", path, {}, headers)
        assert (answer.status, answer.payload) == (404, {"message": "Not Found"})
