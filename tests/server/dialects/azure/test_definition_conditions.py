"""Conditions of writes to definitions, and the keys of models that a change keeps."""

import itertools
from typing import Any, Final

import pytest

from groundwire.ports.definitions import DefinitionKind
from tests.server.dialects.azure.administration import (
    SECRET,
    address,
    admin,
    base,
    call_of,
    message_of,
    model,
    put,
    stored,
)
from tests.server.dialects.azure.office import Office

NEVER: Final = '"0xFFFFFFFFFFFFFFFF"'


def etag_of(office: Office, name: str = "house") -> str:
    return dict(office.send("GET", address("knowledgebases", name), None, admin(office)).response.headers)["etag"]


@pytest.mark.parametrize(
    ("condition", "absent", "present"),
    [
        ({}, (201, 404), (200, 204)),
        ({"if-match": "{}"}, (412, 412), (200, 204)),
        ({"if-match": "W/{}"}, (412, 412), (200, 204)),
        ({"if-match": "{bare}"}, (412, 412), (200, 204)),
        ({"if-match": "{lower}"}, (412, 412), (200, 204)),
        ({"if-match": "{former}"}, (412, 412), (412, 412)),
        ({"if-match": NEVER}, (412, 412), (412, 412)),
        ({"if-match": '"other"'}, (412, 412), (412, 412)),
        ({"if-match": '""'}, (412, 412), (412, 412)),
        ({"if-match": "*"}, (412, 412), (200, 204)),
        ({"if-none-match": "*"}, (201, 404), (412, 412)),
        ({"if-none-match": '"*"'}, (201, 404), (412, 412)),
        ({"if-none-match": NEVER}, (400, 400), (400, 400)),
        ({"if-match": "*", "if-none-match": "*"}, (400, 400), (400, 400)),
        ({"if-match": '"0x1", "0x2"'}, (400, 400), (400, 400)),
        ({"if-match": '"0x1'}, (400, 400), (400, 400)),
    ],
)
def test_a_condition_decides_about_put_and_delete(
    office: Office, condition: dict[str, str], absent: tuple[int, int], present: tuple[int, int]
) -> None:
    body, own, at = base("house", "handbook"), admin(office), address("knowledgebases", "house")
    stored(office, "knowledgebases", body)
    former = etag_of(office)

    def sent() -> dict[str, str]:
        tag = former
        if office.send("GET", at, None, own).status == 200:
            tag = etag_of(office)
        texts = {"bare": tag.strip('"'), "lower": tag.lower(), "former": former}
        return {**own, **{name: value.format(tag, **texts) for name, value in condition.items()}}

    for exists, (put_status, delete_status) in ((False, absent), (True, present)):
        for method, status in (("PUT", put_status), ("DELETE", delete_status)):
            office.send("DELETE", at, None, own)
            if exists:
                stored(office, "knowledgebases", body)
                assert etag_of(office) != former
            answer = office.send(method, at, body if method == "PUT" else None, sent())
            assert answer.status == status, (exists, method, answer.response.body)
            is_there = office.send("GET", at, None, own).status == 200
            done = status < 300
            assert is_there == (method == "PUT" if done else exists)
            if not done:
                assert message_of(answer)


def test_any_history_of_conditional_writes_is_that_of_one_cell(office: Office) -> None:
    """Walks through all histories of three writes, each with the answers that a cell with a tag would give."""
    own, at = admin(office), address("knowledgebases", "house")
    steps = ("create", "replace", "delete", "delete stale")
    for history in itertools.product(steps, repeat=3):
        office.send("DELETE", at, None, own)
        tag: str | None = None
        stale = NEVER
        for number, step in enumerate(history):
            current = tag or stale
            if step == "create":
                expected = 201 if tag is None else 412
                answer = office.send("PUT", at, base("house", "handbook"), {**own, "if-none-match": "*"})
            elif step == "replace":
                expected = 412 if tag is None else 200
                body = base("house", "handbook", description=str(number))
                answer = office.send("PUT", at, body, {**own, "if-match": current})
            else:
                expected = 412 if tag is None or step == "delete stale" else 204
                sent = stale if step == "delete stale" else current
                answer = office.send("DELETE", at, None, {**own, "if-match": sent})
            assert answer.status == expected, (history, number, answer.response.body)
            if expected in {200, 201}:
                stale = tag or stale
                tag = dict(answer.response.headers)["etag"]
            elif expected == 204:
                stale, tag = tag or stale, None


