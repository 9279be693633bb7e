"""Content of a deployment's tables, as its stores read it."""

import base64
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

import boto3
from moto import mock_aws

from groundwire import wiring
from groundwire.adapters.aws.account.operator_function import OperatorFunction
from groundwire.adapters.aws.dynamodb.index_generations import DynamoIndexGenerations
from groundwire.adapters.aws.dynamodb.ingest_lease import DynamoIngestLease
from groundwire.adapters.codecs.audit_line import GENESIS_HASH, parse_line, parse_record
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.uploads import Upload
from groundwire.domain.errors import Conflict, DomainError, Unavailable
from groundwire.ports.indexes import IndexKind
from groundwire.wiring.cloud.services import IngestionFunction
from groundwire_mcp.definitions.sessions import SessionOwner

from .fixture import Fixture
from .gateway import context
from .home import LATER_S, record_facts
from .operator import GROUP, NOBODYS, operate
from .sidecars import OAUTH, PUBLIC_URL, at, environment
from .signing_in import signed_in

_ACCESS: Final = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": "eu-central-1",
}
_TABLES: Final = {
    "KEYS_TABLE": "KeysTable",
    "USERS_TABLE": "UsersTable",
    "DOCUMENTS_TABLE": "DocumentsTable",
    "SESSIONS_TABLE": "SessionsTable",
}
_TENANTS: Final = ("acme", "globex", "initech", "umbrella")


def read_items(fixture: Fixture) -> dict[str, Any]:
    """Facts about the tables; the last ones change what is there."""
    held = fixture.json("items")
    with at(fixture.made["moment"] + LATER_S), _account(held, fixture.made["root"]):
        services = wiring.ingestion_services()
        return {
            "admissions": {name: context(key["text"]) for name, key in held["keys"].items() if "text" in key},
            "signed_in": signed_in("acme"),
            "tenants": operate({"action": "tenant.list"})["tenants"],
            "keys": {tenant: operate({"action": "key.list", "tenant": tenant})["keys"] for tenant in _TENANTS},
            "users": [(user, sorted(tags)) for user, tags in services.stores.users.all("acme")],
            "collections": [
                (each.name, each.bm25_weight, each.language) for each in services.stores.collections.all("acme")
            ],
            "documents": _documents(services, held),
            "tickets": _tickets(services, fixture),
            "sessions": _sessions(services, held["sessions"]),
            "standings": {tenant: _generation_state(services, tenant) for tenant in ("acme", "globex", "initech")},
            "deliveries": _claims(services),
            "leases": {tenant: _is_held(services, tenant) for tenant in ("acme", "globex")},
            "new_keys": {tenant: _new_key(held["operator"], tenant) for tenant in _TENANTS},
            "refused": _reported(held["operator"]["refused"]["answer"]),
            "audit": _chain(held["audit"]),
            "written_again": _written_again(services),
        }


@contextmanager
def _account(held: Mapping[str, Any], root: str) -> Generator[None]:
    with mock_aws():
        with environment(**_ACCESS):
            dynamodb: Any = boto3.client("dynamodb")  # pyright: ignore[reportUnknownMemberType]
            for table, definition in held["definitions"].items():
                dynamodb.create_table(TableName=table, BillingMode="PAY_PER_REQUEST", **definition)
                for item in held["items"][table]:
                    dynamodb.put_item(TableName=table, Item={name: _value(value) for name, value in item.items()})
            secrets: Any = boto3.client("secretsmanager")  # pyright: ignore[reportUnknownMemberType]
            secret = secrets.create_secret(Name="secret", SecretString=json.dumps({"root": root}))["ARN"]
            logs: Any = boto3.client("logs")  # pyright: ignore[reportUnknownMemberType]
            logs.create_log_group(logGroupName=GROUP)
        further = {"SECRET": secret, "AUDIT_LOG_GROUP": GROUP, "PUBLIC_URL": PUBLIC_URL}
        with environment(**_TABLES, **_ACCESS, **OAUTH, **NOBODYS, **further):
            yield


def _value(value: Mapping[str, Any]) -> dict[str, Any]:
    return {kind: base64.b64decode(held) if kind == "B" else held for kind, held in value.items()}


def _documents(services: IngestionFunction, held: Mapping[str, Any]) -> dict[str, Any]:
    documents = services.stores.documents
    ids = [item["id"]["S"] for item in held["items"]["DocumentsTable"] if item["tenant"]["S"] == "acme"]
    named = sorted(each.removeprefix("document#") for each in ids if each.startswith("document#"))
    found = documents.read("acme", named)
    paths = [(each.collection, each.source_path, each.parent) for each in found.values() if each.source_path]
    by_path = [
        documents.from_source("acme", collection, str(path), parent).living for collection, path, parent in paths
    ]
    parents = {each.parent for each in found.values() if each.parent}
    return {
        "records": {doc_id: record_facts(document) for doc_id, document in sorted(found.items())},
        "by_path": sorted(each.doc_id for each in by_path if each is not None),
        "by_content": [
            [each.doc_id for each in documents.by_content("acme", found[doc_id].collection, found[doc_id].content_hash)]
            for doc_id in sorted(found)
        ],
        "children": {str(parent): [each.doc_id for each in documents.children("acme", parent)] for parent in parents},
        "page": [each.doc_id for each in documents.page_indexed("acme", "handbook", None, 100)],
        "stale": sorted(each.doc_id for each in documents.stale_documents("acme")),
        "unsettled": documents.tenants_with_stale_documents(),
        "sketches": sorted(doc_id for doc_id, _ in documents.sketches("acme")),
    }


