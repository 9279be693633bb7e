"""Rules of HTTP that all routes share: content types, parameters, methods, and the header of the version."""

from collections.abc import Collection, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

from groundwire.dialects.opensearch.errors import (
    OpenSearchError,
    error_response,
    from_domain_error,
    illegal_argument,
    plain_error_response,
)
from groundwire.domain.errors import DomainError
from groundwire_mcp.transport.http import HttpResponse

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.services.call_context import CallContext
    from groundwire_mcp.transport.http import HttpRequest

# Answers follow a node of this version; a number that is too low makes clients hide tools.
ENGINE_VERSION: Final = "3.5.0"
_VERSION_HEADERS: Final = {"x-opensearch-version": f"OpenSearch/{ENGINE_VERSION} (opensearch)"}
# A node reads a body of any of these types as JSON.
_JSON_TYPES: Final = frozenset(
    {"application/json", "application/x-ndjson", "application/yaml", "application/vnd.opensearch+json"}
)
_WITHOUT_EFFECT: Final = frozenset({"pretty", "human", "error_trace", "format"})
"""Parameters that change the look of an answer on every route of the engine."""
_MOST_TEXT_CHARACTERS: Final = 256


def with_version(response: HttpResponse) -> HttpResponse:
    """Return the response with the header that every answer of the engine has."""
    return response._replace(headers={**response.headers, **_VERSION_HEADERS})


def answered(call: "CallContext", produce: "Callable[[], HttpResponse]") -> HttpResponse:
    """Return the response that `produce` returns, or the error that it raises in the engine's form."""
    try:
        response = produce()
    except OpenSearchError as error:
        response = error_response(error)
    except DomainError as error:
        response = error_response(from_domain_error(call, error))
    return with_version(response)


def content_type_error(request: "HttpRequest") -> HttpResponse | None:
    """Return the response to a body whose content type is not read as JSON; None for one that is."""
    content_type = request.headers.get("content-type", "")
    if not request.body or content_type.partition(";")[0].strip().lower() in _JSON_TYPES:
        return None
    named = content_type[:_MOST_TEXT_CHARACTERS]
    return plain_error_response(HTTPStatus.NOT_ACCEPTABLE, f"Content-Type header [{named}] is not supported")


def wrong_method_response(path: str, method: str, allowed: Sequence[str]) -> HttpResponse:
    """Return the response to a method that a route does not have."""
    reason = f"Incorrect HTTP method for uri [{path}] and method [{method}], allowed: [{', '.join(allowed)}]"
    return plain_error_response(HTTPStatus.METHOD_NOT_ALLOWED, reason, {"allow": ",".join(allowed)})


def check_parameters(path: str, query: str, known: Collection[str] = ()) -> None:
    """Check that the query of a call has no parameter that nobody reads.

    Raises:
        OpenSearchError: it has one.
    """
    for name, _ in parse_qsl(query, keep_blank_values=True):
        if name not in _WITHOUT_EFFECT and name not in known:
            shown = name[:_MOST_TEXT_CHARACTERS]
            raise illegal_argument(f"request [{path}] contains unrecognized parameter: [{shown}]")