def test_a_built_in_definition_is_no_target_of_conditions_and_its_documents_stay(office: Office) -> None:
    own, at = admin(office), address("knowledgebases", "handbook")
    for condition in ({}, {"if-match": "*"}, {"if-match": NEVER}, {"if-none-match": "*"}):
        answer = office.send("DELETE", at, None, {**own, **condition})
        assert answer.status == 404, condition
        assert "handbook" in message_of(answer)
    assert office.send("PUT", at, base("handbook", "kitchen"), {**own, "if-match": "*"}).status == 412
    assert office.retrieve({"intents": [{"type": "semantic", "search": "wheel pump"}]})["references"]


def test_a_stored_definition_hides_the_built_in_one_until_it_is_deleted(office: Office) -> None:
    own, at = admin(office), address("knowledgebases", "handbook")
    question = {"intents": [{"type": "semantic", "search": "soup on Monday"}]}
    assert put(office, "knowledgebases", base("handbook", "kitchen")).status == 201
    assert office.send("GET", at, None, own).payload["knowledgeSources"] == [{"name": "kitchen"}]
    assert [each["title"] for each in office.retrieve(question)["references"]] == ["menu"]
    assert office.send("DELETE", at, None, own).status == 204
    assert office.send("GET", at, None, own).payload["knowledgeSources"] == [{"name": "handbook"}]
    assert all(each["title"] != "menu" for each in office.retrieve(question)["references"])


def opened_keys(office: Office, name: str = "house") -> list[Any]:
    """Return the keys of the models as the planner would use them."""
    definitions = office.world.services.sources.definition_admin
    found = definitions.find(call_of(office), DefinitionKind.KNOWLEDGE_BASE, name)
    body: Any = definitions.open_secrets(call_of(office), found)
    return [each["azureOpenAIParameters"].get("apiKey") for each in body["models"]]


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ([model(None)], [SECRET]),
        ([model(None, modelName="other")], [SECRET]),
        ([model(None, uri="https://MODELS.example/openai/")], [SECRET]),
        ([model(None, uri="https://models.example:8443")], [None]),
        ([model(None, uri="https://models.example.evil.example")], [None]),
        ([model(None, uri="https://evil.example/models.example")], [None]),
        ([model(None, deployment="large")], [None]),
        ([model("new"), model(None)], ["new", None]),
        ([model(None, uri="https://evil.example"), model(None)], [None, None]),
        ([model(None), model(None)], [SECRET, None]),
        ([], []),
    ],
)
def test_a_key_that_a_change_leaves_out_stays_with_its_host_and_deployment_alone(
    office: Office, change: list[dict[str, Any]], kept: list[str | None]
) -> None:
    stored(office, "knowledgebases", base("house", "handbook", models=[model()]))
    stored(office, "knowledgebases", base("house", "handbook", models=change))
    assert opened_keys(office) == kept


def test_a_key_that_was_dropped_does_not_come_back(office: Office) -> None:
    for models in ([model()], [model(None, uri="https://evil.example")], [model(None)]):
        stored(office, "knowledgebases", base("house", "handbook", models=models))
    assert opened_keys(office) == [None]
    stored(office, "knowledgebases", base("house", "handbook", models=[model()]))
    assert office.send("DELETE", address("knowledgebases", "house"), None, admin(office)).status == 204
    stored(office, "knowledgebases", base("house", "handbook", models=[model(None)]))
    assert opened_keys(office) == [None]


def test_a_key_that_is_left_out_of_the_members_is_kept_as_one_that_is_null(office: Office) -> None:
    stored(office, "knowledgebases", base("house", "handbook", models=[model()]))
    without = model()
    del without["azureOpenAIParameters"]["apiKey"]
    stored(office, "knowledgebases", base("house", "handbook", models=[without]))
    assert opened_keys(office) == [SECRET]
