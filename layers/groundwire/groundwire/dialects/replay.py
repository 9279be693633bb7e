"""Replay: one question in the words of every dialect, to compare which passages each answers with, in which order.

Every dialect translates to the same search. Without floor and limit of tokens the answers name the same passages in the
same order; a shorter list is the beginning of a longer one. By its own defaults, a dialect leaves some of them out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH
from groundwire.dialects.declaration.replay import (
    AnswerForm,
    PassagePlace,
    Replay,
    ReplayedQuestion,
    RestReplay,
)
from groundwire.dialects.declaration.routes import RestRequest, covers_path
from groundwire.domain.access.scopes import holds_any
from groundwire.domain.errors import Forbidden, Unavailable
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


PlaceFunction = Callable[["Caller", str], PassagePlace | None]
"""Function that returns the place of a passage by its id, short or whole; None: the caller may not read it."""


class ReplayedAnswer(NamedTuple):
    """Passages of a dialect's answer, best first.

    Attributes:
        left_out: passages that only the floor, a threshold or a limit of the dialect keeps out of the answer.
    """

    dialect: str
    passages: Sequence[PassagePlace]
    form: AnswerForm = AnswerForm()
    left_out: Sequence[PassagePlace] = ()

    @property
    def files(self) -> list[str]:
        """Return the names of the files, each once, best first."""
        return list(dict.fromkeys(each.file_name for each in self.passages))


class DialectExchange(NamedTuple):
    """Question in the form of a dialect, and the dialect's own response to it."""

    request: HttpRequest
    response: HttpResponse


class DialectAnswers:
    """Answers of the dialects to a question, over their own routes and by the rights of a caller.

    Args:
        router: MCP servers of the dialects that are switched on.
        services: what their REST routes translate to.
    """

    def __init__(self, router: "DialectRouter", services: "DialectServices") -> None:
        self._router = router
        # A handler is built once, as in a server.
        self._build = cache(partial(_build_handler, services))

    def exchange(self, dialect: "Dialect", call: CallContext, question: ReplayedQuestion) -> DialectExchange:
        """Return what the dialect answers a call, by the rights and the settings of its caller.

        The toolset alone becomes that of the dialect, which the shared MCP path chooses by it. The audit fields of the
        dialect are added to those of the call.

        Raises:
            Forbidden: the key may not use the dialect or its route.
        """
        caller = call.caller
        if not caller.options.allows_dialect(dialect.name):
            raise Forbidden(f"This key may not use the dialect `{dialect.name}`.")
        toolset = caller.options.toolset if dialect.toolset is None else dialect.toolset
        caller = replace(caller, options=replace(caller.options, toolset=toolset))
        request, send = self.prepare(dialect, CallContext(caller, call.audit_fields), question)
        return DialectExchange(request, send())

    def prepare(
        self, dialect: "Dialect", call: CallContext, question: ReplayedQuestion
    ) -> tuple[HttpRequest, Callable[[], HttpResponse]]:
        """Return the request of a dialect, and the call that sends it, ready to be made.

        Raises:
            Forbidden: the key lacks the scope of the dialect's REST route; the MCP servers check that of a tool.
        """
        form = _form(dialect)
        if isinstance(form, Replay):
            request = _tool_request(dialect, form, question)
            return request, lambda: self._router.handle(request, call).response
        path = form.path(question)
        route = next(route for route in dialect.rest_routes if covers_path(route.path, path))
        if not holds_any(call.caller.scopes, route.scopes):
            raise Forbidden(f"This key may not use the route of the dialect `{dialect.name}`.")
        handle, request = self._build(route), _post(path, form.body(question))
        return request, lambda: handle(call, RestRequest(request, {}, ""))


