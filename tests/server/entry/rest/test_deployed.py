"""The api function as it is deployed: the same answers from tables and bucket, and files past it on both ways."""

import hashlib
import hmac
import json
import os
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest

from groundwire import wiring
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.domain.limits import ORIGINAL_URL_SECONDS, UPLOAD_SECONDS
from tests.server.entry.rest.deployed import BUCKET, GROUP, REGION, TENANT, Deployed, deployed
from tests.support.aws import insights
from tests.support.registry.records import ACT_AS_KEY, MARIAS_DOCUMENT

CONTENT: Final = b"%PDF-1.7 prices"
ORDER: Final[dict[str, Any]] = {
    "collection": "handbook",
    "file_name": "price list.pdf",
    "size": len(CONTENT),
    "sha256": hashlib.sha256(CONTENT).hexdigest(),
    "content_type": "application/pdf",
    "policy": {"public": True, "users": [], "any_tags": [], "all_tags": []},
}
MARIA: Final = Principal(TENANT, "maria", frozenset())
AGENT: Final = replace(ACT_AS_KEY, tenant=TENANT, max_tags=("*",))


_LOG_ROUTES: Final = ("/v1/audit", "/v1/audit/verify", "/v1/audit/callers", "/v1/usage")


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployed]:
    with deployed(monkeypatch) as stack:
        yield stack


@pytest.fixture
def document(stack: Deployed) -> Document:
    """Maria's, stored."""
    services = wiring.admin_services()
    services.stores.blobs.put(TENANT, MARIAS_DOCUMENT.blob or "", CONTENT)
    services.stores.documents.write(TENANT, MARIAS_DOCUMENT, None)
    services.stores.keys.add(AGENT, b"d" * 32)
    return MARIAS_DOCUMENT


def maria_link(document: Document, tag_source: TagSource = TagSource.CALL) -> str:
    """A link that an agent was given for her."""
    return wiring.admin_services().reading.source_links.url_for(
        document, Caller.from_key(AGENT, MARIA, AGENT.scopes, tag_source, now=0.0)
    )


