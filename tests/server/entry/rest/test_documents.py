"""Documents over REST: an owner's key sees and changes those that are its business, and all others are not there."""

from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor
from groundwire.domain.limits import MAX_DOCUMENTS_PAGE, MAX_RECORDS_SCANNED
from groundwire.entry.serialization.entities import document_to_json
from tests.server.entry.rest.api import Api, api, key
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.document_library import keep, record
from tests.support.worlds.world import World, caller

INGEST: Final = Scope.INGEST
CLOSED: Final[dict[str, Any]] = {"public": False, "users": [], "any_tags": [], "all_tags": []}


def tagged(*tags: str) -> Policy:
    return Policy(public=False, users=frozenset(), any_tags=frozenset(tags), all_tags=frozenset())


def put(
    world: World, tenant: str, doc_id: str, policy: Policy, collection: str = "default", *, by: str | None = None
) -> None:
    """Ingest a document that a key of the user `by` contributed, or the operator."""
    contributor = NO_CONTRIBUTOR if by is None else Contributor("key", by)
    text, path = f"Text of {doc_id}.\n", f"{doc_id}.md"
    world.ingest(tenant, text, policy, path=path, doc_id=doc_id, collection=collection, contributor=contributor)


def ids(reply: Any) -> list[str]:
    return [document["doc_id"] for document in reply.json["documents"]]


