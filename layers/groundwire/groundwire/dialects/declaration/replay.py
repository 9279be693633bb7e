"""Translation of a question to a dialect and back, by which `groundwire replay` compares dialects."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class ReplayedQuestion(NamedTuple):
    """Question for every dialect.

    Attributes:
        collection: the only collection that is searched.
        top_n: passages, not more than each dialect allows.
    """

    text: str
    collection: str
    top_n: int


class Replay(NamedTuple):
    """Translation of a question to a dialect's tool, and of its answer to documents.

    Attributes:
        tool: name of the tool.
        arguments: returns the tool's arguments.
        documents: returns ids or file names from the structured answer, best first, repeats included.
        path: returns the path of the call; None: the dialect's first MCP route, or else the shared one.
    """

    tool: str
    arguments: Callable[[ReplayedQuestion], Mapping[str, object]]
    documents: "Callable[[Mapping[str, Any]], Sequence[str]]"
    path: Callable[[ReplayedQuestion], str] | None = None


class RestReplay(NamedTuple):
    """Translation of a question to a dialect's REST route, and of its answer to documents.

    Attributes:
        path: returns the path of a POST.
        body: returns its JSON.
        documents: returns ids or file names from the answer, best first, repeats included.
    """

    path: Callable[[ReplayedQuestion], str]
    body: Callable[[ReplayedQuestion], Mapping[str, object]]
    documents: "Callable[[Mapping[str, Any]], Sequence[str]]"
