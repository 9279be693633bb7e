"""Bulks: line by line, as the engine takes and answers them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.aws.refusals.calls.search import SEARCH_RULES, BulkWrite
from tests.support.aws.refusals.rule import Reading, findings
from tests.support.opensearch.emulator.generations import Generation
from tests.support.opensearch.emulator.http.messages import Answer, Request, failure, json_answer


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a bulk.

    Attributes:
        lines: as they were sent, one or two.
    """

    name: str
    index: str
    doc_id: str | None
    lines: tuple[bytes, ...]

    def refused(self, status: int, kind: str, reason: str) -> dict[str, Any]:
        """Return the answer's item for an action that was refused."""
        error = {"type": kind, "reason": reason}
        return {self.name: {"_index": self.index, "_id": self.doc_id, "status": status, "error": error}}


Item = dict[str, Any]


def actions(request: Request) -> list[Action]:
    """Of the request's body, in order."""
    found: list[Action] = []
    lines = iter([line for line in request.body.split(b"\n") if line.strip()])
    for line in lines:
        [(name, about)] = json.loads(line).items()
        sent = (line,) if name == "delete" else (line, next(lines))
        found.append(Action(name, about.get("_index", request.index), about.get("_id"), sent))
    return found


def refused(action: Action, generation: Generation) -> Item | None:
    """What the service answers to an action that it never does; None: it does it."""
    if generation.custom_ids or not generation.serverless or not _chooses_id(action):
        return None
    what = "update" if action.name == "update" else "create/index"
    return action.refused(
        400, "illegal_argument_exception", f"Document ID is not supported in {what} operation request"
    )


def _chooses_id(action: Action) -> bool:
    return any(findings(SEARCH_RULES, BulkWrite(action.lines[0]), Reading.REFUSED))


def whole_refused(item: Item) -> Answer:
    """Return the refusal of one action as the answer to the whole bulk."""
    [about] = item.values()
    status, error = about["status"], about["error"]
    return json_answer(status, failure(status, error["type"], error["reason"]))


def split(sent: Sequence[Action], items: Sequence[Item | None], forward: Callable[[bytes], Answer]) -> Answer:
    """The answer when those actions that have an item already are kept from the engine, and it does the others."""
    done = [action for action, item in zip(sent, items, strict=True) if item is None]
    answered: list[Item] = []
    if done:
        answer = forward(body_of(done))
        if answer.status != 200:
            return answer
        answered = answer.payload["items"]
    rest = iter(answered)
    merged = [next(rest) if item is None else item for item in items]
    errors = any("error" in about for item in merged for about in item.values())
    return json_answer(200, {"took": 1, "errors": errors, "items": merged})


def body_of(sent: Sequence[Action]) -> bytes:
    """The lines of these actions."""
    return b"".join(line + b"\n" for action in sent for line in action.lines)
