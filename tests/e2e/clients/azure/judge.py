"""Errors in what a client got: each belongs to a part, a column of the table."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from tests.e2e.clients.azure.catalogue import AzureClient
from tests.e2e.clients.company import CLOSED, Caller
from tests.e2e.clients.interfaces import QUESTION
from tests.e2e.clients.relay import Exchange

MISSING: Final = "not-there"
SECOND: Final = "Where is the price list?"
_MOST: Final = 4
_ANSWERS: Final = {
    "question": "question",
    "question again": "question",
    "filter": "filter",
    "threshold 0": "threshold",
    "data": "data",
    "messages": "messages",
    "intents": "intents",
}
"""Answers that hold the caller's passage, and the parts to which they belong."""
_EMPTY: Final = {"filter of others": "filter", "threshold 4": "threshold"}
_NOT_FOUND: Final = "ResourceNotFoundError 404"
_CHANGED: Final = "ResourceModifiedError 412"
_EXISTS: Final = "ResourceExistsError 409"
_OTHER: Final = "HttpResponseError"
_REFUSED: Final = {
    "missing": _NOT_FOUND,
    "closed": _NOT_FOUND,
    "filter": f"{_OTHER} 400",
    "key": f"{_OTHER} 403",
    "question": f"{_OTHER} 400",
    "stream": f"{_OTHER} 406",
}
"""Class and status of the errors of retrieval."""
_STEPS: Final = {
    "create": "",
    "read": "",
    "list": "",
    "create again": _EXISTS,
    "put where absent": "ResourceExistsError 412",
    "change": "",
    "change stale": _CHANGED,
    "delete stale": _CHANGED,
    "change without rights": f"{_OTHER} 403",
    "delete without rights": f"{_OTHER} 403",
    "read without rights": "",
    "delete": "",
    "read deleted": _NOT_FOUND,
    "delete deleted": "",
}
"""Class and status of the errors of a walk through definitions; empty: the step succeeds."""
_LACKED: Final = {"node.mjs": {"put where absent"}, "context_provider.py": {"question"}}
"""Steps and errors for which a script's client has no call: the framework sends no call without a question."""
_PATH: Final = re.compile(
    r"/(agents|knowledgebases|knowledgesources)(\('[^'/]+'\)(/retrieve|/status)?)?\?api-version=(?P<version>[\w.-]+)"
)


class AzureError(NamedTuple):
    """A deviation from the expected answer, and where it is."""

    part: str
    text: str


def errors_of_caller(client: AzureClient, reported: Mapping[str, Any], caller: Caller) -> Iterator[AzureError]:
    """Yield the errors in what one caller got."""
    for name, part in _ANSWERS.items():
        if part in client.parts or name == "question":
            answer = reported.get(name)
            if answer is None or not any(caller.expected in text for text in answer["texts"]):
                yield AzureError(part, f"{name}: the expected passage is not in the answer: {answer}")
    for name, part in _EMPTY.items():
        if part in client.parts and any(reported[name][each] for each in ("texts", "keys")):
            yield AzureError(part, f"{name}: not empty: {reported[name]}")
    seen = json.dumps({name: each for name, each in reported.items() if name != "errors"}, ensure_ascii=False)
    yield from (AzureError("question", f"sees {word!r}") for word in caller.forbidden if word in seen)
    if not any(caller.expected in text for text in reported["data"]["data"]):
        yield AzureError("data", f"no source data: {reported['data']}")
    yield from _errors_of_members(client, reported)
    yield from _faulty_errors(client, reported["errors"])


def errors_of_administrator(client: AzureClient, reported: Mapping[str, Any], caller: Caller) -> Iterator[AzureError]:
    """Yield the errors of definitions; the administrator reads what `caller` reads."""
    for part in ("definitions", "sources"):
        if part in client.parts:
            yield from (AzureError(part, text) for text in _errors_of_walk(client, reported[part]))
    if not any(caller.expected in text for text in reported["defined"]["texts"]):
        yield AzureError("definitions", f"retrieval by a definition: {reported['defined']}")
    if "partial" in client.parts:
        partial = reported["partial"]
        if not any(caller.expected in text for text in partial["texts"]):
            yield AzureError("partial", f"the other source does not answer: {partial}")
        if not any("deleted" in text for text in partial["errors"]):
            yield AzureError("partial", f"the error of the source is missing: {partial}")
        if reported["status"] != "active":
            yield AzureError("sources", f"the status is {reported['status']}")


