"""Replay: one question in the words of every dialect, to compare which documents each answers with, in which order.

Every dialect translates to the same search, so without floor and token bound the answers name the same documents in
the same order; a shorter list is the beginning of a longer one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH
from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion, RestReplay
from groundwire.dialects.declaration.routes import RestRequest, covers_path
from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import MAX_ANSWER_TOKENS
from groundwire.services.call_context import CallContext
from groundwire_mcp.jsonrpc.json_codec import decode, encode
from groundwire_mcp.transport.http import HttpRequest, HttpResponse
from groundwire_mcp.versions import LATEST_HANDSHAKE_VERSION, VERSION_HEADER

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.dialects.declaration.routes import RestHandler, RestRoute
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.dialects.router import DialectRouter
    from groundwire.domain.keys.caller import Caller

_NO_FLOOR: Final = 0.0


class ReplayedAnswer(NamedTuple):
    """Documents of a dialect's answer, each once, best first."""

    dialect: str
    documents: Sequence[str]


class DialectReplay:
    """Replay of questions over the routes of the dialects, by the rights of one caller.

    Args:
        dialects: those that are switched on.
        router: their MCP servers.
        services: what their REST routes translate to.
        file_name: returns the file name of a document's id; None: it names no document that the caller may read.
    """

    def __init__(
        self,
        dialects: "Sequence[Dialect]",
        router: "DialectRouter",
        services: "DialectServices",
        file_name: Callable[[str], str | None],
    ) -> None:
        self._dialects = [dialect for dialect in dialects if dialect.replay is not None]
        self._router = router
        # A handler is built once, as in a server.
        self._build = cache(partial(_build_handler, services))
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
            ReplayedAnswer(dialect.name, self.documents(dialect, self.prepare(dialect, caller, question)()))
            for dialect in self._dialects
        ]

    def prepare(self, dialect: "Dialect", caller: "Caller", question: ReplayedQuestion) -> Callable[[], HttpResponse]:
        """Return the call of a dialect, ready to be made."""
        form = _form(dialect)
        call = CallContext(replay_caller(dialect, caller, question))
        if isinstance(form, Replay):
            request = _tool_request(dialect, form, question)
            return lambda: self._router.handle(request, call).response
        path = form.path(question)
        route = next(route for route in dialect.rest_routes if covers_path(route.path, path))
        handle, request = self._build(route), _post(path, form.body(question))
        return lambda: handle(call, RestRequest(request, {}, ""))

    def documents(self, dialect: "Dialect", response: HttpResponse) -> Sequence[str]:
        """Return the documents of a dialect's answer, each once, best first.

        Raises:
            Unavailable: the answer is an error.
        """
        found = _form(dialect).documents(_answer(dialect, response))
        return list(dict.fromkeys(self._file_name(each) or each for each in found))


def _build_handler(services: "DialectServices", route: "RestRoute") -> "RestHandler":
    return route.build(services)


def _form(dialect: "Dialect") -> Replay | RestReplay:
    if dialect.replay is None:
        raise LookupError(dialect.name)
    return dialect.replay()


def _answer(dialect: "Dialect", response: HttpResponse) -> "Mapping[str, Any]":
    """Return the answer that a dialect's form reads.

    Raises:
        Unavailable: it is an error.
    """
    answer = cast("Mapping[str, Any]", decode(response.body))
    if isinstance(_form(dialect), Replay):
        answer = answer.get("result", {"isError": True})
        if not answer.get("isError"):
            return answer["structuredContent"]
    elif response.status == HTTPStatus.OK:
        return answer
    raise Unavailable(f"The dialect {dialect.name} answered with an error: {response.body.decode()}")


def replay_caller(dialect: "Dialect", caller: "Caller", question: ReplayedQuestion) -> "Caller":
    """Return the caller with the settings under which dialects can be compared, and the dialect's toolset."""
    return replace(
        caller,
        collections=frozenset({question.collection}),
        options=replace(
            caller.options,
            toolset=caller.options.toolset if dialect.toolset is None else dialect.toolset,
            floor=_NO_FLOOR,
            top_n=question.top_n,
            max_tokens=MAX_ANSWER_TOKENS,
            # Neighbours take room, so that an answer would have fewer documents.
            expand_tokens=0,
            split_first_phrase=False,
        ),
    )


def _tool_request(dialect: "Dialect", form: Replay, question: ReplayedQuestion) -> HttpRequest:
    """Return the call of the dialect's tool, as an MCP client sends it."""
    params = {"name": form.tool, "arguments": form.arguments(question)}
    path = dialect.mcp_paths[0] if dialect.mcp_paths else SHARED_MCP_PATH
    if form.path is not None:
        path = form.path(question)
    request = _post(path, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    return request._replace(headers={**request.headers, VERSION_HEADER: LATEST_HANDSHAKE_VERSION})


def _post(path: str, body: object) -> HttpRequest:
    headers = {"accept": "application/json", "content-type": "application/json"}
    return HttpRequest("POST", path, headers, encode(body))


def first_difference(answers: Sequence[ReplayedAnswer]) -> int | None:
    """Return the rank, from 1, at which two answers first name different documents; None: each begins as the others."""
    shared = max((len(each.documents) for each in answers), default=0)
    for rank in range(shared):
        if len({each.documents[rank] for each in answers if rank < len(each.documents)}) > 1:
            return rank + 1
    return None
