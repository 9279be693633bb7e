"""Task and report of a client's script, for every Python that a client runs on.

A task comes as JSON on standard input. A line of JSON for each caller and one for the administrator go to standard
output.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]
"""What a caller got: answers by the name of their call, and errors by the name of the call that fails."""


@dataclass(frozen=True)
class Caller:
    """Somebody behind a client.

    Attributes:
        identity: headers beside the key's.
        document: name of one that they may read, and that answers the question.
        others: name of one that answers it, too, and that they may not read.
    """

    key: str
    identity: Mapping[str, str]
    document: str
    others: str


@dataclass(frozen=True)
class Task:
    """Task of one client.

    Attributes:
        url: the server's, without path. secure_url: the same over TLS, with the certificate of this file.
        second: another question, which the same user may ask.
        conversation: roles and texts of messages whose last one is the question in other words.
        collection: that is searched. closed: one of other people. missing: one that is not there.
        administrator: a key that may write definitions. reader: one that may not.
        names: definitions are called so at the beginning.
    """

    url: str
    secure_url: str
    certificate: str
    question: str
    second: str
    conversation: Sequence[tuple[str, str]]
    collection: str
    closed: str
    missing: str
    administrator: str
    reader: str
    names: str


def run(client_run: Callable[[Task, Caller], Report], administer: Callable[[Task], Report]) -> None:
    """Does the task for each caller, then for the administrator."""
    given = json.load(sys.stdin)
    callers = [Caller(**each) for each in given.pop("callers")]
    task = Task(**given)
    for reported in (*(client_run(task, caller) for caller in callers), administer(task)):
        sys.stdout.write(json.dumps(reported) + "\n")
        sys.stdout.flush()


def outcome(call: Callable[[], Any]) -> str:
    """Class, status and text of the error that a call ends with; empty when it ends with none."""
    try:
        call()
    except Exception as error:  # noqa: BLE001 - the classes are the library's
        return f"{type(error).__name__} {getattr(error, 'status_code', '')} {error}"
    return ""


def answer(given: Any) -> Report:
    """Content of an answer of `retrieve`, read through the client's own objects."""
    [message] = given.response
    [content] = message.content
    references = given.references or []
    activity = given.activity or []
    searches = [_searched(each) for each in activity]
    return {
        "texts": [each["content"] for each in json.loads(content.text)],
        "keys": [each.doc_key for each in references],
        "kinds": sorted({type(each).__name__ for each in references}),
        "data": [each.source_data["content"] for each in references if each.source_data],
        "scores": [each.reranker_score for each in references if hasattr(each, "reranker_score")],
        "activity": sorted({type(each).__name__ for each in activity}),
        "searches": [text for text in searches if text is not None],
        "errors": [each.error.message for each in activity if getattr(each, "error", None)],
    }


def _searched(record: Any) -> str | None:
    if hasattr(record, "search_index_arguments") or hasattr(record, "query"):
        return (getattr(record, "search_index_arguments", None) or record.query).search
    # 12.0 has no class for searches, and keeps their members.
    members = record if isinstance(record, Mapping) else {}
    return members.get("searchIndexArguments", {}).get("search")