def test_a_record_is_what_the_registry_holds(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", for_users("ann"))
    stored = world.services.stores.documents.read(tenant, ["d-1"])["d-1"]

    shown = admin.get("/v1/documents/d-1").json

    assert shown == document_to_json(stored)
    assert admin.get("/v1/documents").json == {"documents": [shown], "next": None}


@pytest.mark.parametrize(
    ("method", "path", "route"),
    [
        ("GET", "/v1/documents/none", "GET /v1/documents lists them."),
        ("DELETE", "/v1/collections/none", "GET /v1/collections lists them."),
        ("DELETE", "/v1/keys/4fGh7Kq2LmNp", "GET /v1/keys lists them."),
    ],
)
def test_an_error_about_a_name_gives_the_route_that_lists_them_and_no_command(
    admin: Api, method: str, path: str, route: str
) -> None:
    message = admin.send(method, path, b"").json["error"]["message"]
    assert message.endswith(route)
    assert "groundwire" not in message


def test_the_text_of_passages_is_shown_to_keys_that_may_search_and_read_the_document(
    world: World, tenant: str, admin: Api
) -> None:
    put(world, tenant, "d-1", PUBLIC)
    put(world, tenant, "d-2", for_users("ann"))
    ingesting, both = (api(key(world, tenant, *scopes)) for scopes in ((INGEST,), (INGEST, Scope.SEARCH)))

    def text(client: Api, doc_id: str) -> object:
        [passage] = client.get(f"/v1/documents/{doc_id}", segments="true").json["passages"]
        assert (passage["ordinal"], passage["characters"]) == (0, len("Text of d-1."))
        shown = [passage[name] for name in ("headline", "summary", "keywords", "heading_path", "windows")]
        assert any(shown) is (passage["text"] is not None)
        return passage["text"]

    assert [text(client, "d-1") for client in (admin, both, ingesting)] == ["Text of d-1.", "Text of d-1.", None]
    assert text(admin, "d-2") is None
    assert text(api(key(world, tenant, Scope.ADMIN, user="ann")), "d-2") == "Text of d-2."


def test_a_passage_with_text_has_a_link_that_its_reader_can_open_and_one_without_has_none(
    world: World, tenant: str, admin: Api
) -> None:
    put(world, tenant, "d-1", for_users("ann"))
    reader = api(key(world, tenant, Scope.ADMIN, Scope.SEARCH, user="ann"))
    [passage] = reader.get("/v1/documents/d-1", segments="true").json["passages"]
    parts = urlsplit(passage["source_url"])
    page = world.request("GET", f"{parts.path}?{parts.query}&as=passage", {"accept": "text/html"}, b"")
    assert b"<mark>Text of d-1.</mark>" in page.response.body
    [closed] = admin.get("/v1/documents/d-1", segments="true").json["passages"]
    assert (closed["text"], closed["source_url"]) == (None, None)


def test_many_passages_come_in_parts(world: World, tenant: str, admin: Api) -> None:
    text = "\n\n".join(f"Paragraph {number}." for number in range(250))
    world.ingest(tenant, text, PUBLIC, path="d-1.md", doc_id="d-1")

    first = admin.get("/v1/documents/d-1", segments="true").json
    second = admin.get("/v1/documents/d-1", segments="true", from_passage=first["next_passage"]).json

    found = [passage["ordinal"] for page in (first, second) for passage in page["passages"]]
    assert (found, second["next_passage"]) == (list(range(first["segments"])), None)


def test_no_more_passages_come_than_are_requested(world: World, tenant: str, admin: Api) -> None:
    text = "\n\n".join(f"Paragraph {number}." for number in range(30))
    world.ingest(tenant, text, PUBLIC, path="d-1.md", doc_id="d-1")

    page = admin.get("/v1/documents/d-1", segments="true", from_passage=5, max_passages=10).json

    assert [passage["ordinal"] for passage in page["passages"]] == list(range(5, 15))
    assert (page["segments"], page["next_passage"]) == (30, 15)
    refused = [admin.get("/v1/documents/d-1", segments="true", max_passages=number).code for number in (0, 201)]
    assert refused == ["invalid", "invalid"]


def test_pages_lead_from_one_to_the_next_and_end(world: World, tenant: str, admin: Api) -> None:
    for number in range(5):
        put(world, tenant, f"d-{number}", PUBLIC)

    first = admin.get("/v1/documents", limit=2)
    second = admin.get("/v1/documents", limit=2, after=first.json["next"])
    third = admin.get("/v1/documents", limit=2, after=second.json["next"])

    assert [ids(page) for page in (first, second, third)] == [["d-0", "d-1"], ["d-2", "d-3"], ["d-4"]]
    assert third.json["next"] is None


def test_a_list_can_be_of_one_collection(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", PUBLIC)
    put(world, tenant, "d-2", PUBLIC, "prices")

    assert ids(admin.get("/v1/documents", collection="prices")) == ["d-2"]
    assert ids(admin.get("/v1/documents", collection="none")) == []


@pytest.mark.parametrize("limit", ["0", "-1", str(MAX_DOCUMENTS_PAGE + 1), "many"])
def test_a_page_of_another_size_is_refused(admin: Api, limit: str) -> None:
    assert admin.get("/v1/documents", limit=limit).code == "invalid"


def test_a_cursor_is_good_for_its_own_list_and_key_only(world: World, tenant: str, admin: Api) -> None:
    for number in range(3):
        put(world, tenant, f"d-{number}", PUBLIC)
    cursor = admin.get("/v1/documents", limit=1).json["next"]
    colleague = api(key(world, tenant, Scope.ADMIN))
    stranger = api(key(world, world.tenant("blue"), Scope.ADMIN))

    refused = [
        colleague.get("/v1/documents", after=cursor),
        stranger.get("/v1/documents", after=cursor),
        admin.get("/v1/documents", after=cursor, collection="default"),
        admin.get("/v1/documents", after=cursor[:-2] + "xx"),
        admin.get("/v1/documents", after="d-1"),
        admin.get("/v1/documents", after=""),
    ]

    assert {(answer.status, answer.body) for answer in refused} == {(400, refused[0].body)}
    assert ids(admin.get("/v1/documents", limit=1, after=cursor)) == ["d-1"]


def test_a_cursor_does_not_show_how_long_the_id_of_a_hidden_document_is(world: World, tenant: str) -> None:
    made = [f"{number:04}-{'x' * (number % 97)}" for number in range(3 * MAX_RECORDS_SCANNED)]
    keep(world, tenant, *(record(each, policy=NO_READERS) for each in made))
    owner = api(key(world, tenant, INGEST))
    cursors = [owner.get("/v1/documents").json["next"]]
    while following := owner.get("/v1/documents", after=cursors[-1]).json["next"]:
        cursors.append(following)

    assert len(cursors) > 1
    assert len({len(each) for each in cursors}) == 1


def test_a_new_policy_counts_from_the_next_call_on(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", PUBLIC)
    reader = caller(world.acting_key(tenant), "ann", frozenset())
    assert world.search(reader, "Text").segments

    closed = admin.put("/v1/documents/d-1/policy", **CLOSED | {"users": ["bob"]})

    assert closed.json["ceiling"]["policy"]["users"] == ["bob"]
    assert (closed.status, closed.json["policy_version"]) == (200, 2)
    assert world.search(reader, "Text").segments == []


def test_a_policy_until_the_next_run_replaces_the_declared_one(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", PUBLIC)
    only_bob = CLOSED | {"users": ["bob"], "until_next_run": True}
    for _ in range(2):
        replaced = admin.put("/v1/documents/d-1/policy", **only_bob).json
        assert (replaced["policy"]["users"], replaced["ceiling"], replaced["policy_version"]) == (["bob"], None, 2)


def test_lifting_the_ceiling_of_a_hidden_document_makes_it_readable_again(
    world: World, tenant: str, admin: Api
) -> None:
    put(world, tenant, "d-1", PUBLIC)
    reader = caller(world.acting_key(tenant), "ann", frozenset())
    closed = admin.post("/v1/documents/d-1/close").json
    assert (closed["ceiling"]["policy"], closed["ceiling"]["decided_by"]) == (CLOSED, "olga")
    assert world.search(reader, "Text").segments == []
    assert admin.post("/v1/documents/d-1/lift").json["ceiling"] is None
    assert world.search(reader, "Text").segments


@pytest.mark.parametrize("left_out", sorted(CLOSED))
def test_a_policy_is_given_whole(world: World, tenant: str, admin: Api, left_out: str) -> None:
    put(world, tenant, "d-1", PUBLIC)
    stated = {name: value for name, value in CLOSED.items() if name != left_out}

    assert left_out in admin.put("/v1/documents/d-1/policy", **stated).json["error"]["message"]
    assert admin.put("/v1/documents/d-1/policy", **CLOSED | {"public": "false"}).code == "invalid"


def test_a_deleted_document_stops_answering_and_is_not_there_any_more(world: World, tenant: str, admin: Api) -> None:
    put(world, tenant, "d-1", PUBLIC)

    deleted = admin.delete("/v1/documents/d-1")

    assert (deleted.status, deleted.json) == (200, {"doc_id": "d-1", "file": "d-1.md"})
    assert world.search(caller(world.acting_key(tenant), "ann", frozenset()), "Text").segments == []
    assert admin.delete("/v1/documents/d-1").status == admin.get("/v1/documents/d-1").status == 404


def requests(client: Api, doc_id: str) -> list[tuple[int, bytes]]:
    """Return the answers to every request about one document, without its id."""
    path = f"/v1/documents/{doc_id}"
    answers = [client.get(path), client.get(path, segments="true"), client.put(f"{path}/policy", **CLOSED)]
    return [(each.status, each.body.replace(doc_id.encode(), b"")) for each in (*answers, client.delete(path))]


def test_foreign_hidden_unreached_and_unknown_documents_get_the_same_answer(
    world: World, tenant: str, admin: Api
) -> None:
    other = world.tenant("blue")
    put(world, other, "d-theirs", PUBLIC)
    put(world, tenant, "d-closed", NO_READERS)
    put(world, tenant, "d-others", tagged("hr"))
    put(world, tenant, "d-unreached", PUBLIC, "prices")
    owner = api(key(world, tenant, Scope.INGEST, tags=frozenset({"sales"}), collections=frozenset({"default"})))

    answers = [requests(owner, doc_id) for doc_id in ("d-none", "d-theirs", "d-closed", "d-others", "d-unreached")]

    assert {status for status, _ in answers[0]} == {404}
    assert all(answer == answers[0] for answer in answers)
    assert ids(owner.get("/v1/documents")) == []
    assert ids(admin.get("/v1/documents")) == ["d-closed", "d-others", "d-unreached"]


def test_with_share_an_owner_manages_what_it_may_not_read(world: World, tenant: str) -> None:
    put(world, tenant, "d-1", tagged("hr"))
    owner = api(key(world, tenant, Scope.INGEST, Scope.SHARE))

    assert ids(owner.get("/v1/documents")) == ["d-1"]
    assert owner.put("/v1/documents/d-1/policy", **CLOSED | {"public": True}).status == 200


def test_without_share_an_owner_gives_readers_within_its_own_rights_only(world: World, tenant: str) -> None:
    put(world, tenant, "d-1", tagged("sales"), by="olga")
    owner = api(key(world, tenant, Scope.INGEST, user="olga", tags=frozenset({"sales"})))
    path = "/v1/documents/d-1/policy"

    for beyond in ({"public": True}, {"users": ["ann"]}, {"any_tags": ["sales", "hr"]}, {"all_tags": ["hr"]}):
        refused = owner.put(path, **CLOSED | beyond)
        assert (refused.status, refused.code) == (403, "denied")
        assert "`share`" in refused.json["error"]["message"]
    assert owner.put(path, **CLOSED | {"users": ["olga"], "all_tags": ["sales"]}).status == 200
    assert owner.put(path, **CLOSED | {"until_next_run": True}).status == 200
    assert owner.get("/v1/documents/d-1").status == 404


def test_an_owner_that_acts_for_others_has_the_rights_of_the_call(world: World, tenant: str) -> None:
    put(world, tenant, "d-1", tagged("hr"))
    acting = api(world.acting_key(tenant, scopes=frozenset({Scope.INGEST})))

    assert acting.get("/v1/documents/d-1").status == 404
    assert acting.stating(x_user_id="ann", x_session_tags='["hr"]').get("/v1/documents/d-1").status == 200
