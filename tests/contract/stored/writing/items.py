"""Items of every table, in every kind and state, as the deployed functions write them."""

import base64
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import boto3
from moto import mock_aws

from groundwire import wiring
from groundwire.adapters.aws.dynamodb.index_generations import DynamoIndexGenerations
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.documents.uploads import Upload
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.tenant import Tenant
from groundwire.ports import GenerationState, IndexGeneration, ModelId
from groundwire.ports.indexes import IndexKind
from groundwire.services.keys.admin import NEVER, KeySpec
from groundwire_mcp.definitions.sessions import Session, SessionOwner
from tests.contract.stored.reading.operator import GROUP, NOBODYS, operate
from tests.contract.stored.reading.sidecars import OAUTH, PUBLIC_URL, Clock, environment
from tests.contract.stored.writing.home import DAY_S
from tests.support.aws.template import tables
from tests.support.engines import dynamodb
from tests.support.registry.key_options import with_options

if TYPE_CHECKING:
    from groundwire.wiring.cloud.services import IngestionFunction

ROOT: Final = "r" * 43
"""What the secrets of the deployment are derived from."""
REGION: Final = "eu-central-1"
KEY_ORDER: Final[Mapping[str, object]] = {
    "action": "key.create",
    "tenant": "acme",
    "name": "ordered",
    "kind": "personal",
    "user": "olga",
    "tags": ["board"],
    "max_tags": [],
    "scopes": ["search", "verify"],
    "collections": ["handbook"],
    "top_n": 7,
    "expand_tokens": 100,
    "toolset": "default",
    "rate_per_minute": 60,
    "burst": 6,
    "expires_in_days": 30,
}
"""As `groundwire --stack NAME key create` sends it."""
_READERS: Final = frozenset({Scope.SEARCH, Scope.VERIFY})
_ORDER: Final = KeySpec(
    tenant="acme",
    name="agent",
    kind=KeyKind.ACT_AS,
    user=None,
    tags=frozenset(),
    max_tags=("*",),
    scopes=_READERS,
    collections=ALL_COLLECTIONS,
    options=USUAL_OPTIONS,
)
_MODEL: Final = ModelId("maker/first@v1/8/int8", 8)
_OTHER: Final = ModelId("maker/second@v1/6/f32", 6)


def write_items(clock: Clock, records: Sequence[Document], uploads: Mapping[str, Upload]) -> dict[str, Any]:
    """Tables, their items, and the texts of the keys among them.

    Args:
        clock: the time.
        records: documents in every state.
        uploads: a ticket for each state's name.
    """
    with _account() as names:
        services = wiring.ingestion_services()
        for tenant, rate, burst in (("acme", 60_000, 9_000), ("globex", 700, 90), ("initech", 700, 90)):
            services.stores.tenants.add(Tenant(tenant, f"{tenant} Ltd", rate, burst, clock()))
        services.stores.tenants.add(Tenant("umbrella", "umbrella", 6_000, 600, clock()))
        services.stores.tenants.mark_deleting("umbrella")
        keys = _keys(services, clock)
        _documents(services, records)
        _tickets(services, uploads, clock())
        _claims(services, clock())
        sessions = _sessions(services, clock())
        _generation_states(names["DocumentsTable"])
        with services.stores.ingest_lock.hold("globex"):
            pass
        with services.stores.ingest_lock.hold("acme"):
            # As whoever holds it leaves it.
            found = {logical_id: _items(name) for logical_id, name in names.items()}
        made = {"keys": keys, "sessions": sessions, "operator": _operator(), "audit": _audit_lines()}
        return {**made, "definitions": _definitions(names), "items": found}


