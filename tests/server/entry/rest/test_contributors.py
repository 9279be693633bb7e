"""Who contributed a document: a key with `ingest` alone deletes, narrows and replaces only what is its own."""

import hashlib
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor
from groundwire.services.ingest.request import IngestRequest
from tests.server.entry.rest.api import Api, Reply, api, key
from tests.server.entry.rest.test_documents import CLOSED, put
from tests.support.documents.mail_parser import Mails, mail
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World

TEXT: Final = b"Text of d-1.\n"
ANN_ALONE: Final = CLOSED | {"users": ["ann"]}
DECISIONS: Final = ("delete", "set_policy", "set_policy_until_next_run", "close", "lift", "replace")


def order(doc_id: str, **members: Any) -> dict[str, Any]:
    """A ticket's order for another version of the document."""
    sha256 = hashlib.sha256(TEXT).hexdigest()
    file = {"collection": "default", "file_name": "d-1.md", "size": len(TEXT), "sha256": sha256}
    return {**file, "policy": ANN_ALONE, "doc_id": doc_id, **members}


def decide(owner: Api, decision: str, doc_id: str) -> Reply:
    """The answer to one of `DECISIONS`."""
    path = f"/v1/documents/{doc_id}"
    match decision:
        case "delete":
            return owner.delete(path)
        case "set_policy":
            return owner.put(f"{path}/policy", **ANN_ALONE)
        case "set_policy_until_next_run":
            return owner.put(f"{path}/policy", **ANN_ALONE, until_next_run=True)
        case "replace":
            return owner.post("/v1/uploads", **order(doc_id))
        case _:
            return owner.post(f"{path}/{decision}")


def stored(world: World, tenant: str, doc_id: str) -> Document:
    return world.services.stores.documents.read(tenant, [doc_id])[doc_id]


@pytest.fixture
def ann(world: World, tenant: str) -> Api:
    """A key of the scopes search and ingest."""
    return api(key(world, tenant, Scope.INGEST, Scope.SEARCH, user="ann"))


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("by", [None, "ben"], ids=["an earlier release", "another user"])
def test_a_reader_with_ingest_decides_nothing_about_what_somebody_else_contributed(
    world: World, tenant: str, ann: Api, decision: str, by: str | None
) -> None:
    put(world, tenant, "d-1", PUBLIC, by=by)
    before = stored(world, tenant, "d-1")

    refused = decide(ann, decision, "d-1")

    assert (refused.status, refused.code) == (403, "denied")
    assert "`share`" in refused.json["error"]["message"]
    assert stored(world, tenant, "d-1") == before


@pytest.mark.parametrize("decision", [each for each in DECISIONS if each != "replace"])
def test_for_a_key_that_may_not_read_a_document_it_does_not_exist(
    world: World, tenant: str, ann: Api, decision: str
) -> None:
    put(world, tenant, "d-1", for_users("ben"), by="ben")

    answers = [decide(ann, decision, name) for name in ("d-1", "d-2")]

    assert [each.status for each in answers] == [404, 404]
    assert answers[0].body.replace(b"d-1", b"d-2") == answers[1].body


@pytest.mark.parametrize("decision", DECISIONS)
def test_a_key_decides_about_what_its_user_contributed(world: World, tenant: str, ann: Api, decision: str) -> None:
    put(world, tenant, "d-1", for_users("ann"), by="ann")
    assert decide(ann, decision, "d-1").status in {200, 201}


def test_the_name_of_an_operator_is_not_that_of_a_user(world: World, tenant: str, ann: Api) -> None:
    text = TEXT.decode()
    world.ingest(tenant, text, PUBLIC, path="d-1.md", doc_id="d-1", contributor=Contributor("", "ann"))

    assert ann.delete("/v1/documents/d-1").status == 403


def test_users_of_one_agent_do_not_decide_for_each_other(world: World, tenant: str) -> None:
    agent = world.acting_key(tenant, scopes=frozenset({Scope.INGEST}))
    own = Contributor(agent.key.kid, "")
    world.ingest(tenant, TEXT.decode(), PUBLIC, path="d-1.md", doc_id="d-1", contributor=own)
    world.ingest(tenant, "Of Ben.\n", PUBLIC, path="d-2.md", doc_id="d-2", contributor=Contributor(own.key, "ben"))
    acting = api(agent)

    for doc_id in ("d-1", "d-2"):
        assert acting.stating(x_user_id="ann").delete(f"/v1/documents/{doc_id}").status == 403
    assert acting.delete("/v1/documents/d-2").status == 403
    assert acting.delete("/v1/documents/d-1").status == 200
    assert acting.stating(x_user_id="ben").delete("/v1/documents/d-2").status == 200


