"""Routes of knowledge sources, as the reference has them."""

import json
import uuid
from typing import Any

import pytest

from groundwire.domain.access.scopes import Scope
from tests.server.dialects.foundry.sources.company import WIKI, Company, source_tools, wiki
from tests.support.isolation import policies
from tests.support.worlds.world import World, caller

ADMIN = frozenset({Scope.ADMIN})
REFERENCE_MEMBERS = {
    *("id", "name", "kind", "auth_type", "description", "created_by", "remote_mcp_parameters"),
    *(
        "indexed_sources_parameters",
        "validation_status",
        "validation_error",
        "validated_at",
        "created_at",
        "updated_at",
    ),
}
COLLECTION = {
    "name": "own",
    "kind": "indexed_sources_mcp",
    "indexed_sources_parameters": {
        "server_url": "http://localhost:8080/edgeai/mcp",
        "indexed_source_ref": "guides",
    },
}


def test_a_created_source_has_the_members_of_the_reference_and_is_read_again(company: Company) -> None:
    answer = company.send("POST", "", {**wiki(), "description": "Pages.", "created_by": "ops"})
    assert answer.status == 201
    made = answer.payload
    assert set(made) >= REFERENCE_MEMBERS
    assert uuid.UUID(made["id"])
    assert made["remote_mcp_parameters"] == {"server_url": WIKI, "server_label": "wiki"}
    assert made["indexed_sources_parameters"] is None
    assert (made["validation_status"], made["validation_error"]) == ("active", None)
    assert (made["description"], made["created_by"]) == ("Pages.", "ops")
    assert company.send("GET", f"/{made['id']}").payload == made


def test_a_source_without_policy_and_tools_is_seen_by_nobody(company: Company) -> None:
    made = company.send("POST", "", wiki()).payload
    assert made["policy"] == {"public": False, "users": [], "any_tags": [], "all_tags": []}
    assert made["tools"] == []
    assert [each["name"] for each in made["further_tools"]] == ["edit", "search"]


def test_a_list_is_paged_and_narrowed_by_name_and_kind(company: Company, world: World) -> None:
    world.ingest(company.tenant, "Reset.", policies.PUBLIC, path="/g.txt", collection="guides")
    for number in range(12):
        company.register(f"wiki {number}")
    assert company.send("POST", "", COLLECTION).status == 201
    first = company.send("GET").payload
    assert (first["total"], first["limit"], first["offset"], len(first["items"])) == (13, 10, 0, 10)
    rest = company.send("GET", "?limit=5&offset=10").payload
    assert [each["name"] for each in rest["items"]] == ["wiki 10", "wiki 11", "own"]
    assert company.send("GET", "?name=wiki%203").payload["total"] == 1
    assert [each["name"] for each in company.send("GET", "?kind=indexed_sources_mcp").payload["items"]] == ["own"]


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "offset=-1", "kind=other", "limit="])
def test_wrong_parameters_of_a_list_are_422(company: Company, query: str) -> None:
    answer = company.send("GET", f"?{query}")
    assert answer.status == 422
    assert answer.payload["detail"][0]["loc"][1] == query.partition("=")[0]


def test_a_name_is_unique_within_the_tenant(company: Company, world: World) -> None:
    company.register()
    assert company.send("POST", "", wiki()).status == 409
    other = world.tenant("other")
    key = world.acting_key(other, scopes=ADMIN)
    assert company.send("POST", "", wiki(), caller(key)).status == 201


def test_another_tenant_sees_no_source(company: Company, world: World) -> None:
    made = company.register()
    stranger = caller(world.acting_key(world.tenant("other"), scopes=ADMIN))
    assert company.send("GET", "", headers=stranger).payload["items"] == []
    for method, path in (("GET", ""), ("DELETE", "")):
        unknown = company.send(method, f"/{uuid.uuid4()}{path}", headers=stranger)
        known = company.send(method, f"/{made['id']}{path}", headers=stranger)
        assert (known.status, known.bytes) == (404, unknown.bytes)
    assert company.send("POST", "/batch-delete", {"ks_ids": [made["id"]]}, stranger).payload == {"deleted_count": 0}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_only_administrators_call_the_routes(company: Company, method: str) -> None:
    agent = company.agent("ana")
    assert company.send(method, "", wiki(), agent.headers).status == 403
    assert company.send(method, "", wiki(), {}).status == 401


