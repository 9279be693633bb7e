"""A document by REST: a ticket, a form, a file, and its passages; from the first call to the search that finds it."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest

from groundwire.adapters.local.ingest.lock import FileIngestLock
from groundwire.domain.access.scopes import Scope
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint
from groundwire.services.uploads.tickets import FILE_NEVER_SENT, UploadStores, UploadTickets
from groundwire.settings import folders
from groundwire_mcp.transport.origins import NO_ORIGINS
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from tests.server.entry.rest.api import Api, api, key
from tests.server.entry.rest.test_documents import CLOSED, put, tagged
from tests.support.documents.plain_text_parser import UNREADABLE
from tests.support.entry.waiting import until
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World, caller

CONTENT: Final = b"The blue pump takes 40 litres.\n"
SALES: Final[dict[str, Any]] = {"public": False, "users": [], "any_tags": ["sales"], "all_tags": []}


def order(content: bytes = CONTENT, **others: object) -> dict[str, Any]:
    digest = hashlib.sha256(content).hexdigest()
    fixed = {"collection": "handbook", "file_name": "pump.md", "size": len(content), "sha256": digest, "policy": SALES}
    return {**fixed, **others}


@pytest.fixture
def owner(world: World, tenant: str) -> Api:
    return api(key(world, tenant, Scope.INGEST, tags=frozenset({"sales"})))


@pytest.fixture
def door(world: World) -> Iterator[None]:
    """Start the server that takes files, at its public address; when it stops, the files that it took are ingested."""
    services = world.services
    made = UploadEndpoint(
        services.stores.upload_forms,
        services.stores.uploaded_files,
        services.ingestion.uploads,
        services.clock,
        # Late: the desk is made with the address of the server that is about to start.
        is_unused=lambda tenant, ticket: services.administration.upload_tickets.is_file_awaited(tenant, ticket),  # noqa: PLW0108
        audit=services.stores.audit,
        allowed_origins=NO_ORIGINS,
    )
    root = folders.checkout_folder()
    assert root is not None
    with run_in_background(root / "template.yaml", uploads=made) as address:
        exchange(services, upload_forms=type(services.stores.upload_forms)(services.stores.seal, address))
        yield


def sent(ticket: dict[str, Any], content: bytes = CONTENT) -> int:
    files = {"file": ("pump.md", content, ticket["fields"]["Content-Type"])}
    return httpx.post(ticket["url"], data=ticket["fields"], files=files, timeout=20).status_code


def state(client: Api, ticket: dict[str, Any]) -> str:
    return str(client.get(f"/v1/uploads/{ticket['ticket']}").json["state"])


def finished(client: Api, ticket: dict[str, Any]) -> dict[str, Any]:
    """Return the final state of the ticket, as soon as its file is indexed or refused."""
    until(lambda: state(client, ticket) in {"indexed", "refused"})
    reported: dict[str, Any] = client.get(f"/v1/uploads/{ticket['ticket']}").json
    return reported


def expired_tickets(world: World) -> UploadTickets:
    """Return the upload tickets at a time when every ticket has expired."""
    services = world.services
    later = services.clock() + 1e6
    stores = UploadStores(
        services.stores.uploads,
        services.stores.upload_forms,
        services.stores.uploaded_files,
        services.stores.documents,
        services.stores.ingest_lock,
        services.administration.deletion_memory,
    )
    return UploadTickets(stores, services.administration.managed_documents, lambda: later, lambda: "0" * 32)


@pytest.mark.usefixtures("door")
def test_a_file_becomes_a_document_for_its_readers(world: World, tenant: str, owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order(metadata={"year": 2026}, doc_id="d-pump")).json
    assert state(owner, ticket) == "awaiting"

    assert sent(ticket) == 204

    reported = finished(owner, ticket)
    assert (reported["state"], reported["reason"], reported["doc_id"]) == ("indexed", None, "d-pump")
    record = owner.get("/v1/documents/d-pump").json
    assert (record["file"], record["collection"], record["metadata"]) == ("pump.md", "handbook", {"year": 2026.0})
    agent = world.acting_key(tenant)
    assert world.search(caller(agent, "ann", frozenset({"sales"})), "pump").texts == {CONTENT.decode().strip()}
    assert world.search(caller(agent, "ann", frozenset({"hr"})), "pump").texts == set()


@pytest.mark.usefixtures("door")
def test_a_file_is_a_line_of_the_audit_log_with_its_document_and_policy(world: World, tenant: str, owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order(doc_id="d-pump")).json
    assert sent(ticket) == 204
    finished(owner, ticket)
    written = (world.services.settings.home / "audit.jsonl").read_text().splitlines()
    [line] = [
        line for line in map(json.loads, written) if (line.get("tenant"), line.get("action")) == (tenant, "ingest")
    ]
    assert (line["phase"], line["origin"], line["collection"]) == ("batch", "upload", "handbook")
    assert [(each["document"], each["status"]) for each in line["changes"]] == [("d-pump", "indexed")]
    assert line["changes"][0]["policy_digest"]


@pytest.mark.usefixtures("door")
def test_a_file_that_was_taken_is_queued_at_once_while_another_ingestion_runs(
    world: World, tenant: str, owner: Api
) -> None:
    ticket = owner.post("/v1/uploads", **order()).json
    with FileIngestLock(world.services.settings.home / "tenants").hold(tenant):
        other = owner.post("/v1/uploads", **order()).json
        assert sent(ticket) == 204
        reported = owner.get(f"/v1/uploads/{ticket['ticket']}").json
        assert (reported["state"], reported["waiting_for"], reported["reason"]) == ("queued", "another ingestion", None)
        reported = owner.get(f"/v1/uploads/{other['ticket']}").json
        assert (reported["state"], reported["waiting_for"]) == ("awaiting", None)

    reported = finished(owner, ticket)
    assert (reported["state"], reported["waiting_for"]) == ("indexed", None)


def test_a_file_that_was_taken_is_queued_whatever_its_ticket(world: World, tenant: str, owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order()).json
    services = world.services
    with services.stores.uploaded_files.open_writer(tenant, ticket["ticket"]) as file:
        file.write(CONTENT)
    exchange(services, upload_tickets=expired_tickets(world))

    reported = owner.get(f"/v1/uploads/{ticket['ticket']}").json

    assert (reported["state"], reported["waiting_for"], reported["reason"]) == ("queued", None, None)


@pytest.mark.usefixtures("door")
def test_a_file_that_cannot_be_read_states_why(owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order(UNREADABLE)).json

    assert sent(ticket, UNREADABLE) == 204

    reported = finished(owner, ticket)
    assert (reported["state"], reported["reason"]) == ("refused", "the file is damaged")


@pytest.mark.usefixtures("door")
def test_another_file_than_the_declared_one_is_not_taken(owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order()).json

    assert sent(ticket, CONTENT.replace(b"40", b"41")) == 400
    assert sent(ticket, CONTENT * 2) == 400
    assert state(owner, ticket) == "awaiting"


@pytest.mark.usefixtures("door")
def test_the_same_file_under_the_same_ticket_is_taken_once(owner: Api, caplog: pytest.LogCaptureFixture) -> None:
    ticket = owner.post("/v1/uploads", **order(doc_id="d-pump")).json

    assert sent(ticket) == 204
    assert sent(ticket) == 409
    assert finished(owner, ticket)["state"] == "indexed"
    assert sent(ticket) == 409

    assert owner.get("/v1/documents/d-pump").json["version"] == 1
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.usefixtures("door")
def test_a_ticket_whose_file_was_refused_takes_no_other(owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order(UNREADABLE)).json
    assert sent(ticket, UNREADABLE) == 204
    assert finished(owner, ticket)["state"] == "refused"

    assert sent(ticket, UNREADABLE) == 409


@pytest.mark.usefixtures("door")
def test_a_file_and_a_refused_one_are_lines_of_the_audit(world: World, tenant: str, owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order()).json
    sent(ticket, CONTENT * 2)
    sent(ticket)

    lines = [line for line in world.services.stores.audit.read(50) if line.get("route") == "POST /upload/{ticket}"]

    assert [(line["tenant"], line["ticket"], line["status"]) for line in lines] == [
        (tenant, ticket["ticket"], 400),
        (tenant, ticket["ticket"], 204),
    ]


@pytest.mark.usefixtures("door")
def test_a_chosen_id_gets_a_new_version(owner: Api) -> None:
    first = owner.post("/v1/uploads", **order(doc_id="d-pump")).json
    sent(first)
    finished(owner, first)
    changed = CONTENT.replace(b"40", b"41")

    second = owner.post("/v1/uploads", **order(changed, doc_id="d-pump")).json
    sent(second, changed)

    assert finished(owner, second)["state"] == "indexed"
    assert owner.get("/v1/documents/d-pump").json["version"] == 2


def test_an_owner_takes_over_no_document_that_is_not_its_business(world: World, tenant: str, owner: Api) -> None:
    put(world, tenant, "d-hr", tagged("hr"), "handbook", by="olga")
    put(world, tenant, "d-sales", tagged("sales"), "handbook", by="ben")
    put(world, tenant, "d-own", tagged("sales"), "handbook", by="olga")

    assert owner.post("/v1/uploads", **order(doc_id="d-hr")).code == "denied"
    assert owner.post("/v1/uploads", **order(doc_id="d-sales")).code == "denied"
    assert owner.post("/v1/uploads", **order(doc_id="d-own")).status == 201
    assert owner.post("/v1/uploads", **order(doc_id="d-new")).status == 201


def test_a_file_without_a_declared_policy_keeps_no_readers_whom_the_key_may_not_name(
    world: World, tenant: str, owner: Api
) -> None:
    put(world, tenant, "d-all", PUBLIC, "handbook", by="olga")
    put(world, tenant, "d-own", tagged("sales"), "handbook", by="olga")

    undeclared: dict[str, Any] = {"policy": CLOSED, "policy_source": "none"}
    assert owner.post("/v1/uploads", **order(doc_id="d-all", **undeclared)).code == "denied"
    assert owner.post("/v1/uploads", **order(doc_id="d-own", **undeclared)).status == 201


def test_readers_beyond_the_keys_own_tags_need_share(world: World, tenant: str, owner: Api) -> None:
    everybody = SALES | {"public": True}

    assert owner.post("/v1/uploads", **order(policy=everybody)).code == "denied"
    sharing = api(key(world, tenant, Scope.INGEST, Scope.SHARE))
    assert sharing.post("/v1/uploads", **order(policy=everybody)).status == 201


@pytest.mark.parametrize(
    "change",
    [
        {"size": 0},
        {"size": MAX_DOCUMENT_BYTES + 1},
        {"size": "31"},
        {"sha256": "AB" * 32},
        {"sha256": "ab"},
        {"file_name": ""},
        {"file_name": "../pump.md"},
        {"file_name": "a\x00b"},
        {"content_type": "text/html; charset=x"},
        {"collection": "a/b"},
        {"collection": ".."},
        {"doc_id": "../d"},
        {"source_url": "javascript:alert(1)"},
        {"source_url": "https://user:secret@ok.example/"},
        {"source_url": "https://ok.example/\u202e<img/src=https://evil.example/x>"},
        {"metadata": {"1": "a"}},
        {"metadata": {"a": {"b": 1}}},
        {"policy": {"public": True}},
        {"policy": None},
        {"ticket": "up_1"},
    ],
)
def test_a_file_that_cannot_come_gets_no_ticket(admin: Api, change: dict[str, Any]) -> None:
    refused = admin.post("/v1/uploads", **order(**change))

    assert (refused.status, refused.code) == (400, "invalid")


def test_a_ticket_of_another_tenant_or_collection_is_not_there(world: World, tenant: str, owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order()).json["ticket"]
    stranger = api(key(world, world.tenant("blue"), Scope.ADMIN))
    bounded = api(key(world, tenant, Scope.ADMIN, collections=frozenset({"prices"})))

    answers = [client.get(f"/v1/uploads/{ticket}") for client in (stranger, bounded)]

    unknown = owner.get("/v1/uploads/up_0")
    assert {answer.status for answer in answers} == {unknown.status} == {404}
    assert {answer.body.replace(ticket.encode(), b"up_0") for answer in answers} == {unknown.body}
    assert bounded.post("/v1/uploads", **order()).code == "denied"


def test_a_ticket_whose_file_never_came_reports_it(world: World, owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order()).json
    exchange(world.services, upload_tickets=expired_tickets(world))

    reported = owner.get(f"/v1/uploads/{ticket['ticket']}").json

    assert (reported["state"], reported["reason"]) == ("refused", FILE_NEVER_SENT)


def test_two_tickets_are_two(owner: Api) -> None:
    first, second = (owner.post("/v1/uploads", **order()).json for _ in range(2))

    assert first["ticket"] != second["ticket"]
    assert first["doc_id"] != second["doc_id"]


def test_a_ticket_is_audited_without_its_form(world: World, owner: Api) -> None:
    ticket = owner.post("/v1/uploads", **order()).json
    log = next(file for file in world.services.settings.home.rglob("*.jsonl") if "audit" in str(file)).read_text()

    assert ticket["ticket"] in log
    assert ticket["fields"]["policy"] not in log
