"""The report about a deployment: settings, a tenant's index, identity headers that the gateway overwrote."""

import asyncio
import json
from collections.abc import Generator, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

import pytest

from groundwire import __version__
from groundwire.domain.errors import Unavailable
from groundwire.entry.cli.commands.doctor import calls
from groundwire.entry.cli.commands.doctor.findings import Caution
from groundwire.entry.cli.commands.doctor.run_budget import RunBudget
from groundwire.entry.cli.commands.doctor.scratch_tenant import ScratchTenant
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.events import GatewayRequest
from groundwire.entry.runtime.header_comparison import COUNT_HEADER
from groundwire.wiring import remote_targets
from groundwire_mcp.transport.http import HttpResponse
from tests.support.aws.operator_stack import URL, Stack
from tests.support.aws.template.routes import deployed_routes
from tests.support.aws.tenant_content import ADMIN, AGENT, fill
from tests.support.worlds.exchange import owner

if TYPE_CHECKING:
    from groundwire.entry.cli.target.action_client import ActionClient

PING: Final = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
COUNTED: Final = (COUNT_HEADER, "1")
UNSORTED_TAGS: Final = ("x-session-tags", '[ "team:b", "team:a" ]')


@pytest.fixture
def event_loop() -> Generator[None]:
    """A loop for the api function, which runs on that of the calling thread."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


def call(key: str, path: str, *headers: tuple[str, str], overwrites: bool = True) -> int:
    """Return the status of a call through a gateway that overwrites the identity headers or does not."""
    routes = deployed_routes() if overwrites else [replace(route, overwrites={}) for route in deployed_routes()]
    sent = (("authorization", f"Bearer {key}"), ("content-type", "application/json"), ("host", "api.example"), *headers)
    method, body = ("POST", PING) if path == "/mcp" else ("GET", b"")
    return Dispatcher(routes).answer(GatewayRequest(method, path, "", sent, body, "127.0.0.1")).status


def new_key(stack: Stack, **spec: object) -> str:
    return str(stack.done("key.create", tenant="acme", **spec)["key"]["key"])


def counts(stack: Stack) -> dict[str, int]:
    return dict(stack.done("stack.report", tenant="acme")["headers"])


def test_the_report_names_version_and_settings_and_asks_no_index(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(vars(owner(stack.services, "indexes")), "indexes", None)
        report = stack.done("stack.report")
    assert report["version"] == __version__
    assert report["settings"]["public_url"] == URL
    assert report["settings"]["issuer"] is None
    assert report["settings"]["model"].startswith(f"{stack.models.default.model.name}/")
    assert "index" not in report


def test_the_report_of_a_tenant_has_its_index_once_there_is_one(stack: Stack, tenant: str) -> None:
    assert stack.done("stack.report", tenant="acme")["index"] is None
    fill(stack, tenant)
    index = stack.done("stack.report", tenant=tenant)["index"]
    model = stack.models.default.model
    assert (index["model"], index["custom_ids"], index["defect"]) == (f"{model.name}/{model.dimension}", True, None)


def test_a_report_of_an_unknown_tenant_is_refused_and_audited(stack: Stack) -> None:
    assert stack.refused("stack.report", tenant="nobody")["code"] == "not_found"
    assert stack.audit_lines()[-1]["outcome"] == "refused"


@pytest.mark.usefixtures("tenant", "event_loop")
@pytest.mark.parametrize("path", ["/mcp", "/v1/status"])
def test_overwritten_headers_count_as_compared_only_where_the_caller_asks_for_it(stack: Stack, path: str) -> None:
    personal, agent = new_key(stack, **ADMIN | {"scopes": ["search", "admin"]}), new_key(stack, **AGENT)
    assert call(personal, path) == 200
    assert counts(stack) == {"compared": 0, "different": 0}
    assert call(personal, path, COUNTED) == 200
    if path == "/mcp":
        assert call(agent, path, ("x-user-id", "ann"), UNSORTED_TAGS, COUNTED) == 200
    assert counts(stack) == {"compared": 2 if path == "/mcp" else 1, "different": 0}


@pytest.mark.usefixtures("tenant", "event_loop")
@pytest.mark.parametrize("path", ["/mcp", "/v1/status"])
def test_headers_as_the_client_sent_them_count_as_different(stack: Stack, path: str) -> None:
    personal = new_key(stack, **ADMIN | {"scopes": ["search", "admin"]})
    assert call(personal, path, overwrites=False) == 200
    assert counts(stack) == {"compared": 1, "different": 1}


@pytest.mark.usefixtures("tenant")
def test_a_call_that_is_not_admitted_writes_no_count(stack: Stack) -> None:
    personal = new_key(stack, **ADMIN)
    assert call(personal, "/mcp", ("x-user-id", "eve"), COUNTED, overwrites=False) == 403
    assert call("gw_live_nobody", "/mcp", COUNTED, overwrites=False) == 401
    assert stack.rows("SESSIONS_TABLE") == []


@pytest.mark.usefixtures("tenant")
def test_a_count_that_cannot_be_written_is_logged_and_the_call_answered(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        def record(self, *_: Any, **__: Any) -> None:
            raise Unavailable("The table does not answer.")

    monkeypatch.setitem(vars(owner(stack.services, "header_checks")), "header_checks", Broken())
    assert call(new_key(stack, **ADMIN), "/mcp", COUNTED) == 200
    assert "could not be counted: The table does not answer." in capsys.readouterr().out


@pytest.mark.usefixtures("tenant")
def test_the_counts_are_deleted_with_their_tenant_and_are_no_session(stack: Stack) -> None:
    call(new_key(stack, **ADMIN), "/mcp", COUNTED)
    [row] = stack.rows("SESSIONS_TABLE")
    assert float(row["expires_at"]["N"]) > 86_400
    assert stack.done("tenant.delete", tenant="acme")["deleted"]["sessions"] == 0
    assert stack.rows("SESSIONS_TABLE") == []


@pytest.mark.usefixtures("event_loop")
@pytest.mark.parametrize(("overwrites", "line"), [(True, "Overwritten: yes, in 2 of 2"), (False, "No: in 2 of 2")])
def test_the_check_of_spoofed_headers_reports_what_the_gateway_did(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, *, overwrites: bool, line: str
) -> None:
    def send(method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> HttpResponse:
        routes = deployed_routes() if overwrites else [replace(route, overwrites={}) for route in deployed_routes()]
        sent = (("host", "api.example"), *headers.items())
        request = GatewayRequest(method, url.removeprefix(URL), "", sent, body or b"", "127.0.0.1")
        return HttpResponse(Dispatcher(routes).answer(request).status, {}, b"")

    monkeypatch.setattr(remote_targets, "send_http", send)
    operator = SimpleNamespace(execute=stack.done)
    scratch = ScratchTenant(cast("ActionClient", operator), URL, RunBudget())
    scratch.create()
    found = calls.check_headers(scratch)
    assert isinstance(found, Caution) is not overwrites
    assert (found.text if isinstance(found, Caution) else found).startswith(line)


def test_the_index_is_woken_by_a_request_to_it(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    stack.done("stack.wake_index")

    def asleep() -> None:
        raise Unavailable("The index does not answer yet.")

    monkeypatch.setattr(stack.services.stores.indexes, "wake", asleep)
    assert stack.refused("stack.wake_index")["message"].startswith("The index does not answer yet.")


def test_the_tenant_of_a_check_is_remembered_beyond_its_deletion(stack: Stack) -> None:
    made = stack.done("stack.create_scratch_tenant")["tenant"]
    assert made["name"].startswith("groundwire-doctor-")
    assert stack.done("stack.list_scratch_tenants")["tenants"] == [{"tenant": made["tenant"], "name": made["name"]}]
    stack.done("tenant.delete", tenant=made["tenant"])
    assert stack.done("stack.list_scratch_tenants")["tenants"] == [{"tenant": made["tenant"], "name": None}]


def test_a_scratch_tenant_that_was_not_remembered_is_found_by_its_name(stack: Stack, tenant: str) -> None:
    made = stack.services.administration.tenant_admin.create("groundwire-doctor-1234abcd")
    listed = stack.done("stack.list_scratch_tenants")["tenants"]
    assert listed == [{"tenant": made.tenant, "name": made.name}]
    assert tenant not in {row["tenant"] for row in listed}


def test_no_operator_gives_a_tenant_the_name_of_a_checks_tenant(stack: Stack) -> None:
    assert stack.refused("tenant.create", name="groundwire-doctor-pilot")["code"] == "invalid"
    stack.services.administration.tenant_admin.create("groundwire-doctor-of-the-release-before")
    assert stack.done("stack.list_scratch_tenants")["tenants"] == []