def test_a_change_keeps_what_it_does_not_name(company: Company) -> None:
    made = company.register(description="Pages.")
    changed = company.send("PATCH", f"/{made['id']}", {"name": "pages", "policy": {"users": ["ana"]}}).payload
    assert (changed["name"], changed["description"], changed["policy"]["users"]) == ("pages", "Pages.", ["ana"])
    assert changed["tools"] == made["tools"]
    assert changed["created_at"] == made["created_at"]
    assert company.send("GET").payload["total"] == 1
    assert company.send("POST", "", wiki("wiki")).status == 201


@pytest.mark.parametrize("member", ["policy", "tools"])
def test_a_slip_in_the_tags_of_a_policy_is_refused_and_accepted_on_demand(company: Company, member: str) -> None:
    def members(tag: str) -> dict[str, Any]:
        policy = {"any_tags": [tag]}
        return {member: [{"name": "search", "policy": policy}] if member == "tools" else policy}

    made = company.register(**members("team:legal"))
    for method, path, body in (("POST", "", wiki("second")), ("PATCH", f"/{made['id']}", {})):
        refused = company.send(method, path, {**body, **members("team:legla")})
        assert (refused.status, "Did you mean 'team:legal'?" in refused.payload["detail"]) == (409, True)
        assert company.send(method, path, {**body, **members("customers")}).status < 300
    changed = company.send("PATCH", f"/{made['id']}", {**members("team:legla"), "new_tags": True})
    assert changed.status == 200
    assert "new_tags" not in changed.payload


def test_a_change_cannot_take_the_name_of_another_source(company: Company) -> None:
    company.register("one")
    made = company.register("two")
    assert company.send("PATCH", f"/{made['id']}", {"name": "one"}).status == 409
    assert company.send("GET", f"/{made['id']}").payload == made


def test_parameters_of_the_other_kind_are_422_when_creating_and_400_when_changing(company: Company) -> None:
    made = company.register()
    other = {"indexed_sources_parameters": {"server_url": WIKI, "indexed_source_ref": "guides"}}
    assert company.send("POST", "", {**wiki("x"), **other}).status == 422
    assert company.send("PATCH", f"/{made['id']}", other).status == 400
    assert company.send("PATCH", f"/{made['id']}", {"kind": "indexed_sources_mcp"}).status == 400
    assert company.send("GET", f"/{made['id']}").payload == made


def test_a_server_that_does_not_answer_is_400_and_nothing_is_kept(company: Company) -> None:
    body = {**wiki(), "remote_mcp_parameters": {"server_url": "https://elsewhere.example.com/mcp"}}
    assert company.send("POST", "", body).status == 400
    assert company.send("GET").payload["total"] == 0
    made = company.register()
    change = {"remote_mcp_parameters": {"server_url": "https://elsewhere.example.com/mcp"}}
    assert company.send("PATCH", f"/{made['id']}", change).status == 400
    assert company.send("GET", f"/{made['id']}").payload == made


def test_deletion_is_204_once_and_404_afterwards(company: Company) -> None:
    made = company.register()
    deleted = company.send("DELETE", f"/{made['id']}")
    assert (deleted.status, deleted.response.body) == (204, b"")
    assert company.send("DELETE", f"/{made['id']}").status == 404
    assert company.send("GET", f"/{made['id']}").status == 404


def test_a_batch_deletion_counts_those_that_there_were(company: Company) -> None:
    ids = [company.register(name)["id"] for name in ("one", "two")]
    answer = company.send("POST", "/batch-delete", {"ks_ids": [*ids, str(uuid.uuid4())]})
    assert (answer.status, answer.payload) == (200, {"deleted_count": 2})
    assert company.send("POST", "/batch-delete", {"ks_ids": []}).status == 400
    assert company.send("POST", "/batch-delete", {"ks_ids": ["x"]}).status == 422
    assert company.send("GET", "/batch-delete").status == 405


