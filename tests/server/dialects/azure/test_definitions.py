"""Definitions of agents, knowledge bases and knowledge sources: reading, writing and the members of each version."""

from typing import Any

import pytest

from tests.server.dialects.azure.administration import (
    REPRESENTATION,
    SECRET,
    address,
    admin,
    agent,
    base,
    message_of,
    model,
    put,
    source,
    stored,
)
from tests.server.dialects.azure.office import (
    AGENT_VERSIONS,
    APRIL_2026,
    AUGUST_2025,
    AUGUST_2026,
    BASE_VERSIONS,
    MAY_2025,
    NOVEMBER_2025,
    Office,
)

SOURCE_VERSIONS = (AUGUST_2025, *BASE_VERSIONS)
KINDS = [
    *(("agents", version) for version in AGENT_VERSIONS),
    *(("knowledgebases", version) for version in BASE_VERSIONS),
    *(("knowledgesources", version) for version in SOURCE_VERSIONS),
]


def body_of(kind: str, version: str, name: str) -> dict[str, Any]:
    if kind == "agents":
        return agent(version, name, "handbook")
    return base(name, "handbook") if kind == "knowledgebases" else source(name, "handbook")


@pytest.mark.parametrize(("kind", "version"), KINDS)
def test_a_collection_is_a_definition_of_its_name_in_every_version(office: Office, kind: str, version: str) -> None:
    for form in (f"/{kind}('handbook')", f"/{kind}/handbook", f"/{kind}(%27handbook%27)"):
        answer = office.send("GET", f"{form}?api-version={version}")
        assert answer.status == 200, answer.payload
        assert next(iter(answer.payload)) == "@odata.context"
        assert (answer.payload["name"], answer.payload["description"]) == ("handbook", None)
        assert "@odata.etag" not in answer.payload
        if kind != "knowledgesources":
            assert answer.payload["models"] == []
    headers = dict(answer.response.headers)
    assert headers["content-type"].startswith("application/json; odata.metadata=minimal")
    assert headers["odata-version"] == "4.0"


@pytest.mark.parametrize(("kind", "version"), KINDS)
def test_a_definition_is_created_read_changed_listed_and_deleted(office: Office, kind: str, version: str) -> None:
    own, at = admin(office), address(kind, "house", version)
    body = body_of(kind, version, "house")
    created = office.send("PUT", at, body, {**own, **REPRESENTATION})
    assert created.status == 201, created.payload
    headers = dict(created.response.headers)
    assert headers["location"] == at
    assert headers["preference-applied"] == "return=representation"
    assert headers["etag"].startswith('"0x')
    assert created.payload["@odata.etag"] == headers["etag"]
    assert list(created.payload)[:2] == ["@odata.context", "@odata.etag"]

    read = office.send("GET", at, None, own)
    assert (read.status, read.payload) == (200, created.payload)
    assert dict(read.response.headers)["etag"] == headers["etag"]

    # As clients do: what was read is sent back, changed.
    changed = office.send("PUT", at, {**read.payload, "description": "New."}, {**own, **REPRESENTATION})
    assert (changed.status, changed.payload["description"]) == (200, "New."), changed.payload
    assert changed.payload["@odata.etag"] != headers["etag"]
    assert "location" not in dict(changed.response.headers)

    listed = office.send("GET", address(kind, None, version), None, own).payload
    assert [each["name"] for each in listed["value"]] == ["handbook", "house", "kitchen"]
    without_context = {name: value for name, value in changed.payload.items() if name != "@odata.context"}
    assert listed["value"][1] == without_context

    assert office.send("DELETE", at, None, own).status == 204
    assert office.send("GET", at, None, own).status == 404
    assert office.send("DELETE", at, None, own).status == 404


@pytest.mark.parametrize(("kind", "version"), KINDS)
def test_a_post_creates_and_does_not_replace(office: Office, kind: str, version: str) -> None:
    own, body = admin(office), body_of(kind, version, "house")
    created = office.send("POST", address(kind, None, version), body, own)
    assert created.status == 201, created.payload
    assert dict(created.response.headers)["location"] == address(kind, "house", version)
    again = office.send("POST", address(kind, None, version), body, own)
    assert again.status == 409
    assert "already" in message_of(again)


