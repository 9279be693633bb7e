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
        has_floor: each dialect keeps its own floor, threshold and limit of tokens; False: none has any of them.
    """

    text: str
    collection: str
    top_n: int
    has_floor: bool = False


class PassagePlace(NamedTuple):
    """Place of a passage: the name of its file, and its position there, from 0."""

    file_name: str
    ordinal: int


class AnswerForm(NamedTuple):
    """Rules by which a dialect's answer lists passages.

    Attributes:
        has_floor: passages below the floor are left out; False: the dialect has another threshold, or none.
        is_thinned: of several passages of one page only the best is listed.
    """

    has_floor: bool = True
    is_thinned: bool = False


class Replay(NamedTuple):
    """Translation of a question to a dialect's tool, and of its answer to passages.

    Attributes:
        tool: name of the tool.
        arguments: returns the tool's arguments.
        passages: returns the ids of passages, short or whole, or their places, from the structured answer, best first.
        path: returns the path of the call; None: the dialect's first MCP route, or else the shared one.
        form: rules by which the answer lists passages.
    """

    tool: str
    arguments: Callable[[ReplayedQuestion], Mapping[str, object]]
    passages: "Callable[[Mapping[str, Any]], Sequence[str | PassagePlace]]"
    path: Callable[[ReplayedQuestion], str] | None = None
    form: AnswerForm = AnswerForm()


class RestReplay(NamedTuple):
    """Translation of a question to a dialect's REST route, and of its answer to passages.

    Attributes:
        path: returns the path of a POST.
        body: returns its JSON.
        passages: returns the ids of passages, or their places, from the answer, best first.
        form: rules by which the answer lists passages.
    """

    path: Callable[[ReplayedQuestion], str]
    body: Callable[[ReplayedQuestion], Mapping[str, object]]
    passages: "Callable[[Mapping[str, Any]], Sequence[str | PassagePlace]]"
    form: AnswerForm = AnswerForm()