def test_the_own_address_is_a_collection_without_a_call_and_without_an_issuer(company: Company, world: World) -> None:
    world.ingest(company.tenant, "Reset.", policies.PUBLIC, path="/g.txt", collection="guides")
    made = company.send("POST", "", COLLECTION)
    assert made.status == 201, made.payload
    assert (made.payload["auth_type"], made.payload["validation_status"]) == ("microsoft_entra_id", "active")
    assert made.payload["indexed_sources_parameters"]["server_label"] == "indexed-sources-mcp-server"
    assert company.servers.targets == []
    unknown = {**COLLECTION, "name": "x"}
    unknown["indexed_sources_parameters"] = {"server_url": "http://127.0.0.1:8080/mcp", "indexed_source_ref": "nothing"}
    assert company.send("POST", "", unknown).status == 400


def test_an_omitted_auth_type_is_an_exchange_which_needs_an_issuer(company: Company) -> None:
    body: dict[str, Any] = {**wiki()}
    del body["auth_type"]
    answer = company.send("POST", "", body)
    assert answer.status == 400
    assert "needs an identity provider" in answer.payload["detail"]
    assert "GROUNDWIRE_" not in answer.payload["detail"]


@pytest.mark.parametrize(
    "members",
    [
        {"name": ""},
        {"name": "x" * 257},
        {"kind": "other"},
        {"auth_type": "basic"},
        {"remote_mcp_parameters": None},
        {"remote_mcp_parameters": {"server_url": "ftp://wiki.example.com"}},
        {"remote_mcp_parameters": {"server_url": WIKI, "token": "x"}},
        {"remote_mcp_parameters": {"server_url": "https://user:secret@wiki.example.com/mcp"}},
        {"remote_mcp_parameters": {"server_url": "https://wiki.example.com/mcp#part"}},
        {"remote_mcp_parameters": {"server_url": "https://wiki.example.com\\@evil/mcp"}},
        {"policy": {"public": "yes"}},
        {"policy": {"users": ["\n"]}},
        {"policy": {"everybody": True}},
        {"tools": ["search", "search"]},
        {"tools": ["unknown"]},
        {"tools": [{"name": "search", "policy": []}]},
        {"auth_type": "api_key"},
        {"api_key_parameters": {"api_key": "k"}},
        {"auth_type": "api_key", "api_key_parameters": {"api_key": "k", "header": "Host"}},
        {"auth_type": "api_key", "api_key_parameters": {"api_key": "k", "header": "mcp-session-id"}},
        {"auth_type": "api_key", "api_key_parameters": {"api_key": "k\r\nx: y"}},
        {"collection_mapping": {"collection": "guides", "tool": "edit"}, "tools": ["search"]},
        {"surprise": 1},
    ],
)
def test_wrong_members_are_422_and_say_which(company: Company, members: dict[str, object]) -> None:
    answer = company.send("POST", "", {**wiki(), **members})
    assert answer.status == 422, answer.payload
    assert answer.payload["detail"][0]["msg"]
    assert company.send("GET").payload["total"] == 0


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b'{"name": NaN}', b"\xff"])
def test_a_body_that_is_no_object_is_422(company: Company, body: bytes) -> None:
    assert company.send("POST", "", body).status == 422
    assert company.send("PATCH", f"/{company.register()['id']}", body).status == 422


