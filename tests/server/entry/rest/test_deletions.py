"""Deletions over REST: whoever decides about a document sees and ends its deletion; for all others there is none."""

import hashlib
from typing import Any, Final

from groundwire.domain.access.scopes import Scope
from groundwire.domain.audit.deletions import later_deletions
from groundwire.domain.documents.deletion import DeletionExtent
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor
from tests.server.entry.rest.api import Api, api, key
from tests.server.entry.rest.test_documents import CLOSED, INGEST, put
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.world import World

TEXT: Final = b"Text of d-1.\n"


def order(**members: Any) -> dict[str, Any]:
    sha256 = hashlib.sha256(TEXT).hexdigest()
    return {
        "collection": "default",
        "file_name": "copy.md",
        "size": len(TEXT),
        "sha256": sha256,
        "policy": CLOSED,
        **members,
    }


def test_a_deletion_is_listed_with_who_decided_and_why_and_ended_by_a_restoration(
    world: World, tenant: str, admin: Api
) -> None:
    put(world, tenant, "d-1", for_users("ann"))
    assert admin.send("DELETE", "/v1/documents/d-1", b"", "reason=contract%20ended").status == 200
    [row] = admin.get("/v1/deletions").json["documents"]
    assert (row["doc_id"], row["collection"], row["decision_reason"]) == ("d-1", "default", "contract ended")
    assert row["decided_at"]
    assert row["decided_key"]
    assert admin.post("/v1/deletions/d-1/restore").status == 200
    assert admin.get("/v1/deletions").json == {"documents": [], "next": None}


def test_for_a_key_that_does_not_decide_a_deletion_is_answered_like_an_unknown_one(
    world: World, tenant: str, admin: Api
) -> None:
    put(world, tenant, "d-1", for_users("ann"))
    admin.send("DELETE", "/v1/documents/d-1", b"")
    other = api(key(world, tenant, INGEST, user="ben"))
    assert other.get("/v1/deletions").json["documents"] == []
    for method, path in (("POST", "/v1/deletions/{}/restore"), ("DELETE", "/v1/deletions/{}")):
        answers = [other.send(method, path.format(name), b"") for name in ("d-1", "d-2")]
        assert [each.status for each in answers] == [404, 404]
        texts = [str(each.json["error"]["message"]) for each in answers]
        assert texts[0].replace("d-1", "d-2") == texts[1]


def test_a_ticket_that_restores_is_refused_by_the_right_of_the_key_whether_or_not_somebody_deleted_the_content(
    world: World, tenant: str, admin: Api
) -> None:
    world.ingest(tenant, TEXT.decode(), for_users("ann"), path="d-1.md", doc_id="d-1")
    other = api(key(world, tenant, INGEST, user="ben"))
    before = other.post("/v1/uploads", **order(restore=True))
    admin.send("DELETE", "/v1/documents/d-1", b"")
    after = other.post("/v1/uploads", **order(restore=True))
    assert (before.status, before.json["error"]["message"]) == (after.status, after.json["error"]["message"])
    assert after.status == 403
    assert other.post("/v1/uploads", **order()).status == 201
    sharing = api(key(world, tenant, INGEST, Scope.SHARE, user="ben"))
    assert sharing.post("/v1/uploads", **order(restore=True)).status == 201


def test_a_key_that_deleted_a_document_itself_restores_it_by_a_ticket_with_its_id(world: World, tenant: str) -> None:
    put(world, tenant, "d-1", for_users("ann"), by="ann")
    reader = api(key(world, tenant, INGEST, user="ann"))
    reader.send("DELETE", "/v1/documents/d-1", b"")
    policy = CLOSED | {"users": ["ann"]}
    assert reader.post("/v1/uploads", **order(restore=True, doc_id="d-1", policy=policy)).status == 201
    assert reader.post("/v1/uploads", **order(restore=True, policy=policy)).status == 403


def test_a_ticket_for_a_document_that_the_key_deleted_itself_ends_no_deletion_of_the_same_content_by_others(
    world: World, tenant: str, admin: Api
) -> None:
    world.ingest(tenant, TEXT, for_users("ann"), path="theirs.md", doc_id="theirs")
    assert admin.send("DELETE", "/v1/documents/theirs", b"").status == 200
    put(world, tenant, "mine", for_users("ann"), by="ann")
    own = api(key(world, tenant, INGEST, user="ann"))
    own.send("DELETE", "/v1/documents/mine", b"")
    sharing = api(key(world, tenant, INGEST, Scope.SHARE, user="olga"))
    tickets = world.services.stores.uploads
    for caller, restores_content in ((own, False), (sharing, True)):
        policy = CLOSED | {"users": ["ann"]}
        issued = caller.post("/v1/uploads", **order(restore=True, doc_id="mine", policy=policy))
        assert issued.status == 201, issued.json
        upload = tickets.get(tenant, issued.json["ticket"])
        assert upload is not None
        assert (upload.restores, upload.restores_content) == (True, restores_content)
    outcome = world.ingest(tenant, TEXT, PUBLIC, path="mine.md", doc_id="mine", restores="its document")
    assert outcome.status.value == "held_back"
    outcome = world.ingest(tenant, TEXT, PUBLIC, path="mine.md", doc_id="mine", restores=True)
    assert outcome.status.value == "indexed"


