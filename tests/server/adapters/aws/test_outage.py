"""While a table is down, every call is answered with 503 and a time to retry, and none is admitted."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from groundwire.adapters.aws.dynamodb.administered.users import DynamoUsers
from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys
from groundwire.domain.keys.auth_decision import AuthReason, AuthStatus
from groundwire.domain.keys.forms.key_text import mint_key
from groundwire.entry.authorizer import build_handler
from groundwire.services.keys.request_authorizer import RequestAuthorizer
from tests.support.engines import dynamodb
from tests.support.registry.records import NOW

PEPPER = b"p" * 32


class Refusing(BaseHTTPRequestHandler):
    """DynamoDB that answers every request as it answers too many."""

    def do_POST(self) -> None:
        kind = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
        body = json.dumps({"__type": kind, "message": "slower"}).encode()
        self.send_response(400)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def throttled() -> Generator[str]:
    server = HTTPServer(("127.0.0.1", 0), Refusing)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def absent() -> Generator[str]:
    # No process listens on the port once the socket is closed.
    server = HTTPServer(("127.0.0.1", 0), Refusing)
    server.server_close()
    yield f"http://127.0.0.1:{server.server_port}"


def key() -> str:
    return mint_key("test", lambda count: b"r" * count).text.reveal()


@pytest.mark.parametrize("down", [absent, throttled])
def test_a_call_is_given_a_retry_time(down: Any) -> None:
    with down() as url:
        client = dynamodb.client(url)
        authorize = RequestAuthorizer(DynamoKeys(client, "keys"), DynamoUsers(client, "users"), PEPPER, lambda: NOW)
        decision = authorize({"authorization": f"Bearer {key()}"})
        context = build_handler(authorize)({"headers": {"x-api-key": key()}}, None)["context"]
        client.close()
    assert (decision.status, decision.reason) == (AuthStatus.UNAVAILABLE, AuthReason.STORE_UNAVAILABLE)
    assert decision.caller is None
    assert (decision.retry_after_s or 0) >= 1
    assert isinstance(context, dict)
    assert context["decision"] == "unavailable"
    assert int(str(context["retryAfter"])) >= 1
