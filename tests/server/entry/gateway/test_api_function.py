"""The api function behind the product's own template: links and the sign of life."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from groundwire import __version__, wiring
from groundwire.domain.access.policy import Principal
from groundwire.domain.audit.lines import person_facts
from groundwire.domain.documents.links import SEAL_PURPOSE
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.entry.rest import REFUSED_MESSAGE, UNAVAILABLE_MESSAGE
from groundwire.wiring.local.services import LocalServices
from tests.support.registry.records import ACT_AS_KEY, MARIAS_DOCUMENT

ROOT = Path(__file__).parents[4]
MARIA = Principal("t_1", "maria", frozenset({"department:sales"}))
FOR_OTHERS = replace(MARIAS_DOCUMENT.policy, users=frozenset({"omar"}))
KEY = replace(ACT_AS_KEY, tenant="t_1")
CONTENT = b"<script>alert(1)</script>\x00\xff"


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServices]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    wiring.reset()
    current = wiring.local_services()
    current.stores.tenants.add(Tenant("t_1", "Acme", rate_per_minute=600, burst=60, created_at=0.0))
    # A key needs the secrets of its home; without the file the home counts as damaged.
    assert current.stores.secrets.pepper
    current.stores.keys.add(KEY, b"d" * 32)
    current.stores.blobs.put("t_1", "doc_1-1", CONTENT)
    current.stores.documents.write("t_1", MARIAS_DOCUMENT, None)
    yield current
    wiring.reset()


@pytest.fixture
def http(services: LocalServices) -> Iterator[httpx.Client]:
    with run_in_background(ROOT / "template.yaml") as url, httpx.Client(base_url=url, timeout=20) as client:
        yield client


def link(services: LocalServices, principal: Principal = MARIA, tag_source: TagSource = TagSource.CALL) -> str:
    caller = Caller.from_key(KEY, principal, KEY.scopes, tag_source, now=0.0)
    return services.reading.source_links.url_for(MARIAS_DOCUMENT, caller).removeprefix(services.settings.public_url)


def audit_lines(services: LocalServices) -> list[dict[str, object]]:
    files = [file for file in services.settings.home.rglob("*.jsonl") if "audit" in str(file)]
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_health_reports_its_version_and_touches_nothing(http: httpx.Client, services: LocalServices) -> None:
    before = sorted(services.settings.home.rglob("*"))
    assert http.get("/health").json() == {"status": "ok", "version": __version__}
    assert sorted(services.settings.home.rglob("*")) == before


def test_a_link_gives_the_document_as_an_attachment_that_no_browser_shows(
    http: httpx.Client, services: LocalServices
) -> None:
    response = http.get(link(services))
    assert (response.status_code, response.content) == (200, CONTENT)
    plain, _, name = response.headers["content-disposition"].partition("; filename*=UTF-8''")
    assert plain == 'attachment; filename="Preis _Liste_ _ 2026__.html"'
    assert unquote(name) == MARIAS_DOCUMENT.source_file_name
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "private, no-store"
    assert response.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"
    assert response.headers["cross-origin-resource-policy"] == "same-origin"
    assert response.headers["referrer-policy"] == "no-referrer"


def test_head_gets_what_a_preview_gets_without_the_body(http: httpx.Client, services: LocalServices) -> None:
    for address in (link(services), "/open/forged"):
        preview, head = http.get(address, headers={"user-agent": "Slackbot 1.0"}), http.head(address)
        assert head.content == b""
        assert head.status_code == preview.status_code
        assert {k: v for k, v in head.headers.items() if k != "date"} == {
            k: v for k, v in preview.headers.items() if k != "date"
        }
    looked_at = audit_lines(services)[1]
    assert (looked_at["outcome"], looked_at["documents"], looked_at["bytes"]) == ("preview", ["doc_1@1"], 0)


def test_a_link_is_refused_once_the_document_has_another_policy(http: httpx.Client, services: LocalServices) -> None:
    address = link(services)
    assert http.get(address).status_code == 200
    services.stores.documents.write(
        "t_1", replace(MARIAS_DOCUMENT, policy=FOR_OTHERS, policy_version=2), MARIAS_DOCUMENT
    )
    assert http.get(address).status_code == 404


def test_forged_forbidden_foreign_and_lost_get_the_same_answer_to_the_byte(
    http: httpx.Client, services: LocalServices
) -> None:
    own = link(services)
    foreign = link(services, replace(MARIA, tenant="t_2"))
    stranger = link(services, replace(MARIA, user="eve"))
    addresses = [own[:-2] + "xx", foreign, stranger, "/open/x", "/open/%00", "/open/%F0%9F%98%80"]
    answers = [http.get(address) for address in addresses]
    services.stores.blobs.delete("t_1", "doc_1-1")
    answers.append(http.get(own))
    assert {(answer.status_code, answer.text) for answer in answers} == {(404, REFUSED_MESSAGE)}
    assert len({tuple((k, v) for k, v in answer.headers.items() if k != "date") for answer in answers}) == 1


def test_every_opening_leaves_one_audit_line_without_the_token(http: httpx.Client, services: LocalServices) -> None:
    address = link(services)
    code = address.removeprefix("/o/")
    http.get(address)
    http.get("/open/forged-token")
    opened, refused = audit_lines(services)
    assert (opened["outcome"], opened["tenant"], opened["user"]) == ("opened", "t_1", "maria")
    assert (opened["documents"], opened["status"], opened["kid"]) == (["doc_1@1"], 200, KEY.kid)
    assert (refused["outcome"], refused.get("tenant"), refused["status"]) == ("refused", None, 404)
    text = json.dumps([opened, refused])
    assert code not in text
    assert "forged-token" not in text


def test_an_opening_is_recorded_with_the_tags_that_it_was_decided_by(
    http: httpx.Client, services: LocalServices
) -> None:
    address = link(services, tag_source=TagSource.ENTRY)
    for tags in (MARIA.tags, frozenset({"region:north"})):
        services.stores.users.set("t_1", "maria", tags)
        assert http.get(address).status_code == 200
    before, after = audit_lines(services)
    assert before["tags_hash"] == person_facts(MARIA)["tags_hash"]
    assert after["tags_hash"] == person_facts(replace(MARIA, tags=frozenset({"region:north"})))["tags_hash"]


def test_an_opening_that_breaks_is_answered_in_one_line_and_recorded(
    http: httpx.Client, services: LocalServices
) -> None:
    answer = http.get(f"/open/{services.stores.seal.seal(SEAL_PURPOSE, b'[]')}")
    assert (answer.status_code, answer.text) == (503, UNAVAILABLE_MESSAGE)
    assert answer.headers["retry-after"].isdigit()
    [line] = audit_lines(services)
    assert (line["route"], line["status"]) == ("/open", 503)


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json", "/open", "/open/", "/open/a/b"])
def test_the_api_has_no_other_entry_point(http: httpx.Client, path: str) -> None:
    assert http.get(path).status_code == 404


def test_a_function_without_stores_states_when_to_retry_and_logs_the_reason(tmp_path: Path) -> None:
    script = """
import asyncio, json, sys, time
from groundwire.entry.gateway.events import GatewayRequest, function_event
from groundwire.entry.gateway.lambda_runtime import LocalLambdaContext
from groundwire.entry.rest import handler
asyncio.set_event_loop(asyncio.new_event_loop())
request = GatewayRequest("GET", "/open/x", "", (("host", "localhost"),), b"", "127.0.0.1")
event = function_event(request, "GET /open/{token}", {"token": "x"})
print(json.dumps(handler(event, LocalLambdaContext("api", "128", time.monotonic() + 3))))
"""
    environment = {"AWS_LAMBDA_FUNCTION_NAME": "api"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=tmp_path, capture_output=True, check=True
    )
    logged, answer = map(json.loads, done.stdout.splitlines())
    assert answer["statusCode"] == 503
    assert answer["headers"]["retry-after"].isdigit()
    assert "stack" not in answer["body"]
    assert "deploy the stack" in logged["message"]
