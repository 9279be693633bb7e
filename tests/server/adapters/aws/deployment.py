"""A deployment in this process: tables, secret and audit log as the template makes them, and the gateway's calls."""

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import boto3
import pytest
from moto import mock_aws

from groundwire import wiring
from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants, TenantTables
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import load_function
from groundwire.services.keys.admin import KeyAdmin
from tests.support.aws.template import tables
from tests.support.aws.template.routes import deployed_route
from tests.support.engines import dynamodb
from tests.support.registry.key_specs import CHOICES, agents_key

TENANT: Final = "t_acme"
ROUTE: Final = "ANY /mcp"
GROUP: Final = "audit"
_VARIABLES = {
    "KeysTable": "KEYS_TABLE",
    "UsersTable": "USERS_TABLE",
    "DocumentsTable": "DOCUMENTS_TABLE",
    "SessionsTable": "SESSIONS_TABLE",
}


class Deployment:
    """Resources of a stack, in this process; `key` acts for other users."""

    def __init__(self, made: Mapping[str, str]) -> None:
        places = TenantTables(made["KeysTable"], made["UsersTable"], made["DocumentsTable"], made["SessionsTable"])
        self.tenants = DynamoTenants(dynamodb.client(None), places)
        self.tenants.add(Tenant(TENANT, "acme", 6_000, 1_000, 0.0))
        services = wiring.admin_services()
        administration = KeyAdmin(
            services.stores.keys,
            self.tenants,
            CHOICES,
            lambda: services.stores.secrets.pepper,
            "live",
            _ones,
            lambda: 1_000.0,
        )
        order = replace(agents_key(TENANT), expires_in_days="never")
        self.key = administration.create(order).secret.reveal()
        route = deployed_route(ROUTE)
        assert route.authorizer is not None
        self._authorizer, self._mcp = load_function(route.authorizer), load_function(route.function)

    def answer(
        self,
        body: object,
        user: str = "maria",
        session: str | None = None,
        method: str = "POST",
        tags: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """Return the gateway's response to a call; `tags` None: without the header of tags."""
        reported = {"authorization": f"Bearer {self.key}", "x-user-id": user, "content-type": "application/json"}
        if session is not None:
            reported["mcp-session-id"] = session
        if tags is not None:
            reported["x-session-tags"] = json.dumps(tags)
        headers = tuple(reported.items())
        request = GatewayRequest(method, "/mcp", "", headers, json.dumps(body).encode() if body else b"", "127.0.0.1")
        event = function_event(request, ROUTE, {})
        decided: Any = self._authorizer.invoke(authorizer_event(event))
        context: Any = event["requestContext"]
        answer: Any = self._mcp.invoke(
            {**event, "requestContext": {**context, "authorizer": {"lambda": decided["context"]}}}
        )
        return dict(answer)

    def order(self, event: dict[str, object]) -> dict[str, Any]:
        """Return the mcp function's answer to an event that is not from the gateway."""
        answer: Any = self._mcp.invoke(event)
        return dict(answer)

    def audit_lines(self) -> list[bytes]:
        """All of them, stream by stream."""
        logs = boto3.client("logs")  # pyright: ignore[reportUnknownMemberType]
        names = [one.get("logStreamName", "") for one in logs.describe_log_streams(logGroupName=GROUP)["logStreams"]]
        events = [
            event for name in names for event in logs.get_log_events(logGroupName=GROUP, logStreamName=name)["events"]
        ]
        return [f"{event.get('message')}\n".encode() for event in events]


def _ones(count: int) -> bytes:
    return b"\x01" * count


def message(method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@contextmanager
def deployed(monkeypatch: pytest.MonkeyPatch) -> Generator[Deployment]:
    """Yield a new deployment, which is removed at the end of the block."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "mcp")
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    monkeypatch.delenv("GROUNDWIRE_HOME", raising=False)
    with mock_aws():
        made = tables.create(dynamodb.client(None))
        for logical_id, variable in _VARIABLES.items():
            monkeypatch.setenv(f"GROUNDWIRE_{variable}", made[logical_id])
        boto3.client("logs").create_log_group(logGroupName=GROUP)  # pyright: ignore[reportUnknownMemberType]
        secret = boto3.client("secretsmanager").create_secret(  # pyright: ignore[reportUnknownMemberType]
            Name="secret", SecretString=json.dumps({"root": "r" * 43})
        )
        monkeypatch.setenv("GROUNDWIRE_AUDIT_LOG_GROUP", GROUP)
        monkeypatch.setenv("GROUNDWIRE_SECRET", secret["ARN"])
        wiring.reset()
        yield Deployment(made)
    wiring.reset()
