"""Answer of a dialect to a question: what its clients send, and what they get."""

from typing import Annotated, Final

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_PHRASE_CHARACTERS, MAX_TOP_N
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import CollectionName, RequestModel, ResponseModel
from groundwire_mcp.jsonrpc.json_codec import decode

router: Final = APIRouter(prefix="/v1/search/dialects", tags=["search"], route_class=ScopedRoute)

_DEFAULT_PASSAGES: Final = 3
_MAX_DIALECT_CHARACTERS: Final = 64


class DialectQuestion(RequestModel):
    """A question for a dialect."""

    dialect: str = Field(
        min_length=1, max_length=_MAX_DIALECT_CHARACTERS, description="Name of the dialect.", examples=["opensearch"]
    )
    question: str = Field(min_length=1, max_length=MAX_PHRASE_CHARACTERS, description="Text of the question.")
    collection: CollectionName = Field(description="Collection to search, for dialects whose requests name one.")
    top_n: Annotated[int, Field(ge=1, le=MAX_TOP_N, strict=True)] = Field(
        default=_DEFAULT_PASSAGES, description="Number of passages, for dialects whose requests name one."
    )


class DialectRequest(ResponseModel):
    """The request that a client of the dialect sends, without its credential."""

    method: str
    path: str
    body: dict[str, object]


class DialectAnswer(ResponseModel):
    """What a client of the dialect sends and gets for the question."""

    dialect: str
    request: DialectRequest
    status: int = Field(description="HTTP status of the dialect's response.")
    answer: dict[str, object] = Field(description="JSON of the dialect's response, which can be an error.")


@router.post("", response_model=DialectAnswer)
async def ask_dialect(body: DialectQuestion, context: CurrentContext) -> dict[str, object]:
    """Ask a question over a dialect, whose own handler answers by the rights of the caller."""
    # The routes of dialects accept no cookie of the page. This route names nobody but the admitted caller.
    from groundwire.dialects.declaration.replay import ReplayedQuestion

    agents = context.services.agents
    # A dialect without a form to replay has several requests for one question.
    known = {each.name: each for each in agents.dialects if each.replay is not None}
    dialect = known.get(body.dialect)
    if dialect is None:
        names = ", ".join(sorted(known)) or "none"
        raise InvalidInput(f"There is no dialect {body.dialect!r} to ask here. Dialects: {names}.")
    if not body.question.strip():
        raise InvalidInput("`question` contains no text.")
    question = ReplayedQuestion(body.question, body.collection, body.top_n, has_floor=True)
    request, response = agents.dialect_answers.exchange(dialect, context.call, question)
    return {
        "dialect": dialect.name,
        "request": {"method": request.method, "path": request.path, "body": decode(request.body)},
        "status": response.status,
        "answer": decode(response.body),
    }