def _errors_of_walk(client: AzureClient, reported: Any) -> Iterator[str]:
    if isinstance(reported, list):
        # The framework makes one definition of each kind, and has no call that changes it.
        if len(cast("list[str]", reported)) != 1:
            yield f"made {reported}"
        return
    steps = {name: outcome for name, outcome in _STEPS.items() if name not in _LACKED.get(client.script, ())}
    if reported.keys() != steps.keys():
        yield f"told of {sorted(reported)}"
    for name, outcome in steps.items():
        if not _is(client, reported.get(name, "not told"), outcome):
            yield f"{name}: {reported.get(name)!r}, not {outcome or 'done'}"


def errors_of_wire(client: AzureClient, exchanges: Sequence[Exchange]) -> Iterator[AzureError]:
    """Yield the errors of the wire: paths, versions, ids and states of a broken server."""
    if not exchanges:
        yield AzureError("wire", "nothing was sent")
    for exchange in exchanges:
        found = _PATH.fullmatch(exchange.path)
        if found is None or found["version"] != client.version:
            yield AzureError("wire", f"{exchange.verb} {exchange.path} is not of {client.version}")
        if exchange.status >= 500:
            yield AzureError("wire", f"{exchange.verb} {exchange.path}: status {exchange.status}")
        sent = exchange.headers.get("x-ms-client-request-id")
        for name in ("x-ms-client-request-id", "client-request-id", "request-id"):
            if sent is not None and exchange.answered.get(name) != sent:
                yield AzureError("wire", f"{exchange.verb} {exchange.path}: {name} is not repeated")
    if "partial" in client.parts and 206 not in {exchange.status for exchange in exchanges}:
        yield AzureError("partial", "no answer has the status 206")


def _errors_of_members(client: AzureClient, reported: Mapping[str, Any]) -> Iterator[AzureError]:
    question = reported["question"]
    if not question["keys"] or not all(question["keys"]) or len(set(question["keys"])) < len(question["keys"]):
        yield AzureError("question", f"references without keys of their own: {question['keys']}")
    if reported["question again"]["keys"] != question["keys"]:
        yield AzureError("question", "the same question with headers of the call has another answer")
    if len(question["kinds"]) != 1 or not re.search(r"SearchIndex|searchIndex|AzureSearchDoc", question["kinds"][0]):
        yield AzureError("question", f"references are {question['kinds']}")
    if client.version != "2025-05-01-preview" and not all(
        isinstance(score, float | int) and 0 <= score <= _MOST for score in question["scores"]
    ):
        yield AzureError("question", f"scores are {question['scores']}")
    if client.shows_searches:
        if question["searches"] != [QUESTION]:
            yield AzureError("question", f"searched {question['searches']}")
        if "intents" in client.parts and reported["intents"]["searches"] != [QUESTION, SECOND]:
            yield AzureError("intents", f"searched {reported['intents']['searches']}")


def _faulty_errors(client: AzureClient, reported: Mapping[str, str]) -> Iterator[AzureError]:
    for name, expected in _REFUSED.items():
        part = "stream" if name == "stream" else "errors"
        is_reported = part in client.parts and name not in _LACKED.get(client.script, ())
        if is_reported and not _is(client, reported.get(name, "not told"), expected):
            yield AzureError(part, f"{name}: {reported.get(name)!r}, not {expected}")
    if reported["closed"].replace(CLOSED, MISSING) != reported["missing"]:
        yield AzureError("errors", f"a closed collection is not as one that is not there: {reported['closed']}")


def _is(client: AzureClient, reported: str, expected: str) -> bool:
    """Return whether an outcome has class and status, and a text for people; JavaScript has one class."""
    if not expected:
        return not reported
    if client.script.endswith(".mjs"):
        expected = f"RestError {expected.partition(' ')[2]}"
    return reported.startswith(f"{expected} ") and len(reported) > len(expected) + 1
