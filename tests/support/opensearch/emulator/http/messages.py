"""What passes the emulator: requests, and the answers to them as the service words them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

JSON: Final = "application/json; charset=UTF-8"


@dataclass(frozen=True, slots=True)
class Request:
    """One call.

    Attributes:
        target: path and query as they were sent. headers: by names in lower case.
    """

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        """Decoded, without the query."""
        return unquote(urlsplit(self.target).path)

    @property
    def parts(self) -> list[str]:
        """Of the path."""
        return [part for part in self.path.split("/") if part]

    @property
    def index(self) -> str:
        """The index that the path names; empty where it names none."""
        first = self.parts[0] if self.parts else ""
        return "" if first.startswith("_") else first

    @property
    def operation(self) -> str:
        """Return the part of the path that names the operation; empty for a request about the index itself."""
        return next((part for part in self.parts if part.startswith("_")), "")

    @property
    def parameters(self) -> dict[str, str]:
        """Of the query."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    @property
    def payload(self) -> Any:
        """The body as JSON; an empty object where there is none."""
        return json.loads(self.body) if self.body else {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back."""

    status: int
    body: bytes
    kind: str = JSON

    @property
    def payload(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Refusal(Exception):
    """Refusal of the service, with its answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.body.decode())
        self.answer = answer


def json_answer(status: int, payload: object) -> Answer:
    """An answer of JSON."""
    return Answer(status, json.dumps(payload).encode())


def unknown_call() -> Refusal:
    """Calls that the service does not have get a bare 404."""
    return Refusal(Answer(404, b"", "text/plain"))


def forbidden(reason: str = "403 Forbidden") -> Refusal:
    """The request is not proven to come from somebody who may."""
    return Refusal(json_answer(403, {"status": 403, "error": {"reason": reason, "type": "Forbidden"}}))


def invalid(kind: str, reason: str) -> Refusal:
    """The request asks for what the service does not do."""
    return Refusal(json_answer(400, failure(400, kind, reason)))


def no_index(index: str) -> dict[str, Any]:
    """Return the error for an index that does not exist."""
    return failure(404, "index_not_found_exception", f"no such index [{index}]")


def failure(status: int, kind: str, reason: str) -> dict[str, Any]:
    """As OpenSearch reports one."""
    cause = {"type": kind, "reason": reason}
    return {"error": {"root_cause": [cause], **cause}, "status": status}