@contextmanager
def _account() -> Generator[Mapping[str, str]]:
    with mock_aws():
        with environment(AWS_ACCESS_KEY_ID="local", AWS_SECRET_ACCESS_KEY="local", AWS_DEFAULT_REGION=REGION):
            names = tables.create(dynamodb.client(None))
            secret = boto3.client("secretsmanager").create_secret(  # pyright: ignore[reportUnknownMemberType]
                Name="secret", SecretString=json.dumps({"root": ROOT})
            )
            boto3.client("logs").create_log_group(logGroupName=GROUP)  # pyright: ignore[reportUnknownMemberType]
        reported = {f"{name.removesuffix('Table').upper()}_TABLE": made for name, made in names.items()}
        access = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_DEFAULT_REGION": REGION}
        further = {"SECRET": secret["ARN"], "AUDIT_LOG_GROUP": GROUP, "PUBLIC_URL": PUBLIC_URL}
        with environment(**reported, **access, **OAUTH, **NOBODYS, **further):
            yield names


def _keys(services: "IngestionFunction", clock: Clock) -> dict[str, Any]:
    administration, made = services.administration.key_admin, dict[str, Any]()

    def issue(name: str, order: KeySpec) -> None:
        issued = administration.create(order)
        made[name] = {"tenant": order.tenant, "kid": issued.key.kid, "text": issued.secret.reveal()}

    now, clock.now = clock.now, clock.now - 10 * DAY_S
    issue("expired", replace(_ORDER, expires_in_days=1))
    clock.now = now
    acting = replace(
        with_options(_ORDER, top_n=5, expand_tokens=200), expires_in_days=NEVER, max_tags=("department:*",)
    )
    issue("act_as", acting)
    personal = replace(acting, kind=KeyKind.PERSONAL, user="ann", tags=frozenset({"board", "größe"}), max_tags=())
    issue("personal", replace(with_options(personal, toolset="mindset"), collections=frozenset({"handbook"})))
    issue("revoked", acting)
    administration.revoke("acme", made["revoked"]["kid"])
    issue("before_rotation", acting)
    rotated = administration.rotate("acme", made["before_rotation"]["kid"], 100)
    made["rotated"] = {**made["before_rotation"], "text": rotated.secret.reveal()}
    tokens = administration.create_token_key(replace(acting, kind=KeyKind.OAUTH, scopes=_READERS))
    made["oauth"] = {"tenant": "acme", "kid": tokens.kid}
    wiring.authorizer_services().authorize({"authorization": f"Bearer {made['act_as']['text']}"})
    # Two keys that could together call more than their tenant may.
    issue("counted", replace(acting, tenant="globex"))
    issue("counted_too", replace(acting, tenant="globex"))
    wiring.authorizer_services().authorize({"authorization": f"Bearer {made['counted']['text']}"})
    issue("marked", replace(acting, tenant="initech"))
    return made


def _documents(services: "IngestionFunction", records: Sequence[Document]) -> None:
    services.stores.users.set("acme", "ann", frozenset({"department:sales", "größe"}))
    services.stores.users.set("acme", "bob", frozenset())
    services.stores.collections.put("acme", Collection("handbook", 0.25))
    services.stores.collections.put("acme", Collection("letters", 0.4, "de"))
    for record in sorted(records, key=lambda each: each.parent is not None):
        services.stores.documents.write("acme", record, None)
    # A mail that was withdrawn before it was read: only what came with it is known.
    [mail] = [each for each in records if each.state is DocumentState.QUEUED]
    waiting = replace(mail, doc_id="withdrawn", source_path="handbook/withdrawn.eml")
    services.stores.documents.add_queued("acme", [waiting])
    services.stores.documents.add_queued("acme", [replace(mail, doc_id="its-attachment", parent="withdrawn")])
    services.stores.documents.delete_unindexed("acme", waiting)


def _tickets(services: "IngestionFunction", uploads: Mapping[str, Upload], now: float) -> None:
    for upload in uploads.values():
        services.stores.uploads.add("acme", replace(upload, expires_at=now + 3_600))
    for name in ("arrived", "done", "refused"):
        assert services.stores.uploads.claim("acme", uploads[name].ticket, "version-1", now) is not None
    services.stores.uploads.finish("acme", uploads["done"].ticket, None)
    services.stores.uploads.finish("acme", uploads["refused"].ticket, "it cannot be read")


