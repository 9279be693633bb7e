"""Stored evaluations of search, for administrators of the whole tenant."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import NotFound
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_EVALUATED_QUESTIONS, MAX_EVALUATIONS
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import PUBLIC, for_tags
from tests.support.registry.evaluations import evaluation, question
from tests.support.worlds.world import World


def stored(world: World, tenant: str, created_at: float = 1_790_000_000.0, **ndcg: float) -> str:
    """Store an evaluation of these questions, and return its id."""
    made = evaluation(created_at=created_at)
    questions = [question(text, "pumps", ndcg=score) for text, score in ndcg.items()]
    world.services.installation.evaluations.add(tenant, made, questions)
    return made.evaluation_id


def test_evaluations_are_listed_the_latest_first_and_shown_with_their_questions(
    world: World, tenant: str, admin: Api
) -> None:
    earlier = stored(world, tenant, 1_790_000_000.0, a=1.0)
    later = stored(world, tenant, 1_790_000_060.0, a=0.5)
    listed = admin.get("/v1/evaluations").json["evaluations"]
    assert [each["id"] for each in listed] == [later, earlier]
    assert (listed[0]["created_at"], listed[0]["operator"]) == ("2026-09-21T14:14:20Z", "ann")
    shown = admin.get(f"/v1/evaluations/{later}").json
    assert shown["evaluation"] == listed[0]
    [row] = shown["per_question"]
    assert (row["text"], row["scores"]["search"]["ndcg_at_10"], row["top"]) == ("a", 0.5, ["pumps"])


def test_two_are_compared_question_by_question_the_largest_loss_first(world: World, tenant: str, admin: Api) -> None:
    earlier = stored(world, tenant, a=1.0, b=0.5, c=0.5, old=1.0)
    later = stored(world, tenant, a=0.25, b=1.0, c=0.5)
    found = admin.get(f"/v1/evaluations/{later}/comparison", earlier=earlier).json
    assert (found["questions"], found["unmatched"], found["gate"]) == (3, 1, None)
    assert (found["better"], found["worse"], found["equal"]) == (1, 1, 1)
    assert found["change"]["mean"] == pytest.approx(-1 / 12)
    assert [(each["id"], each["before"], each["after"]) for each in found["differences"]] == [
        ("a", 1.0, 0.25),
        ("c", 0.5, 0.5),
        ("b", 0.5, 1.0),
    ]


@pytest.mark.parametrize(("max_loss", "passed"), [(0.0, False), (0.2, False), (0.25, True), (1, True)])
def test_the_gate_passes_a_loss_of_the_mean_up_to_its_bound(
    world: World, tenant: str, admin: Api, *, max_loss: float, passed: bool
) -> None:
    earlier, later = stored(world, tenant, a=1.0, b=1.0), stored(world, tenant, a=0.5, b=1.0)
    found = admin.get(f"/v1/evaluations/{later}/comparison", earlier=earlier, max_loss=max_loss).json
    assert found["gate"] == {"max_loss": max_loss, "passed": passed}


def test_evaluations_without_a_common_question_are_not_compared(world: World, tenant: str, admin: Api) -> None:
    earlier, later = stored(world, tenant, a=1.0), stored(world, tenant, b=1.0)
    refused = admin.get(f"/v1/evaluations/{later}/comparison", earlier=earlier)
    assert (refused.status, "no question in common" in refused.json["error"]["message"]) == (400, True)
    assert admin.get(f"/v1/evaluations/{later}/comparison", earlier=earlier, max_loss=2).status == 400
    assert admin.get(f"/v1/evaluations/{later}/comparison").status == 400


def test_a_deleted_evaluation_is_missing_and_the_audit_log_names_it(world: World, tenant: str, admin: Api) -> None:
    made = stored(world, tenant, a=1.0)
    assert admin.delete(f"/v1/evaluations/{made}").json == {"id": made}
    assert admin.get("/v1/evaluations").json == {"evaluations": []}
    missing = admin.delete(f"/v1/evaluations/{made}")
    assert (missing.status, "GET /v1/evaluations lists them" in missing.json["error"]["message"]) == (404, True)
    route = "DELETE /v1/evaluations/{evaluation_id}"
    lines = admin.get("/v1/audit", call=route, outcome="answered").json["rows"]
    assert [line["details"]["evaluation"] for line in lines] == [made]


def test_only_the_last_evaluations_are_kept(world: World, tenant: str, admin: Api) -> None:
    made = [stored(world, tenant, float(number), a=1.0) for number in range(MAX_EVALUATIONS + 2)]
    listed = [each["id"] for each in admin.get("/v1/evaluations").json["evaluations"]]
    assert listed == made[:1:-1]


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fsecrets", "e_0000000000000000", "e_" + "0" * 15 + "%0a", "a" * 300])
def test_a_name_that_is_no_evaluation_is_missing(admin: Api, name: str) -> None:
    for path in (f"/v1/evaluations/{name}/comparison?earlier={name}", f"/v1/evaluations/{name}"):
        place, _, query = path.partition("?")
        assert admin.send("GET", place, b"", query).status in {400, 404}
    assert admin.delete(f"/v1/evaluations/{name}").status in {400, 404}
    # The log has the ids of evaluations alone, and no text of a caller in their place.
    assert not any("evaluation" in line["details"] for line in admin.get("/v1/audit").json["rows"])


def test_evaluations_of_another_tenant_are_as_missing_as_unknown_ones(world: World, tenant: str, admin: Api) -> None:
    foreign, own = stored(world, world.tenant("birch"), a=1.0), stored(world, tenant, a=1.0)
    unknown = "e_ffffffffffffffff"
    assert [each["id"] for each in admin.get("/v1/evaluations").json["evaluations"]] == [own]
    for path in ("/v1/evaluations/{}", f"/v1/evaluations/{own}/comparison?earlier={{}}"):
        answers = []
        for name in (foreign, unknown):
            place, _, query = path.format(name).partition("?")
            answers.append(admin.send("GET", place, b"", query).body.replace(name.encode(), b""))
        assert answers[0] == answers[1]
    assert admin.delete(f"/v1/evaluations/{foreign}").status == 404


def test_an_administrator_with_bounds_gets_one_answer_whatever_is_stored(
    world: World, tenant: str, admin: Api, bounded: Api
) -> None:
    paths = ["/v1/evaluations", "/v1/evaluations/e_ffffffffffffffff"]
    before = [bounded.get(path) for path in paths]
    made = stored(world, tenant, a=1.0)
    assert [bounded.get(path).body for path in paths] == [each.body for each in before]
    assert (
        bounded.get(f"/v1/evaluations/{made}").body == bounded.delete(f"/v1/evaluations/{made}").body == before[1].body
    )
    assert {each.code for each in before} == {"denied"}
    assert admin.get(f"/v1/evaluations/{made}").status == 200


def test_a_deleted_tenant_leaves_no_questions(world: World, tenant: str) -> None:
    stored(world, tenant, quillwort=1.0)
    deleted = world.services.administration.tenant_admin.delete(tenant)
    assert deleted["evaluations"] == 1
    files = [file for file in (world.services.settings.home / "tenants").rglob("*") if file.is_file()]
    assert not any(b"quillwort" in file.read_bytes() for file in files)


def test_an_evaluation_that_ends_after_the_deletion_of_its_tenant_is_not_stored(world: World, tenant: str) -> None:
    world.services.administration.tenant_admin.delete(tenant)
    with pytest.raises(NotFound):
        stored(world, tenant, quillwort=1.0)
    assert not (world.services.settings.home / "tenants" / tenant).exists()


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"{}\n[]"])
def test_a_damaged_evaluation_is_left_out_and_hides_no_other_one(
    world: World, tenant: str, admin: Api, content: bytes
) -> None:
    damaged, own = stored(world, tenant, a=1.0), stored(world, tenant, a=1.0)
    _file(world, tenant, damaged).write_bytes(content)
    assert [each["id"] for each in admin.get("/v1/evaluations").json["evaluations"]] == [own]
    for path in (f"/v1/evaluations/{damaged}", f"/v1/evaluations/{own}/comparison?earlier={damaged}"):
        place, _, query = path.partition("?")
        assert admin.send("GET", place, b"", query).code == "unavailable"
    assert admin.delete(f"/v1/evaluations/{damaged}").status == 200


@pytest.mark.parametrize("content", ["", "[", "{}", "[1]"])
def test_an_evaluation_with_damaged_questions_is_no_failure_of_the_server(
    world: World, tenant: str, admin: Api, content: str
) -> None:
    damaged, own = stored(world, tenant, a=1.0), stored(world, tenant, a=1.0)
    path = _file(world, tenant, damaged)
    path.write_text(f"{path.read_text().splitlines()[0]}\n{content}")
    for route in (f"/v1/evaluations/{damaged}", f"/v1/evaluations/{own}/comparison?earlier={damaged}"):
        place, _, query = route.partition("?")
        assert admin.send("GET", place, b"", query).code == "unavailable"


def test_an_evaluation_that_is_deleted_while_the_list_is_read_is_left_out(
    world: World, tenant: str, admin: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, own = stored(world, tenant, a=1.0), stored(world, tenant, a=1.0)
    find = Path.glob

    def find_and_delete(folder: Path, pattern: str) -> list[Path]:
        found = [*find(folder, pattern)]
        _file(world, tenant, first).unlink(missing_ok=True)
        return found

    monkeypatch.setattr(Path, "glob", find_and_delete)
    assert [each["id"] for each in admin.get("/v1/evaluations").json["evaluations"]] == [own]


def _file(world: World, tenant: str, evaluation_id: str) -> Path:
    return world.services.settings.home / "tenants" / tenant / "evaluations" / f"{evaluation_id}.json"


def judged(name: str, text: str, relevant: Mapping[str, int], **who: object) -> dict[str, object]:
    return {"id": name, "text": text, "relevant": dict(relevant), **who}


def test_questions_of_a_call_are_measured_with_the_rights_of_their_users_and_stored(world: World, tenant: str) -> None:
    admin = api(key(world, tenant, Scope.ADMIN, options=replace(USUAL_OPTIONS, may_search_as=True)))
    world.ingest(tenant, "The blue pump of the cellar.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    world.ingest(tenant, "Zebras eat grass.", for_tags("a"), path="/n/zebras.md", doc_id="zebras")
    questions = [
        judged("1", "blue pump", {"pumps.md": 1}),
        judged("2", "What do zebras eat?", {"zebras": 2}, tags=["a"]),
        judged("3", "What do zebras eat?", {"zebras": 2, "nowhere": 1}, user="ann"),
    ]
    made = admin.post("/v1/evaluations", name="animals", questions=questions)
    assert made.status == 201
    evaluated = made.json["evaluation"]
    assert (evaluated["name"], evaluated["questions"], evaluated["documents"]) == ("animals", 3, 2)
    assert made.json["unknown"] == ["nowhere"]
    scores = [each["scores"]["search"]["ndcg_at_10"] for each in made.json["per_question"]]
    assert (scores[:2], "zebras" in made.json["per_question"][2]["top"]) == ([1.0, 1.0], False)
    shown = admin.get(f"/v1/evaluations/{evaluated['id']}").json
    assert shown == {"evaluation": evaluated, "per_question": made.json["per_question"]}
    log = (world.services.settings.home / "audit.jsonl").read_text()
    [line] = [each for each in log.splitlines() if '"POST /v1/evaluations"' in each]
    assert f'"questions":3,"evaluation":"{evaluated["id"]}"' in line
    assert "zebras eat" not in line


@pytest.mark.parametrize(
    "questions",
    [
        [],
        [judged("1", "pump", {})],
        [judged("1", "pump", {"pumps": 0})],
        [judged("1", "pump", {"pumps": 1}), judged("1", "pumps", {"pumps": 1})],
        [judged(str(number), "pump", {"pumps": 1}) for number in range(MAX_EVALUATED_QUESTIONS + 1)],
    ],
)
def test_questions_that_cannot_be_measured_are_refused_and_nothing_is_stored(
    world: World, tenant: str, admin: Api, questions: list[dict[str, object]]
) -> None:
    world.ingest(tenant, "The blue pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    assert admin.post("/v1/evaluations", name="n", questions=questions).status == 400
    assert admin.get("/v1/evaluations").json == {"evaluations": []}


@pytest.mark.parametrize("person", [{"user": "ann"}, {"tags": ["a"]}])
def test_questions_of_other_people_need_the_right_to_search_as_them(
    world: World, tenant: str, admin: Api, person: dict[str, object]
) -> None:
    world.ingest(tenant, "Zebras eat grass.", for_tags("a"), path="/n/zebras.md", doc_id="zebras")
    questions = [judged("1", "What do zebras eat?", {"zebras": 2}, **person)]
    refused = admin.post("/v1/evaluations", name="n", questions=questions)
    assert (refused.status, "may_search_as" in refused.json["error"]["message"]) == (403, True)
    assert world.services.installation.evaluations.all(tenant) == []


def test_only_an_administrator_without_bounds_evaluates(world: World, tenant: str, bounded: Api) -> None:
    world.ingest(tenant, "The blue pump.", PUBLIC, path="/n/pumps.md", doc_id="pumps")
    questions = [judged("1", "pump", {"pumps": 1})]
    for caller in (bounded, api(key(world, tenant, Scope.SEARCH, Scope.INGEST))):
        assert caller.post("/v1/evaluations", name="n", questions=questions).status == 403
    assert world.services.installation.evaluations.all(tenant) == []