def test_a_key_that_contributes_and_deletes_known_bytes_holds_them_back_for_nobody(
    world: World, tenant: str, admin: Api
) -> None:
    text = TEXT.decode()
    contributor = api(key(world, tenant, INGEST, user="ann"))
    put(world, tenant, "d-1", for_users("ann"), by="ann")
    assert contributor.send("DELETE", "/v1/documents/d-1", b"").status == 200
    copy = world.ingest(tenant, text, for_users("ben"), path="copy.md", doc_id="copy", restores=False)
    assert copy.status.value == "indexed"
    assert admin.send("DELETE", "/v1/documents/copy", b"").status == 200
    again = world.ingest(tenant, text, for_users("ben"), path="again.md", restores=False)
    assert again.status.value == "held_back"


def test_a_key_that_reads_a_document_but_does_not_decide_ends_no_deletion_of_another_key(
    world: World, tenant: str, admin: Api
) -> None:
    put(world, tenant, "d-1", for_users("ann"))
    admin.send("DELETE", "/v1/documents/d-1", b"")
    reader = api(key(world, tenant, INGEST, user="ann"))
    assert reader.post("/v1/deletions/d-1/restore").status == 404
    assert reader.post("/v1/uploads", **order(restore=True, doc_id="d-1")).status == 403
    put(world, tenant, "d-2", for_users("ann"), by="ann")
    assert reader.send("DELETE", "/v1/documents/d-2", b"").status == 200
    assert reader.post("/v1/deletions/d-2/restore").status == 200


def test_a_key_without_the_right_to_lift_a_ceiling_neither_forgets_nor_replaces_its_document(
    world: World, tenant: str, admin: Api
) -> None:
    put(world, tenant, "d-1", PUBLIC, by="ann")
    limited = admin.put("/v1/documents/d-1/policy", **CLOSED | {"users": ["ann"]})
    assert limited.status == 200, limited.json
    reader = api(key(world, tenant, INGEST, user="ann"))
    replacing = order(doc_id="d-1", policy=CLOSED | {"users": ["ann"]})
    assert reader.post("/v1/uploads", **replacing).status == 403
    assert reader.send("DELETE", "/v1/documents/d-1", b"").status == 200
    # Its own deletion can be ended, as the ceiling returns with the document; forgotten, it would not.
    assert reader.send("DELETE", "/v1/deletions/d-1", b"").status == 404
    assert reader.post("/v1/deletions/d-1/restore").status == 200


def test_a_deletion_by_a_key_that_may_only_ingest_holds_back_its_own_files_and_those_of_nobody_else(
    world: World, tenant: str
) -> None:
    # An id that is made from a path can be made by everybody who knows the path.
    put(world, tenant, "file_1", for_users("ann"), by="ann")
    own = api(key(world, tenant, INGEST, user="ann"))
    assert own.send("DELETE", "/v1/documents/file_1", b"").status == 200
    ann, others = Contributor("key", "ann"), (Contributor("key", "ben"), NO_CONTRIBUTOR)
    text = "Another text.\n"
    again = world.ingest(tenant, text, PUBLIC, path="a.md", doc_id="file_1", restores=False, contributor=ann)
    assert again.status.value == "held_back"
    for number, other in enumerate(others):
        content = f"Text {number}.\n"
        came = world.ingest(tenant, content, PUBLIC, path="a.md", doc_id="file_1", restores=False, contributor=other)
        assert (came.status.value, came.document and came.document.doc_id) == ("indexed", "file_1")
        assert own.send("DELETE", "/v1/documents/file_1", b"").status == 403


def test_a_deletion_by_a_key_that_shares_holds_back_the_files_of_everybody(world: World, tenant: str) -> None:
    put(world, tenant, "file_1", for_users("ann"), by="ann")
    sharing = api(key(world, tenant, INGEST, Scope.SHARE, user="ann"))
    assert sharing.send("DELETE", "/v1/documents/file_1", b"").status == 200
    for other in (Contributor("key", "ann"), Contributor("key", "ben"), NO_CONTRIBUTOR):
        came = world.ingest(tenant, "B.\n", PUBLIC, path="a.md", doc_id="file_1", restores=False, contributor=other)
        assert came.status.value == "held_back"


def test_the_log_knows_that_a_deletion_ended_with_the_file_of_somebody_else(world: World, tenant: str) -> None:
    put(world, tenant, "file_1", for_users("ann"), by="ann")
    own = api(key(world, tenant, INGEST, user="ann"))
    assert own.send("DELETE", "/v1/documents/file_1", b"").status == 200
    lines = world.services.stores.audit.read(1_000)
    assert later_deletions(lines, frozenset()).documents[tenant, "file_1"].extent is DeletionExtent.OWN
    world.ingest(tenant, "B.\n", PUBLIC, path="a.md", doc_id="file_1", restores=False)
    assert (tenant, "file_1") not in later_deletions(world.services.stores.audit.read(1_000), frozenset()).documents


def test_lifting_a_deletion_removes_the_ceiling_of_its_key_and_keeps_those_of_others(
    world: World, tenant: str, admin: Api
) -> None:
    own = api(key(world, tenant, INGEST, user="ann"))
    for doc_id, limiting in (("file_1", own), ("file_2", admin)):
        put(world, tenant, doc_id, for_users("ann"), by="ann")
        assert limiting.put(f"/v1/documents/{doc_id}/policy", **CLOSED | {"users": ["ann"]}).status == 200
        assert own.send("DELETE", f"/v1/documents/{doc_id}", b"").status == 200
        world.ingest(tenant, f"Of all, {doc_id}.\n", PUBLIC, path=f"{doc_id}.md", doc_id=doc_id, restores=False)
    left = world.services.stores.documents.read(tenant, ["file_1", "file_2"])
    assert [left[doc_id].policy for doc_id in ("file_1", "file_2")] == [PUBLIC, PUBLIC]
    assert [left[doc_id].ceiling is None for doc_id in ("file_1", "file_2")] == [True, False]