class DialectReplay:
    """Replay of questions over the routes of the dialects, by the rights of one caller at a time.

    Args:
        dialects: those that are switched on.
        router: their MCP servers.
        services: what their REST routes translate to.
        place: returns the place of a passage.
    """

    def __init__(
        self,
        dialects: "Sequence[Dialect]",
        router: "DialectRouter",
        services: "DialectServices",
        place: PlaceFunction,
    ) -> None:
        self._dialects = [dialect for dialect in dialects if dialect.replay is not None]
        self._answers = DialectAnswers(router, services)
        self._place = place

    def __call__(self, caller: "Caller", question: ReplayedQuestion) -> list[ReplayedAnswer]:
        """Return the answer of each dialect that can be replayed, in the order of their table.

        Args:
            caller: without `has_floor`, its floor and its tokens are replaced by none.
            question: what is asked.

        Raises:
            Unavailable: a dialect answers with an error, with a passage that the caller may not read, or with one that
                its complete answer lacks.
        """
        return [self._answer(dialect, caller, question) for dialect in self._dialects]

    def _answer(self, dialect: "Dialect", caller: "Caller", question: ReplayedQuestion) -> ReplayedAnswer:
        passages, form = self._send(dialect, caller, question), _form(dialect).form
        if not question.has_floor:
            return ReplayedAnswer(dialect.name, passages, form)
        complete = self._send(dialect, caller, question._replace(has_floor=False))
        if not set(passages) <= set(complete):
            raise Unavailable(f"The dialect {dialect.name} answered with a passage that its complete answer lacks.")
        return ReplayedAnswer(dialect.name, passages, form, [each for each in complete if each not in passages])

    def _send(self, dialect: "Dialect", caller: "Caller", question: ReplayedQuestion) -> Sequence[PassagePlace]:
        return self.passages(dialect, caller, self.prepare(dialect, caller, question)())

    def prepare(self, dialect: "Dialect", caller: "Caller", question: ReplayedQuestion) -> Callable[[], HttpResponse]:
        """Return the call of a dialect, ready to be made."""
        call = CallContext(replay_caller(dialect, caller, question))
        return self._answers.prepare(dialect, call, question)[1]

    def passages(self, dialect: "Dialect", caller: "Caller", response: HttpResponse) -> Sequence[PassagePlace]:
        """Return the places of the passages of a dialect's answer, best first.

        Raises:
            Unavailable: the answer is an error, or names a passage that the caller may not read.
        """
        found = _form(dialect).passages(_answer(dialect, response))
        places = [each if isinstance(each, PassagePlace) else self._place(caller, each) for each in found]
        if None in places:
            raise Unavailable(f"The dialect {dialect.name} answered with a passage that this user may not read.")
        return [each for each in places if each is not None]


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
    options = replace(
        caller.options,
        toolset=caller.options.toolset if dialect.toolset is None else dialect.toolset,
        top_n=question.top_n,
        # Neighbours take room, so that an answer would have fewer passages.
        expand_tokens=0,
        split_first_phrase=False,
    )
    if not question.has_floor:
        options = replace(options, floor=_NO_FLOOR, max_tokens=MAX_ANSWER_TOKENS)
    return replace(caller, collections=frozenset({question.collection}), options=options)


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


def comparable(answers: Sequence[ReplayedAnswer], question: ReplayedQuestion) -> list[ReplayedAnswer]:
    """Return the answers that should agree: with floors, only those of dialects that have this floor."""
    return [each for each in answers if each.form.has_floor or not question.has_floor]


def first_difference(answers: Sequence[ReplayedAnswer]) -> int | None:
    """Return the rank, from 1, at which an answer first differs from the longest one; None: none does.

    A shorter list may be the beginning of the longest one. A thinned list may skip passages of it. An empty answer
    beside one with passages differs at rank 1.
    """
    longest = max((each.passages for each in answers), key=len, default=())
    ranks = [_difference(each, longest) for each in answers]
    return min((rank for rank in ranks if rank is not None), default=None)


def _difference(answer: ReplayedAnswer, longest: Sequence[PassagePlace]) -> int | None:
    if not answer.passages:
        return 1 if longest else None
    rest = iter(longest)
    for rank, passage in enumerate(answer.passages, start=1):
        # `in` reads on to the passage, so that a later one must follow it.
        is_there = passage in rest if answer.form.is_thinned and rank > 1 else passage == next(rest, None)
        if not is_there:
            return rank
    return None
