"""Replay: one question in the words of every dialect, to compare which documents each answers with, in which order.

Every dialect translates to the same search, so without floor and token bound the answers name the same documents in
the same order; a shorter list is the beginning of a longer one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH
from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion
from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import MAX_ANSWER_TOKENS
from groundwire.protocol.jsonrpc.json_codec import decode, encode
from groundwire.protocol.transport.http import HttpRequest
from groundwire.protocol.versions import LATEST_HANDSHAKE_VERSION, VERSION_HEADER
from groundwire.services.call_context import CallContext

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.dialects.router import DialectRouter
    from groundwire.domain.keys.caller import Caller

_NO_FLOOR: Final = 0.0


class ReplayedAnswer(NamedTuple):
    """Documents of a dialect's answer, each once, best first."""

    dialect: str
    documents: Sequence[str]


class DialectReplay:
    """Replay of questions over the MCP servers of the dialects, by the rights of one caller."""

    def __init__(
        self, dialects: "Sequence[Dialect]", router: "DialectRouter", file_name: Callable[[str], str | None]
    ) -> None:
        """Take the dialects, their servers, and a function that returns the file name of a document's id."""
        self._dialects = dialects
        self._router = router
        self._file_name = file_name

    def __call__(self, caller: "Caller", question: ReplayedQuestion) -> list[ReplayedAnswer]:
        """Return the answer of each dialect that can be replayed, in the order of their table.

        Args:
            caller: its floor, its number of passages and its tokens are replaced by those of the question.
            question: what is asked.

        Raises:
            Unavailable: a dialect answers with an error.
        """
        return [
            ReplayedAnswer(dialect.name, self._documents(dialect, form(), caller, question))
            for dialect in self._dialects
            if (form := dialect.replay) is not None
        ]

    def _documents(
        self, dialect: "Dialect", form: Replay, caller: "Caller", question: ReplayedQuestion
    ) -> Sequence[str]:
        call = CallContext(replay_caller(dialect, caller, question))
        body = self._router.handle(replay_request(dialect, form, question), call).response.body
        result = cast("Mapping[str, Any]", decode(body)).get("result", {"isError": True})
        if result.get("isError"):
            raise Unavailable(f"The dialect {dialect.name} answered with an error: {body.decode()}")
        found = form.documents(result["structuredContent"])
        return list(dict.fromkeys(self._file_name(each) or each for each in found))


def replay_caller(dialect: "Dialect", caller: "Caller", question: ReplayedQuestion) -> "Caller":
    """Return the caller with the settings under which dialects can be compared, and the dialect's toolset."""
    return replace(
        caller,
        toolset=caller.toolset if dialect.toolset is None else dialect.toolset,
        collections=frozenset({question.collection}),
        floor=_NO_FLOOR,
        top_n=question.top_n,
        max_tokens=MAX_ANSWER_TOKENS,
        expand_tokens=0,
        split_first_phrase=False,
    )


def replay_request(dialect: "Dialect", form: Replay, question: ReplayedQuestion) -> HttpRequest:
    """Return the call of the dialect's tool, as an MCP client sends it."""
    params = {"name": form.tool, "arguments": form.arguments(question)}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    path = dialect.mcp_paths[0] if dialect.mcp_paths else SHARED_MCP_PATH
    if form.path is not None:
        path = form.path(question)
    headers = {
        "accept": "application/json",
        "content-type": "application/json",
        VERSION_HEADER: LATEST_HANDSHAKE_VERSION,
    }
    return HttpRequest("POST", path, headers, encode(message))


def first_difference(answers: Sequence[ReplayedAnswer]) -> int | None:
    """Return the rank, from 1, at which two answers first name different documents; None: each begins as the others."""
    shared = max((len(each.documents) for each in answers), default=0)
    for rank in range(shared):
        if len({each.documents[rank] for each in answers if rank < len(each.documents)}) > 1:
            return rank + 1
    return None