def test_an_answer_to_a_change_is_empty_where_the_client_prefers_that(office: Office) -> None:
    answer = put(office, "knowledgebases", base("house", "handbook"), headers={"prefer": "return=minimal"})
    headers = dict(answer.response.headers)
    assert (answer.status, answer.response.body) == (204, b"")
    assert (headers["preference-applied"], headers["etag"][:3]) == ("return=minimal", '"0x')
    assert "preference-applied" not in dict(put(office, "knowledgebases", base("house", "handbook")).response.headers)


def test_members_that_are_not_set_are_null_and_lists_are_empty(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "handbook"), NOVEMBER_2025)
    read = office.send("GET", address("knowledgesources", "hr", NOVEMBER_2025), None, admin(office)).payload
    assert {name: value for name, value in read.items() if not name.startswith("@")} == {
        "name": "hr",
        "kind": "searchIndex",
        "description": "All of hr.",
        "searchIndexParameters": {
            "searchIndexName": "handbook",
            "sourceDataFields": [],
            "searchFields": [],
            "semanticConfigurationName": None,
        },
        "encryptionKey": None,
    }
    stored(office, "knowledgebases", base("house", "hr"), NOVEMBER_2025)
    read = office.send("GET", address("knowledgebases", "house", NOVEMBER_2025), None, admin(office)).payload
    assert {name: value for name, value in read.items() if not name.startswith("@")} == {
        "name": "house",
        "description": None,
        "knowledgeSources": [{"name": "hr"}],
        "models": [],
        "retrievalReasoningEffort": None,
        "outputMode": None,
        "retrievalInstructions": None,
        "answerInstructions": None,
        "encryptionKey": None,
    }


@pytest.mark.parametrize(
    ("kind", "version", "change", "named"),
    [
        ("agents", MAY_2025, {"knowledgeSources": []}, "knowledgeSources"),
        ("agents", AUGUST_2025, {"targetIndexes": []}, "targetIndexes"),
        ("agents", MAY_2025, {"targetIndexes": []}, "targetIndexes"),
        ("agents", MAY_2025, {"targetIndexes": [{"indexName": "a"}, {"indexName": "b"}]}, "exactly one"),
        ("agents", MAY_2025, {"targetIndexes": [{"indexName": "a", "defaultRerankerThreshold": 4.1}]}, "Threshold"),
        ("agents", MAY_2025, {"targetIndexes": [{"indexName": "a'b"}]}, "indexName"),
        ("agents", MAY_2025, {"requestLimits": {"maxOutputSize": 0}}, "maxOutputSize"),
        ("agents", MAY_2025, {"models": None}, "models"),
        ("agents", AUGUST_2025, {"knowledgeSources": [{"name": "handbook", "maxSubQueries": 41}]}, "maxSubQueries"),
        ("agents", AUGUST_2025, {"outputConfiguration": {"modality": "answerSynthesis"}}, "extractiveData"),
        ("knowledgebases", APRIL_2026, {"knowledgeSources": []}, "knowledgeSources"),
        ("knowledgebases", APRIL_2026, {"knowledgeSources": [{"name": "a"}, {"name": "a"}]}, "twice"),
        ("knowledgebases", APRIL_2026, {"knowledgeSources": [{"name": "o'b"}]}, "o'b"),
        ("knowledgebases", APRIL_2026, {"outputMode": "extractiveData"}, "outputMode"),
        ("knowledgebases", NOVEMBER_2025, {"outputMode": "answerSynthesis"}, "extractiveData"),
        ("knowledgebases", NOVEMBER_2025, {"retrievalReasoningEffort": {"kind": "auto"}}, "kind"),
        ("knowledgebases", APRIL_2026, {"encryptionKey": {"keyVaultUri": "x"}}, "encryptionKey"),
        ("knowledgebases", APRIL_2026, {"retrieval ": "x"}, "retrieval "),
        ("knowledgebases", APRIL_2026, {"name": "other"}, "name"),
        ("knowledgebases", APRIL_2026, {"name": "o'b"}, "name"),
        ("knowledgebases", APRIL_2026, {"models": [{"kind": "aml", "amlParameters": {}}]}, "azureOpenAI"),
        ("knowledgebases", APRIL_2026, {"models": [model(authIdentity={"x": 1})]}, "authIdentity"),
        ("knowledgebases", APRIL_2026, {"models": [model(uri="http://models.example")]}, "resourceUri"),
        ("knowledgebases", APRIL_2026, {"models": [model(uri="https://a@models.example")]}, "resourceUri"),
        ("knowledgebases", APRIL_2026, {"models": [model(uri="https://[")]}, "resourceUri"),
        ("knowledgesources", APRIL_2026, {"kind": "azureBlob", "azureBlobParameters": {}}, "searchIndex"),
        ("knowledgesources", APRIL_2026, {"searchIndexParameters": {}}, "searchIndexName"),
        ("knowledgesources", APRIL_2026, {"searchIndexParameters": None}, "searchIndexParameters"),
        ("knowledgesources", AUGUST_2025, {"searchIndexParameters": {"sourceDataFields": []}}, "sourceDataFields"),
        (
            "knowledgesources",
            APRIL_2026,
            {"searchIndexParameters": {"searchIndexName": "handbook", "sourceDataSelect": "a"}},
            "sourceDataSelect",
        ),
    ],
)
def test_what_is_wrong_or_not_served_is_refused_by_name(
    office: Office, kind: str, version: str, change: dict[str, Any], named: str
) -> None:
    own = admin(office)
    answer = office.send("PUT", address(kind, "house", version), {**body_of(kind, version, "house"), **change}, own)
    assert answer.status == 400, answer.payload
    assert named in message_of(answer)
    assert office.send("GET", address(kind, "house", version), None, own).status == 404


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b'{"name": 1}'])
def test_a_body_that_is_no_definition_is_refused(office: Office, body: bytes) -> None:
    for path in (address("knowledgebases", "house"), address("knowledgebases")):
        answer = office.send("PUT" if "(" in path else "POST", path, body, admin(office))
        assert answer.status == 400
        assert message_of(answer)


