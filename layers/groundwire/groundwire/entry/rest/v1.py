"""The routes behind a key, as one application."""

from typing import TYPE_CHECKING, Final, cast

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError, ResponseValidationError
from starlette.exceptions import HTTPException

from groundwire import __version__
from groundwire.domain.errors import Problem, Unavailable
from groundwire.domain.problem_names import named
from groundwire.entry.rest import collections, documents, faults, keys, search, status, uploads, users
from groundwire.entry.rest.models.errors import ErrorAnswer
from groundwire.entry.rest.telling import telemetry
from groundwire.entry.rest.work import work_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROUTERS: Final = (
    status.router,
    keys.router,
    users.router,
    collections.router,
    documents.router,
    uploads.router,
    search.router,
)


def api() -> FastAPI:
    """The application; whoever calls it has put the admitted call into the scope."""
    app = FastAPI(
        title="Groundwire",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        responses={"default": {"model": ErrorAnswer, "description": "The call did not do what it was to do."}},
    )
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(Problem, _on_problem)
    app.add_exception_handler(RequestValidationError, _on_unfit)
    app.add_exception_handler(ResponseValidationError, _on_unfit_answer)
    app.add_exception_handler(HTTPException, _on_framework)
    return app


async def _on_problem(request: Request, problem: Exception) -> Response:
    told = cast("Problem", problem)
    if not isinstance(told, Unavailable):
        return faults.answer(told)
    # Its own text may name folders and tables of this server: it is for the operator.
    telemetry().problem(str(told))
    work_of(request).note(problem=named(told))
    return faults.answer(Unavailable(faults.NOT_NOW, told.retry_after_s))


async def _on_unfit(_: Request, problem: Exception) -> Response:
    found = cast("Sequence[Mapping[str, object]]", cast("RequestValidationError", problem).errors())
    return faults.answer(faults.unfit(found))


async def _on_unfit_answer(_: Request, problem: Exception) -> Response:
    # Its own text quotes the answer, which holds text of documents: no log is for that.
    places = [each.get("loc") for each in cast("ResponseValidationError", problem).errors()]
    telemetry().problem(f"an answer is not as it is specified, at {places}")
    return faults.failed()


async def _on_framework(_: Request, problem: Exception) -> Response:
    told = cast("HTTPException", problem)
    return faults.unknown_route(told.status_code, told.headers)