def test_an_administrator_reads_the_audit_log_as_on_a_machine(stack: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    insights.install(monkeypatch, service := insights.Insights())
    monkeypatch.setattr(time, "sleep", float)
    stack.send("PUT", "/v1/users/ann", tags=["hr"])
    stack.send("PUT", "/v1/users/ben", tags=["hr"])
    [row] = stack.send("GET", "/v1/audit?user=ANN").json["rows"]
    assert (row["call"], row["user"], row["details"]["entry"]) == ("PUT /v1/users/{user}", "olga", "ann")
    first = stack.send("GET", "/v1/audit?limit=1").json
    rest = stack.send("GET", f"/v1/audit?after={first['next']}").json
    assert [each["call"] for each in [*first["rows"], *rest["rows"]]] == [
        "GET /v1/audit",
        "PUT /v1/users/{user}",
        "PUT /v1/users/{user}",
    ]
    assert rest["next"] is None
    with_calls = stack.send("GET", "/v1/tags?last_calls=true").json
    assert ([row["tag"] for row in with_calls["tags"]], with_calls["unrecognised_calls"]) == (["hr"], 0)
    [month] = stack.send("GET", "/v1/usage").json["months"]
    assert month["calls"] == {"GET /v1/audit": 3, "GET /v1/tags": 1, "PUT /v1/users/{user}": 2}
    callers = stack.send("GET", "/v1/audit/callers").json
    assert [(each["user"], each["calls"]) for each in callers["callers"]] == [("olga", 7)]
    assert callers["next"] is None
    assert {group for groups in service.groups for group in groups} == {GROUP}


def test_the_chains_of_a_deployment_are_verified_by_its_operator(stack: Deployed) -> None:
    reply = stack.send("GET", "/v1/audit/verify")
    assert (reply.status, "log stream" in reply.json["error"]["message"]) == (404, True)


def test_a_bounded_administrator_reads_no_audit_log_and_no_query_is_made(
    stack: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    insights.install(monkeypatch, service := insights.Insights())
    made = stack.send(
        "POST", "/v1/keys", name="n", kind="personal", user="u", scopes=["admin"], collections=["handbook"]
    ).json
    bounded = Deployed(made["key"])
    assert [bounded.send("GET", path).status for path in _LOG_ROUTES] == [403] * 4
    assert service.texts == []


def test_whoami_of_a_deployment_names_tenant_and_rights(stack: Deployed) -> None:
    identity = stack.send("GET", "/v1/whoami").json
    assert (identity["tenant"], identity["administrator"]) == (TENANT, True)


def test_a_deployment_stores_no_evaluations_and_checks_its_tenant(stack: Deployed) -> None:
    reply = stack.send("GET", "/v1/evaluations")
    assert (reply.status, "`groundwire eval`" in reply.json["error"]["message"]) == (404, True)
    pending = {"queued": 0, "parsing": 0, "waiting": 0, "failed": 0}
    assert stack.send("GET", "/v1/ingestions").json == {"ingestions": [], "pending": pending}
    assert stack.send("GET", "/v1/ingestions/r_0000000000000000").status == 404
    checks = {each["name"]: each["status"] for each in stack.send("GET", "/v1/doctor").json["checks"]}
    assert checks == {"documents": "ok", "keys": "ok", "index": "ok", "sign_in": "ok"}


def test_keys_users_and_collections_are_kept_in_the_tables(stack: Deployed) -> None:
    made = stack.send("POST", "/v1/keys", name="n", kind="personal", user="u", scopes=["search"], collections="every")
    stack.send("PUT", "/v1/users/ann", tags=["hr"])
    stack.send("PUT", "/v1/collections/handbook", bm25_weight=0.4)

    assert made.json["key"].startswith("gw_live_")
    assert len(stack.send("GET", "/v1/keys").json["keys"]) == 2
    assert stack.send("GET", "/v1/users").json["users"] == [{"user": "ann", "tags": ["hr"]}]
    [collection] = stack.send("GET", "/v1/collections").json["collections"]
    assert (collection["name"], collection["bm25_weight"]) == ("handbook", 0.4)
    assert stack.send("DELETE", f"/v1/keys/{made.json['kid']}").json["revoked"] is True
    assert {line["tenant"] for line in stack.audit_lines()} == {TENANT}
    assert len(stack.audit_lines()) == 7


def test_a_ticket_is_a_form_for_exactly_one_key_size_type_and_content(stack: Deployed) -> None:
    ticket = stack.send("POST", "/v1/uploads", **ORDER).json

    policy = json.loads(b64decode(ticket["fields"]["policy"]))
    checksum = b64encode(hashlib.sha256(CONTENT).digest()).decode()
    key = f"tenants/{TENANT}/handbook/.uploads/{ticket['ticket']}/file"
    conditions = policy["conditions"]
    assert ["content-length-range", len(CONTENT), len(CONTENT)] in conditions
    exactly = {name: value for each in conditions if isinstance(each, dict) for name, value in each.items()}
    assert exactly.items() >= {
        ("bucket", BUCKET),
        ("key", key),
        ("Content-Type", "application/pdf"),
        ("x-amz-checksum-sha256", checksum),
    }
    # Whatever is sent has to be as it was signed: nothing else stands in the form.
    assert {name: value for name, value in ticket["fields"].items() if name not in {"policy", "x-amz-signature"}} == {
        name: value for name, value in exactly.items() if name != "bucket"
    }
    ends = datetime.fromisoformat(policy["expiration"])
    assert 0 < (ends - datetime.now(UTC)).total_seconds() <= UPLOAD_SECONDS
    assert urlsplit(ticket["url"]).scheme == "https"


def test_the_form_is_signed_as_s3_checks_it(stack: Deployed) -> None:
    fields = stack.send("POST", "/v1/uploads", **ORDER).json["fields"]

    secret = b"AWS4" + os.environ["AWS_SECRET_ACCESS_KEY"].encode()
    for part in (fields["x-amz-date"][:8], REGION, "s3", "aws4_request"):
        secret = hmac.digest(secret, part.encode(), "sha256")
    assert fields["x-amz-signature"] == hmac.digest(secret, fields["policy"].encode(), "sha256").hex()


def test_a_ticket_waits_for_its_file(stack: Deployed) -> None:
    ticket = stack.send("POST", "/v1/uploads", **ORDER).json
    upload = wiring.admin_services().stores.uploads.get(TENANT, ticket["ticket"])

    assert upload is not None
    assert (upload.doc_id, upload.file_name, upload.sha256) == (ticket["doc_id"], ORDER["file_name"], ORDER["sha256"])
    assert upload.policy.public


def test_a_file_in_the_bucket_is_queued_at_once_and_waits_for_an_ingestion_that_runs(stack: Deployed) -> None:
    path = f"/v1/uploads/{stack.send('POST', '/v1/uploads', **ORDER).json['ticket']}"
    services = wiring.admin_services()

    def reported() -> tuple[str, str | None]:
        answer = stack.send("GET", path).json
        return answer["state"], answer["waiting_for"]

    with services.stores.ingest_lock.hold(TENANT):
        assert reported() == ("awaiting", None)
    bucket = boto3.client("s3")  # pyright: ignore[reportUnknownMemberType]
    ticket = path.rsplit("/", 1)[1]
    bucket.put_object(Bucket=BUCKET, Key=f"tenants/{TENANT}/handbook/.uploads/{ticket}/file", Body=CONTENT)
    assert reported() == ("queued", None)
    with services.stores.ingest_lock.hold(TENANT):
        assert reported() == ("queued", "another ingestion")


def test_a_status_states_how_delayed_the_index_is_without_asking_it(
    stack: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_INDEX", "https://nobody.invalid")
    monkeypatch.setenv("GROUNDWIRE_INDEX_SERVICE", "serverless-classic")
    wiring.reset()

    reported = stack.send("GET", "/v1/status").json

    assert (reported["documents"], reported["visible_after_seconds"]) == ({}, 60)


def test_head_on_a_link_is_not_sent_on_to_the_bucket_which_refuses_it(stack: Deployed, document: Document) -> None:
    head = stack.follow(urlsplit(maria_link(document)).path, "HEAD")
    assert head.status == 200
    assert "location" not in head.headers
    # The name of the file is for the person who opens the link.
    assert head.headers["content-type"] == "text/html; charset=utf-8"
    assert "content-disposition" not in head.headers
    assert stack.follow("/open/forged", "HEAD").status == 404


def test_an_opened_link_leads_to_the_bucket_for_a_minute_and_is_recorded_first(
    stack: Deployed, document: Document
) -> None:
    link = maria_link(document)

    answer = stack.follow(urlsplit(link).path)

    address = urlsplit(answer.headers["location"])
    requested = parse_qs(address.query)
    assert (answer.status, answer.body) == (302, b"")
    assert requested["X-Amz-Expires"] == [str(ORIGINAL_URL_SECONDS)]
    assert requested["response-content-disposition"][0].startswith('attachment; filename="Preis _Liste_ ')
    assert requested["response-content-type"] == ["application/octet-stream"]
    assert requested["response-cache-control"] == ["private, no-store"]
    assert answer.headers["cache-control"] == "private, no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    [line] = stack.audit_lines()
    assert (line["outcome"], line["user"], line["documents"], line["status"]) == ("opened", "maria", ["doc_1@1"], 302)
    assert "X-Amz-Signature" not in json.dumps(line)


def test_the_bucket_gets_the_type_of_the_record_and_the_order_to_show_it(stack: Deployed, document: Document) -> None:
    shown = replace(document, source_file_name="prices.pdf", source_file_type="pdf", policy_version=2)
    wiring.admin_services().stores.documents.write(TENANT, shown, document)

    answer = stack.follow(urlsplit(maria_link(shown)).path)

    location = urlsplit(answer.headers["location"])
    requested = parse_qs(location.query)
    assert requested["response-content-type"] == ["application/pdf"]
    assert requested["response-content-disposition"] == ["inline; filename=\"prices.pdf\"; filename*=UTF-8''prices.pdf"]
    # A fragment of its own would take the place of the link's, such as a page.
    assert location.fragment == ""
    assert requested["response-cache-control"] == ["private, no-store"]


def test_a_link_leads_nowhere_once_its_reader_lost_the_right(stack: Deployed, document: Document) -> None:
    services = wiring.admin_services()
    link = maria_link(document)
    closed = Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
    services.stores.documents.write(TENANT, replace(document, policy=closed, policy_version=2), document)

    answer = stack.follow(urlsplit(link).path)

    assert answer.status == 404
    assert "location" not in answer.headers


def test_a_link_of_a_revoked_key_leads_nowhere_and_the_line_names_the_key(stack: Deployed, document: Document) -> None:
    path = urlsplit(maria_link(document)).path
    assert stack.follow(path).status == 302

    wiring.admin_services().stores.keys.revoke(TENANT, AGENT.kid)

    assert stack.follow(path).status == 404
    opened, refused = stack.audit_lines()
    assert (opened["kid"], refused["kid"]) == (AGENT.kid, AGENT.kid)
    assert (refused["outcome"], refused["user"], refused["documents"]) == ("refused", "maria", ["doc_1"])


def test_a_link_by_a_users_entry_leads_where_the_entry_of_that_moment_may_read(
    stack: Deployed, document: Document
) -> None:
    services = wiring.admin_services()
    tagged = Policy(public=False, users=frozenset(), any_tags=frozenset({"sales"}), all_tags=frozenset())
    services.stores.documents.write(TENANT, replace(document, policy=tagged, policy_version=2), document)
    path = urlsplit(maria_link(document, TagSource.ENTRY)).path
    statuses = [stack.follow(path).status]
    for tags in ({"sales"}, {"support"}):
        services.stores.users.set(TENANT, "maria", frozenset(tags))
        statuses.append(stack.follow(path).status)
    assert statuses == [404, 302, 404]