def _claims(services: "IngestionFunction", now: float) -> None:
    """Claim events: one finished, one in hand, one released, and one later change in hand after a finished one."""
    take, finish = services.stores.event_claims.claim, services.stores.event_claims.finish
    for name in ("done", "taken", "released", "again"):
        take("acme", f"handbook/{name}.md", "0A", now, now + 900)
    finish("acme", "handbook/done.md", "0A")
    services.stores.event_claims.release("acme", "handbook/released.md", "0A")
    finish("acme", "handbook/again.md", "0A")
    take("acme", "handbook/again.md", "0B", now, now + 900)


def _sessions(services: "IngestionFunction", now: float) -> dict[str, str]:
    person, nobody = SessionOwner("acme", "kid", "ann"), SessionOwner("acme", "kid", None)
    ids = {"of_ann": "a" * 43, "of_nobody": "n" * 43}
    began = Session(ids["of_ann"], person, "2025-11-25", "reader", "1.0", None, now, now + DAY_S)
    services.stores.sessions.add(began)
    services.stores.sessions.set_log_level(person, began.id, now, "error")
    services.stores.sessions.extend(person, began.id, now + 1, now + 2 * DAY_S)
    services.stores.sessions.add(began._replace(id=ids["of_nobody"], owner=nobody))
    return ids


def _generation_states(table: str) -> None:
    """An index that answers, and one whose successor is being made."""
    generation_states = DynamoIndexGenerations(dynamodb.client(None), table, IndexKind.PASSAGES)
    first = GenerationState(IndexGeneration(1, _MODEL), None, 1)
    generation_states.write("acme", first, None)
    generation_states.write("globex", first, None)
    generation_states.write("globex", replace(first, building=IndexGeneration(2, _OTHER), highest_number=2), first)


def _operator() -> dict[str, Any]:
    """Orders to the operator function, and its answers."""
    ordered = {"order": KEY_ORDER, "answer": operate(KEY_ORDER)}
    refused = {"order": {"action": "key.list", "tenant": "nobody"}}
    return {"done": ordered, "refused": {**refused, "answer": operate(refused["order"])}}


def _audit_lines() -> list[str]:
    """Return the lines of the only stream."""
    logs: Any = boto3.client("logs")  # pyright: ignore[reportUnknownMemberType]
    [stream] = logs.describe_log_streams(logGroupName=GROUP)["logStreams"]
    events = logs.get_log_events(logGroupName=GROUP, logStreamName=stream["logStreamName"])["events"]
    return [event["message"] for event in events]


def _items(table: str) -> list[Any]:
    found: list[Any] = list(dynamodb.client(None).scan(TableName=table)["Items"])
    plain = [{name: _plain(value) for name, value in sorted(item.items())} for item in found]
    return sorted(plain, key=json.dumps)


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """Bytes in base64, as in DynamoDB's own JSON."""
    return {kind: base64.b64encode(held).decode() if kind == "B" else held for kind, held in value.items()}


def _definitions(names: Mapping[str, str]) -> dict[str, Any]:
    """Return the definitions that make the same tables again."""
    found: dict[str, Any] = {}
    for logical_id, name in names.items():
        table: Any = dynamodb.client(None).describe_table(TableName=name)["Table"]
        indexes = [
            {part: index[part] for part in ("IndexName", "KeySchema", "Projection")}
            for index in table.get("GlobalSecondaryIndexes", [])
        ]
        found[logical_id] = {"AttributeDefinitions": table["AttributeDefinitions"], "KeySchema": table["KeySchema"]}
        found[logical_id] |= {"GlobalSecondaryIndexes": indexes} if indexes else {}
    return found