def _tickets(services: IngestionFunction, fixture: Fixture) -> dict[str, Any]:
    tickets = {name: each["ticket"] for name, each in fixture.made["tickets"].items()}
    found = {name: services.stores.uploads.get("acme", ticket) for name, ticket in tickets.items()}
    return {name: None if upload is None else _ticket(upload) for name, upload in found.items()}


def _ticket(upload: Upload) -> list[Any]:
    requested = [
        upload.doc_id,
        upload.collection,
        upload.file_name,
        upload.sha256,
        upload.source_url,
        upload.expires_at,
    ]
    stated = {name: str(value) for name, value in sorted(upload.metadata.items())}
    return [*requested, stated, upload.policy.public, upload.state.value, upload.object_version, upload.reason]


def _sessions(services: IngestionFunction, ids: Mapping[str, str]) -> dict[str, Any]:
    owners = {"of_ann": SessionOwner("acme", "kid", "ann"), "of_nobody": SessionOwner("acme", "kid", None)}
    found = {name: services.stores.sessions.get(owner, ids[name], services.clock()) for name, owner in owners.items()}
    return {
        name: each and [each.protocol_version, each.client_name, each.client_version, each.log_level, each.expires_at]
        for name, each in found.items()
    }


def _generation_state(services: IngestionFunction, tenant: str) -> Any:
    dynamodb: Any = boto3.client("dynamodb")  # pyright: ignore[reportUnknownMemberType]
    generation_state = DynamoIndexGenerations(dynamodb, "DocumentsTable", IndexKind.PASSAGES).read(tenant)
    if generation_state is None:
        return None
    generations = [
        each and [each.number, each.model.name] for each in (generation_state.live, generation_state.building)
    ]
    return [*generations, generation_state.highest_number]


def _claims(services: IngestionFunction) -> dict[str, Any]:
    """Claim the same event, and a later one, of each object."""
    now = services.clock()

    def take(name: str, sequencer: str) -> str:
        return services.stores.event_claims.claim("acme", f"handbook/{name}.md", sequencer, now, now + 900).value

    names = ("done", "taken", "released", "again", "new")
    return {name: [take(name, "0A"), take(name, "0C")] for name in names}


def _is_held(services: IngestionFunction, tenant: str) -> bool:
    dynamodb: Any = boto3.client("dynamodb")  # pyright: ignore[reportUnknownMemberType]
    lock = DynamoIngestLease(dynamodb, "KeysTable", services.clock, wait_s=0)
    try:
        with lock.hold(tenant):
            return False
    except Unavailable:
        return True


def _new_key(operator: Mapping[str, Any], tenant: str) -> Any:
    """Order a key for this tenant and call with it."""
    answer = operate({**operator["done"]["order"], "tenant": tenant})
    if "error" in answer:
        return answer["error"]["code"]
    return [sorted(answer["key"].keys() & operator["done"]["answer"]["key"]), context(answer["key"]["key"])["decision"]]


def _reported(answer: Mapping[str, Any]) -> list[object]:
    """Return status and text that a command shows for a refused order."""
    with patch.object(OperatorFunction, "_invoke", return_value=answer):
        try:
            OperatorFunction("stack", None).execute("key.list", tenant="nobody")
        except DomainError as problem:
            return [problem.http_status, str(problem)]
    return []


def _chain(lines: Sequence[str]) -> list[Any]:
    """Check that each audit line names the one before, and return what the lines hold."""
    parsed = [parse_line(f"{line}\n".encode()) for line in lines]
    hashes = [GENESIS_HASH, *(each and each.hash for each in parsed)]
    links = [each is not None and each.prev == hashes[at] for at, each in enumerate(parsed)]
    return [links, [parse_record(line.encode()) for line in lines]]


def _written_again(services: IngestionFunction) -> dict[str, str]:
    """Replace records by equal ones, which the store allows unless somebody else wrote meanwhile."""

    def outcome(record: Document) -> str:
        try:
            services.stores.documents.write("acme", record, record)
        except Conflict:
            return "conflict"
        return "written"

    found = services.stores.documents.read("acme", ["letter", "queued", "unread"])
    return {doc_id: outcome(record) for doc_id, record in sorted(found.items())}
