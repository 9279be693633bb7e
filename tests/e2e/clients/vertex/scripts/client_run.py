"""Task and report of a Vertex client's script, for every Python that a client runs on.

A task comes as JSON on standard input. For each caller a line of JSON goes to standard output.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]
"""`texts`, `scores` and `sources` of the contexts; `nothing`: contexts nearer than 0; `error` of a corpus that is not
there; `files`: names of the corpus's files. A client leaves out what it cannot do."""


@dataclass(frozen=True)
class Task:
    """Task for one caller.

    Attributes:
        url: the server's, without path.
        identity: headers beside the key's.
        missing: a corpus that is not there.
    """

    url: str
    key: str
    identity: Mapping[str, str]
    question: str
    parent: str
    corpus: str
    missing: str

    @property
    def headers(self) -> dict[str, str]:
        """All headers of a call."""
        return {"Authorization": f"Bearer {self.key}", **self.identity}


def run(client_run: Callable[[Task], Report]) -> None:
    """Does the task for each caller, one after the other."""
    task = json.load(sys.stdin)
    for caller in task.pop("callers"):
        sys.stdout.write(json.dumps(client_run(Task(**caller, **task))) + "\n")


def failure(call: Callable[[], Any]) -> str:
    """The text of the error that a call ends with; empty when it ends with none."""
    try:
        call()
    except Exception as error:  # noqa: BLE001 - each library has classes of its own
        return f"{type(error).__name__}: {error}"
    return ""


def reported(contexts: Any) -> Report:
    """The parts of contexts, given as objects with members in snake_case."""
    return {
        "texts": [each.text for each in contexts],
        "scores": [each.score for each in contexts],
        "sources": [each.source_display_name for each in contexts],
    }
