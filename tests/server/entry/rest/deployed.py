"""The deployed api function over tables, bucket, secret and audit log of an account in this process."""

import asyncio
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import boto3
import pytest
from botocore.session import get_session
from moto import mock_aws

from groundwire import wiring
from groundwire.adapters.aws import clients
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.gateway.events import GatewayRequest, authorizer_event, function_event
from groundwire.entry.gateway.lambda_runtime import load_function
from groundwire.entry.gateway.template import RouteSpec
from groundwire.services.keys.admin import KeySpec
from tests.server.entry.rest.api import JSON, Reply, check
from tests.support.aws.template import tables
from tests.support.aws.template.routes import deployed_route
from tests.support.engines import dynamodb

TENANT: Final = "t_acme"
BUCKET: Final = "groundwire-files"
GROUP: Final = "audit"
REGION: Final = "eu-central-1"
_VARIABLES: Final = {
    "KeysTable": "KEYS_TABLE",
    "UsersTable": "USERS_TABLE",
    "DocumentsTable": "DOCUMENTS_TABLE",
    "SessionsTable": "SESSIONS_TABLE",
}


@dataclass(frozen=True, slots=True)
class Deployed:
    """The function behind its gateway, with an administrator's key."""

    key: str

    def send(self, method: str, path: str, **body: object) -> Reply:
        """Return the gateway's answer at /v1, after a check against the specification."""
        reply = self._reply(deployed_route("ANY /v1/{proxy+}"), method, path, body)
        check(method, path.partition("?")[0], reply)
        return reply

    def follow(self, path: str, method: str = "GET") -> Reply:
        """Return the gateway's response to a browser that follows a link."""
        route = "/o/{code}" if path.startswith("/o/") else "/open/{token}"
        return self._reply(deployed_route(f"{method} {route}"), method, path, {})

    def audit_lines(self) -> list[dict[str, Any]]:
        """All of them."""
        logs = boto3.client("logs")  # pyright: ignore[reportUnknownMemberType]
        streams = logs.describe_log_streams(logGroupName=GROUP)["logStreams"]
        found = [
            logs.get_log_events(logGroupName=GROUP, logStreamName=each.get("logStreamName", "")) for each in streams
        ]
        return [json.loads(event.get("message", "")) for one in found for event in one["events"]]

    def _reply(self, route: RouteSpec, method: str, path: str, body: Mapping[str, object]) -> Reply:
        headers = (("authorization", f"Bearer {self.key}"), ("content-type", JSON), ("host", "api.example"))
        path, _, query = path.partition("?")
        sent = json.dumps(body).encode() if body else b""
        answer = answer_of(route, GatewayRequest(method, path, query, headers, sent, "127.0.0.1"))
        return Reply(answer["statusCode"], answer["headers"], answer.get("body", "").encode())


def answer_of(route: RouteSpec, request: GatewayRequest) -> Any:
    """Return the answer of the route's function, after the decision of the authorizer's."""
    event = function_event(request, route.key, {})
    if route.authorizer is not None:
        decided: Any = load_function(route.authorizer).invoke(authorizer_event(event))
        context: Any = event["requestContext"]
        event = {**event, "requestContext": {**context, "authorizer": {"lambda": decided["context"]}}}
    return load_function(route.function).invoke(event)


@contextmanager
def deployed(patch: pytest.MonkeyPatch) -> Generator[Deployed]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        patch.setenv(name, "local")
    patch.setenv("AWS_DEFAULT_REGION", REGION)
    # A session that an earlier test cached has other credentials.
    patch.setattr(clients, "_session", get_session)
    patch.setenv("AWS_LAMBDA_FUNCTION_NAME", "api")
    patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    patch.delenv("GROUNDWIRE_HOME", raising=False)
    with mock_aws():
        made = tables.create(dynamodb.client(None))
        for logical_id, variable in _VARIABLES.items():
            patch.setenv(f"GROUNDWIRE_{variable}", made[logical_id])
        boto3.client("logs").create_log_group(logGroupName=GROUP)  # pyright: ignore[reportUnknownMemberType]
        boto3.client("s3").create_bucket(  # pyright: ignore[reportUnknownMemberType]
            Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION}
        )
        secret = boto3.client("secretsmanager").create_secret(  # pyright: ignore[reportUnknownMemberType]
            Name="secret", SecretString=json.dumps({"root": "r" * 43})
        )
        patch.setenv("GROUNDWIRE_AUDIT_LOG_GROUP", GROUP)
        patch.setenv("GROUNDWIRE_BUCKET", BUCKET)
        patch.setenv("GROUNDWIRE_SECRET", secret["ARN"])
        patch.setenv("GROUNDWIRE_PUBLIC_URL", "https://api.example")
        wiring.reset()
        # Mangum runs the function on the loop of the calling thread.
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        try:
            yield Deployed(_administrators_key())
        finally:
            asyncio.set_event_loop(None)
            loop.close()
    wiring.reset()


def _administrators_key() -> str:
    services = wiring.admin_services()
    services.stores.tenants.add(Tenant(TENANT, "acme", 60_000, 10_000, 0.0))
    order = KeySpec(
        tenant=TENANT,
        name="admin",
        kind=KeyKind.PERSONAL,
        user="olga",
        tags=frozenset(),
        max_tags=(),
        scopes=frozenset({Scope.ADMIN}),
        collections=ALL_COLLECTIONS,
        options=USUAL_OPTIONS,
        rate_per_minute=60_000,
        burst=10_000,
    )
    return services.administration.key_admin.create(order).secret.reveal()