def test_a_version_by_somebody_else_ends_the_right_of_the_contributor_and_the_same_content_does_not(
    world: World, tenant: str, ann: Api, admin: Api
) -> None:
    ticket = ann.post("/v1/uploads", **order("d-1")).json["ticket"]
    upload = world.services.stores.uploads.get(tenant, ticket)
    assert upload is not None
    first = upload.contributor
    assert first.user == "ann"
    assert first.key

    other, another_key_of_ann = Contributor("other", "ben"), Contributor("another", "ann")
    steps = (
        (TEXT.decode(), first, first),
        (TEXT.decode(), other, first),
        ("A second text.\n", another_key_of_ann, first),
        ("A third text.\n", other, other),
        ("A fourth text.\n", NO_CONTRIBUTOR, NO_CONTRIBUTOR),
    )
    for text, contributor, expected in steps:
        world.ingest(tenant, text, for_users("ann"), path="d-1.md", doc_id="d-1", contributor=contributor)
        assert stored(world, tenant, "d-1").contributor == expected
        shown = admin.get("/v1/documents/d-1").json
        assert (shown.get("contributed_by") or "", shown.get("contributed_key") or "") == (expected.user, expected.key)
    assert ann.delete("/v1/documents/d-1").status == 403


def test_a_document_that_ended_belongs_to_whoever_ingests_under_its_id(
    world: World, tenant: str, ann: Api, admin: Api
) -> None:
    put(world, tenant, "d-1", PUBLIC, by="ann")
    admin.delete("/v1/documents/d-1")
    put(world, tenant, "d-1", PUBLIC, by="ben")

    assert ann.delete("/v1/documents/d-1").status == 403


def test_a_limit_by_a_key_that_may_only_ingest_goes_with_the_content_to_files_of_its_user_alone(
    world: World, tenant: str, ann: Api, admin: Api, tmp_path: Path
) -> None:
    def put_file(name: str, text: str, contributor: Contributor, doc_id: str | None = None) -> Document:
        # Its file is there, so that no other one is taken for it under a new name.
        path = tmp_path / name
        path.touch()
        came = world.ingest(tenant, text, PUBLIC, path=str(path), doc_id=doc_id, contributor=contributor)
        assert came.document is not None
        return came.document

    of_ann, known, limited = Contributor("another", "ann"), "Known bytes.\n", "Other bytes.\n"
    put_file("own.md", known, of_ann, "d-1")
    put_file("limited.md", limited, of_ann, "d-2")
    assert ann.post("/v1/documents/d-1/close").status == 200
    assert admin.post("/v1/documents/d-2/close").status == 200

    assert put_file("operator.md", known, NO_CONTRIBUTOR).ceiling is None
    assert put_file("ben.md", known, Contributor("key", "ben")).ceiling is None
    assert put_file("ann.md", known, of_ann).ceiling is not None
    assert put_file("copy.md", limited, NO_CONTRIBUTOR).ceiling is not None
    # Nor where the content has left the document since.
    put_file("own.md", "Second text.\n", of_ann, "d-1")
    assert put_file("again.md", known, NO_CONTRIBUTOR).ceiling is None
    assert stored(world, tenant, "d-1").ceiling is not None


@pytest.mark.parametrize("decider", ["its contributor", "an administrator"])
def test_another_content_by_somebody_else_ends_the_limit_of_a_key_that_may_only_ingest_and_no_other(
    world: World, tenant: str, ann: Api, admin: Api, decider: str
) -> None:
    exchange(world.services, parser=Mails())
    own, early = Contributor("another", "ann"), mail("Taken early.", {})
    world.ingest(tenant, early, PUBLIC, path="m.eml", doc_id="m-1", contributor=own)
    decides = ann if decider == "its contributor" else admin
    assert decides.post("/v1/documents/m-1/close").status == 200

    world.ingest(tenant, early, PUBLIC, path="m.eml", doc_id="m-1")
    same_content = stored(world, tenant, "m-1").ceiling
    request = IngestRequest(
        tenant,
        "default",
        "m.eml",
        "m.eml",
        lambda: mail("See the list.", {"list.txt": b"New pumps."}),
        DeclaredPolicy(PUBLIC, None),
        "m-1",
        None,
        contributor=NO_CONTRIBUTOR,
    )
    planned = world.services.ingestion.planner(reads=False)(request).after
    [letter, attachment] = world.services.ingestion.batch(tenant, "default", [request], lambda _done, _total: None)

    assert same_content is not None
    for each in (letter.document, attachment.document):
        assert each is not None
        assert (each.ceiling is None) is (decider == "its contributor")
        assert each.contributor == NO_CONTRIBUTOR
        assert planned == each.readers


def test_a_contributor_restores_the_readers_that_it_removed_and_not_those_that_another_removed(
    world: World, tenant: str, ann: Api, admin: Api
) -> None:
    put(world, tenant, "d-1", PUBLIC, by="ann")

    assert ann.post("/v1/documents/d-1/close").status == 200
    assert ann.post("/v1/documents/d-1/lift").json["ceiling"] is None
    admin.put("/v1/documents/d-1/policy", **ANN_ALONE)
    for decision in ("set_policy", "close", "lift", "replace"):
        assert decide(ann, decision, "d-1").status == 403
    assert stored(world, tenant, "d-1").contributor != NO_CONTRIBUTOR


def test_a_contributor_does_not_restore_what_somebody_with_the_right_deleted(
    world: World, tenant: str, ann: Api, admin: Api
) -> None:
    put(world, tenant, "d-1", for_users("ann"), by="ann")
    admin.delete("/v1/documents/d-1")

    assert ann.post("/v1/deletions/d-1/restore").status == 404
    assert ann.post("/v1/uploads", **order("d-1", restore=True)).status == 403