def test_secrets_are_never_returned_and_a_moved_source_needs_them_again(company: Company) -> None:
    secret = "canary-secret-1"
    made = company.register(auth_type="api_key", api_key_parameters={"api_key": secret, "header": "x-wiki-key"})
    assert made["api_key_parameters"] == {"header": "x-wiki-key"}
    assert company.servers.targets[-1].credential is not None
    for answer in (company.send("GET"), company.send("GET", f"/{made['id']}")):
        assert secret.encode() not in answer.bytes
    company.servers.declarations["https://thief.example.com/mcp"] = company.servers.declarations[WIKI]
    moved = {"remote_mcp_parameters": {"server_url": "https://thief.example.com/mcp"}}
    assert company.send("PATCH", f"/{made['id']}", moved).status == 422
    assert company.servers.targets[-1].url == WIKI
    again = {**moved, "api_key_parameters": {"api_key": secret}}
    assert company.send("PATCH", f"/{made['id']}", again).status == 200


def test_other_methods_and_longer_paths_are_refused(company: Company) -> None:
    made = company.register()
    for method in ("PUT", "POST"):
        answer = company.send(method, f"/{made['id']}", {})
        assert answer.status == 405
    assert company.send("GET", f"/{made['id']}/tools").status == 404


def test_the_pages_curl_works_as_it_is(company: Company) -> None:
    url = "https://external-mcp-server.example.com/mcp"
    company.servers.declarations[url] = []
    body = {
        "name": "my-external-mcp",
        "kind": "remote_mcp",
        "auth_type": "unauthenticated",
        "description": "External MCP server for custom tools",
        "remote_mcp_parameters": {"server_url": url, "server_label": "my-external-server"},
    }
    assert company.send("POST", "", json.dumps(body, indent=2).encode()).status == 201


def test_a_renamed_source_keeps_the_policy_that_was_stored_last_and_is_deleted_as_one(company: Company) -> None:
    made = company.register()
    path = f"/{made['id']}"
    assert company.send("PATCH", path, {"name": "pages"}).status == 200
    assert company.send("PATCH", path, {"policy": {"users": ["boss"]}}).payload["name"] == "pages"
    assert company.send("GET").payload["total"] == 1
    company.send("DELETE", path)
    assert company.send("GET").payload["total"] == 0
    assert source_tools(company.agent("ana")) == []


def test_one_of_two_concurrent_changes_is_refused(company: Company) -> None:
    made = company.register()
    path = f"/{made['id']}"

    def narrow() -> None:
        company.servers.on_listing = lambda: None
        company.change_meanwhile(made["id"], {"policy": {"users": ["boss"]}})

    company.servers.on_listing = narrow
    assert company.send("PATCH", path, {"name": "pages", "tools": ["search", "edit"]}).status == 409
    assert company.send("GET", path).payload["policy"]["users"] == ["boss"]


@pytest.mark.parametrize("name", ["wiki", "other"])
def test_of_two_sources_that_are_created_at_a_time_each_has_a_name_and_a_prefix_of_its_own(
    company: Company, name: str
) -> None:
    statuses: list[int] = []

    def create() -> None:
        company.servers.on_listing = lambda: None
        body = {**wiki(), "name": name, "policy": {"public": True}, "tools": ["search"]}
        statuses.append(company.create_meanwhile(body))

    company.servers.on_listing = create
    first = company.send("POST", "", {**wiki(), "policy": {"public": True}, "tools": ["search"]})
    tools = source_tools(company.agent("ana"))
    assert sorted([first.status, *statuses]) == ([201, 201] if name == "other" else [201, 409])
    assert len(tools) == len(set(tools)) == [first.status, *statuses].count(201)


@pytest.mark.parametrize("url", ["https://[abc/mcp", "https://]/", "https://wiki.example.com:0/", "https://:443/"])
def test_a_url_without_a_host_is_422_wherever_it_is_given(company: Company, url: str) -> None:
    client = {"client_id": "c", "client_secret": "s", "token_url": "https://login.example.com/token"}
    credential: dict[str, Any] = {
        "auth_type": "oauth_client_credentials",
        "oauth_client_credentials_parameters": client,
    }
    made = company.register(**credential)
    for body in (
        {"remote_mcp_parameters": {"server_url": url}},
        {"oauth_client_credentials_parameters": {**client, "token_url": url}},
    ):
        assert company.send("PATCH", f"/{made['id']}", body).status == 422
        assert company.send("POST", "", {**wiki("x"), **credential, **body}).status == 422