@pytest.mark.parametrize("method", ["PATCH", "HEAD", "MERGE"])
def test_other_methods_are_405(office: Office, method: str) -> None:
    assert office.send(method, address("knowledgebases", "handbook"), None, admin(office)).status == 405
    assert office.send(method, address("knowledgebases"), None, admin(office)).status == 405


@pytest.mark.parametrize(("kind", "version"), [("agents", APRIL_2026), ("knowledgebases", MAY_2025)])
def test_a_version_without_the_kind_is_refused_by_name(office: Office, kind: str, version: str) -> None:
    for path in (address(kind, None, version), address(kind, "handbook", version)):
        answer = office.send("GET", path)
        assert (answer.status, version in message_of(answer)) == (400, True)


def test_an_agent_of_the_first_version_is_read_by_the_next_with_its_index_as_a_source(office: Office) -> None:
    target = {"indexName": "handbook", "defaultRerankerThreshold": 2.5, "defaultMaxDocsForReranker": 100}
    stored(office, "agents", agent(MAY_2025, "helper", targetIndexes=[target]), MAY_2025)
    read = office.send("GET", address("agents", "helper", AUGUST_2025), None, admin(office)).payload
    assert "targetIndexes" not in read
    [named] = read["knowledgeSources"]
    assert (named["name"], named["rerankerThreshold"], named["maxSubQueries"]) == ("handbook", 2.5, None)
    [again] = office.send("GET", address("agents", "helper", MAY_2025), None, admin(office)).payload["targetIndexes"]
    assert again == {**target, "defaultIncludeReferenceSourceData": None}


def test_an_agent_of_the_second_version_is_read_by_the_first_with_the_indexes_of_its_sources(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "kitchen"), AUGUST_2025)
    named = [{"name": "hr", "rerankerThreshold": 1, "includeReferenceSourceData": True}, {"name": "handbook"}]
    stored(office, "agents", agent(AUGUST_2025, "helper", knowledgeSources=named), AUGUST_2025)
    read = office.send("GET", address("agents", "helper", MAY_2025), None, admin(office)).payload
    assert "knowledgeSources" not in read
    assert [each["indexName"] for each in read["targetIndexes"]] == ["kitchen", "handbook"]
    assert read["targetIndexes"][0]["defaultRerankerThreshold"] == 1
    assert read["targetIndexes"][0]["defaultIncludeReferenceSourceData"] is True


