"""A call of a tool, and what its answer has to be."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

COLLECTION: Final = "default"
MISSING: Final = "not-there"


@dataclass(frozen=True, slots=True)
class Case:
    """A call and its outcome.

    Attributes:
        part: column of the table that a wrong outcome spoils.
        name: unique among the calls of a client.
        refused: texts of the error; none: the call succeeds.
        holds: whether the text of an answer or an error is right.
        like: name of the case with the same text, where the closed collection is one that is not there.
    """

    part: str
    name: str
    tool: str
    arguments: Mapping[str, Any]
    refused: tuple[str, ...] = ()
    holds: Callable[[str], bool] = bool
    like: str = ""


def holds_all(*texts: str) -> Callable[[str], bool]:
    """Return a check that a text has all of these."""
    return lambda text: all(each in text for each in texts)


def json_after(start: str, holds: Callable[[Any], bool]) -> Callable[[str], bool]:
    """Return a check of the JSON that follows the first line of an answer, or is the whole of one."""

    def check(text: str) -> bool:
        return text.startswith(start) and holds(json.loads(text[len(start) :]))

    return check


def matching(question: str, size: int = 5) -> dict[str, Any]:
    """Return a search for a text."""
    return {"query": {"match": {"content": question}}, "size": size}


def of_file(name: str) -> dict[str, Any]:
    """Return a query for the passages of a file."""
    return {"query": {"term": {"source_file_name": name}}}
