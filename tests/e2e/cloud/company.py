"""A tenant of the deployed service, made as its operator makes it, and the people around it."""

import json
import secrets
from dataclasses import dataclass
from typing import Any, Final

import httpx

from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment.waiting import until
from tests.support.clients.agent import Agent

_ACTS_FOR_OTHERS: Final = {"kind": "act_as", "max_tags": ["*"], "scopes": ["search", "verify", "act_as"]}
_ADMINISTERS: Final = {"kind": "personal", "user": "owner", "scopes": ["admin", "ingest", "share", "search"]}

_INGESTION_S: Final = 120


@dataclass(frozen=True)
class Company:
    """A tenant with its keys.

    Attributes:
        key: acts for others and may assert any tag.
        admin: administers the tenant over REST.
    """

    deployment: Deployment
    tenant: str
    key: str
    admin: str

    def agent(self, user: str, *tags: str) -> Agent:
        """The company's agent, speaking for one of its people."""
        return self.deployment.agent(self.key, user, list(tags))

    def rest(self, method: str, path: str, body: object = None) -> httpx.Response:
        """An answer of /v1 to the administrator."""
        headers = {"authorization": f"Bearer {self.admin}"}
        content = None if body is None else json.dumps(body).encode()
        if content is not None:
            headers["content-type"] = "application/json"
        return self.deployment.http.request(method, f"/v1{path}", content=content, headers=headers)

    def put(self, path: str, content: bytes) -> None:
        """A file in the company's part of the bucket; the first part of the path is the collection."""
        self.deployment.put(self.object(path), content)

    def remove(self, path: str) -> None:
        """The file is deleted from the bucket."""
        self.deployment.remove(self.object(path))

    def object(self, path: str) -> str:
        """The key of the object that is this file."""
        return f"tenants/{self.tenant}/{path}"

    def record(self, path: str) -> dict[str, Any] | None:
        """Return the registry's record of a file, or None while there is none."""
        answer = self.rest("GET", f"/documents?collection={path.partition('/')[0]}")
        assert answer.status_code == 200, answer.text
        found = [one for one in answer.json()["documents"] if one["file"] == path.rsplit("/", 1)[-1]]
        return found[0] if found else None

    def reconciled(self, path: str, state: str = "indexed") -> dict[str, Any]:
        """The record of a file once it is in this state."""

        def in_state() -> dict[str, Any] | None:
            record = self.record(path)
            return record if record is not None and record["state"] == state else None

        found = until(in_state, f"{path} is {state}", timeout_s=_INGESTION_S)
        assert found is not None
        return found


def founded(deployment: Deployment, name: str) -> Company:
    """A tenant of such a name with the two keys, made by the operator function."""
    made = deployment.operate({"action": "tenant.create", "name": f"{name}-{secrets.token_hex(4)}"})
    assert made.get("ok"), made
    tenant = made["tenant"]["tenant"]
    return Company(deployment, tenant, *(key(deployment, tenant, order) for order in (_ACTS_FOR_OTHERS, _ADMINISTERS)))


def key(deployment: Deployment, tenant: str, order: dict[str, Any]) -> str:
    """The text of a key that the operator makes."""
    ordered = {"action": "key.create", "tenant": tenant, "collections": "every", **order}
    return deployment.operate(ordered)["key"]["key"]
