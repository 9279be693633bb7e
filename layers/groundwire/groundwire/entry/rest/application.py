"""FastAPI application of the routes that need a key."""

from typing import TYPE_CHECKING, Final, cast

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError, ResponseValidationError
from starlette.exceptions import HTTPException

from groundwire import __version__
from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import DomainError, Unavailable
from groundwire.entry.rest.middleware import error_responses
from groundwire.entry.rest.middleware.context import context_of
from groundwire.entry.rest.routes import access, collections, evaluations, status, tags, users, whoami
from groundwire.entry.rest.routes.audit import audit, callers, usage
from groundwire.entry.rest.routes.documents import decisions, documents, ingestions, uploads
from groundwire.entry.rest.routes.keys import groups, keys, session
from groundwire.entry.rest.routes.search import dialects, search
from groundwire.entry.rest.telemetry import telemetry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROUTERS: Final = (
    status.router,
    session.router,
    whoami.router,
    keys.router,
    users.router,
    tags.router,
    groups.router,
    access.router,
    audit.router,
    callers.router,
    usage.router,
    evaluations.router,
    collections.router,
    documents.router,
    decisions.readers_router,
    decisions.router,
    uploads.router,
    ingestions.router,
    search.router,
    dialects.router,
)


def api() -> FastAPI:
    """Return the application without dialects; its caller has put the context of the admitted call into the scope."""
    app = FastAPI(
        title="Groundwire",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        # A redirect would repeat the host that the request names.
        redirect_slashes=False,
    )
    # `include_router` would build every route a second time with the first call, which takes a tenth of a second.
    for router in ROUTERS:
        app.router.routes.extend(router.routes)
    app.add_exception_handler(DomainError, _on_domain_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(ResponseValidationError, _on_invalid_response)
    app.add_exception_handler(HTTPException, _on_http_exception)
    return app


async def _on_domain_error(request: Request, exception: Exception) -> Response:
    error = cast("DomainError", exception)
    if not isinstance(error, Unavailable):
        return error_responses.error_response(error)
    # The error's text may name folders and tables of this server, so only the operator gets it.
    telemetry().error(str(error))
    context_of(request).note(problem=audit_text(error))
    return error_responses.error_response(Unavailable(error_responses.UNAVAILABLE_MESSAGE, error.retry_after_s))


async def _on_invalid_request(_: Request, exception: Exception) -> Response:
    errors = cast("Sequence[Mapping[str, object]]", cast("RequestValidationError", exception).errors())
    return error_responses.error_response(error_responses.invalid_request(errors))


async def _on_invalid_response(_: Request, exception: Exception) -> Response:
    # The error's text quotes the response with text of documents, which must not be logged.
    locations = [each.get("loc") for each in cast("ResponseValidationError", exception).errors()]
    telemetry().error(f"an answer does not match its specification, at {locations}")
    return error_responses.failed_response()


async def _on_http_exception(_: Request, exception: Exception) -> Response:
    error = cast("HTTPException", exception)
    return error_responses.unknown_route_response(error.status_code, error.headers)
