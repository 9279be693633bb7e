"""The deployed service as people meet it: its address, its operator function, its bucket."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypedDict

import httpx

from tests.e2e.cloud.invoking import Invocations
from tests.support.aws.deployment.stack import Stack
from tests.support.aws.refusals.calls.invocations import INVOCATION_RULES, Invocation
from tests.support.aws.refusals.rule import require_accepted
from tests.support.clients.agent import Agent
from tests.support.engines.ministack import Account

_TIMEOUT_S: Final = 60


class _Isolation(TypedDict, total=False):
    TenantId: str


@dataclass(frozen=True)
class Deployment:
    """A stack in an account.

    Attributes:
        account: where it is.
        stack: what was made.
        embedding: calls of the embedding function.
    """

    account: Account
    stack: Stack
    embedding: Invocations

    @cached_property
    def http(self) -> httpx.Client:
        """Return a client of the API, which names it by the host header, as the emulator expects."""
        host = f"{self.stack.resources['HttpApi']}.execute-api.localhost:{self.account.port}"
        return httpx.Client(base_url=self.account.url, headers={"host": host}, timeout=_TIMEOUT_S)

    def agent(self, key: str, user: str | None = None, tags: list[str] | None = None) -> Agent:
        """Return a client that calls /mcp with the key for the user."""
        return Agent(self.http, {"authorization": f"Bearer {key}"}).speaking_for(user, tags)

    @property
    def bucket(self) -> str:
        """Where documents come."""
        return self.stack.outputs["BucketName"]

    def operate(self, order: Mapping[str, object]) -> dict[str, Any]:
        """Return the operator function's answer to a permitted caller; raises AssertionError when it fails."""
        return json.loads(self.invoked("OperatorFunction", json.dumps(order).encode()))

    def invoked(self, function: str, payload: bytes, tenant: str = "") -> bytes:
        """Return the answer of a function to whoever may invoke it; AssertionError when it fails or is refused."""
        content = self.answered(function, payload, tenant)
        error: object = json.loads(content)
        assert not (isinstance(error, dict) and "errorType" in error), content
        return content

    def answered(self, function: str, payload: bytes, tenant: str = "") -> bytes:
        """Return the answer of a function, which is an object with `errorType` when it fails."""
        name, functions = self.stack.resources[function], self.account.functions
        isolation: _Isolation = {"TenantId": tenant} if tenant else {}
        answer = functions.invoke(FunctionName=name, Payload=payload, **isolation)
        content = answer["Payload"].read()
        require_accepted(INVOCATION_RULES, Invocation(function, b"", answer=content))
        return content

    def put(self, key: str, content: bytes, metadata: Mapping[str, str] | None = None) -> None:
        """An object in the bucket, as its owner puts it."""
        self.account.s3.put_object(Bucket=self.bucket, Key=key, Body=content, Metadata=dict(metadata or {}))

    def remove(self, key: str) -> None:
        """The object is deleted, as its owner does it."""
        self.account.s3.delete_object(Bucket=self.bucket, Key=key)