def test_the_selected_fields_of_the_first_sources_are_the_list_of_the_later_ones(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "handbook", sourceDataSelect="title, year,"), AUGUST_2025)
    own = admin(office)
    later = office.send("GET", address("knowledgesources", "hr", AUGUST_2026), None, own).payload
    assert later["searchIndexParameters"]["sourceDataFields"] == [{"name": "title"}, {"name": "year"}]
    first = office.send("GET", address("knowledgesources", "hr", AUGUST_2025), None, own).payload
    assert first["searchIndexParameters"] == {"searchIndexName": "handbook", "sourceDataSelect": "title,year"}


def test_members_that_a_version_does_not_have_are_left_out_of_its_answers(office: Office) -> None:
    members = {"retrievalInstructions": "Be short.", "retrievalReasoningEffort": {"kind": "auto"}}
    stored(office, "knowledgebases", base("house", "handbook", **members), AUGUST_2026)
    own = admin(office)
    assert not office.send("GET", address("knowledgebases", "house"), None, own).payload.keys() & members.keys()
    preview = office.send("GET", address("knowledgebases", "house", AUGUST_2026), None, own).payload
    assert {name: preview[name] for name in members} == members


def test_agents_and_knowledge_bases_of_one_name_are_apart(office: Office) -> None:
    stored(office, "agents", agent(AUGUST_2025, "house", "handbook"), AUGUST_2025)
    assert office.send("GET", address("knowledgebases", "house"), None, admin(office)).status == 404
    assert office.send("GET", address("knowledgesources", "house"), None, admin(office)).status == 404


def test_the_status_of_a_source_is_active(office: Office) -> None:
    stored(office, "knowledgesources", source("hr", "handbook"))
    for form in ("/knowledgesources('hr')", "/knowledgesources/hr", "/knowledgesources('handbook')"):
        answer = office.send("GET", f"{form}/status?api-version={APRIL_2026}")
        assert (answer.status, answer.payload) == (
            200,
            {
                "kind": "searchIndex",
                "synchronizationStatus": "active",
                "synchronizationInterval": None,
                "currentSynchronizationState": None,
                "lastSynchronizationState": None,
                "statistics": None,
            },
        )
    for name in ("closed", "nothing"):
        assert office.send("GET", f"/knowledgesources('{name}')/status?api-version={APRIL_2026}").status == 404
    assert office.send("GET", f"/knowledgesources('hr')/status?api-version={AUGUST_2025}").status == 400


def test_paths_beside_those_of_the_dialect_are_unknown_without_a_key(office: Office) -> None:
    for path in ("/favicon.ico", "/robots.txt", "/x/status", "/agentsx", "/indexes('a')", "/agents('a')/status"):
        answer = office.world.request("GET", path, {}, b"")
        assert (answer.status, answer.payload) == (404, {"message": "Not Found"}), path


def test_a_key_of_a_model_is_in_no_answer_log_or_audit_record(
    office: Office, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    own = {**admin(office), **REPRESENTATION}
    for kind, version in (("agents", MAY_2025), ("knowledgebases", APRIL_2026)):
        body = {**body_of(kind, version, "house"), "models": [model()]}
        answers = [
            office.send("PUT", address(kind, "house", version), body, own),
            office.send("POST", address(kind, None, version), body, own),
            office.send("PUT", address(kind, "house", version), {**body, "description": 1}, own),
            office.send("GET", address(kind, "house", version), None, own),
            office.send("GET", address(kind, None, version), None, own),
            office.send("DELETE", address(kind, "house", version), None, {**own, "if-match": '"0x00"'}),
        ]
        assert [each.status for each in answers] == [201, 409, 400, 200, 200, 412]
        assert all(SECRET.encode() not in each.bytes for each in answers)
        assert answers[0].payload["models"][0]["azureOpenAIParameters"]["apiKey"] is None
    records = list(office.world.services.stores.audit.read(20))
    assert {"agent/house", "knowledge-base/house"} <= {record.get("definition") for record in records}
    out, err = capfd.readouterr()
    assert not any(SECRET in text for text in (out, err, caplog.text, repr(records)))
    files = [each for each in office.world.services.settings.home.rglob("*") if each.is_file()]
    assert files
    assert not any(SECRET.encode() in each.read_bytes() for each in files)
