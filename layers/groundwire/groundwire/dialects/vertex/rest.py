"""REST routes: `:retrieveContexts`, and corpora and files to read, under `/v1` and `/v1beta1`.

API Gateway's parameters are whole segments, so the rest of the path comes here as one. Clients write the colon of a
method as `:`, as `%3A`, or with a slash before it.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from groundwire.dialects.vertex.context_search import ContextSearch
from groundwire.dialects.vertex.errors import GoogleError, GoogleStatus, error_response, from_domain_error
from groundwire.dialects.vertex.rag_files import Corpora, read_page_request
from groundwire.dialects.vertex.resource_names import parse_parent
from groundwire.domain.errors import DomainError
from groundwire_mcp.jsonrpc.json_codec import JsonError, JsonTooLarge, decode
from groundwire_mcp.limits import MAX_BODY_BYTES
from groundwire_mcp.transport.http import json_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import RestRequest
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.transport.http import HttpResponse

_METHOD: Final = re.compile(r"/(v1|v1beta1)/(projects/[^/]+/locations/[^/]+)?/?:([A-Za-z]+)")
_CORPORA: Final = re.compile(r"/(?:v1|v1beta1)/(projects/[^/]+/locations/[^/]+)/ragCorpora(?:/([^/:]+))?")
_FILES: Final = re.compile(
    r"/(?:v1|v1beta1)/(projects/[^/]+/locations/[^/]+)/ragCorpora/([^/:]+)/ragFiles(?:/([^/:]+))?(?::[A-Za-z]+)?"
)
_ENGINE: Final = re.compile(r"/(?:v1|v1beta1)/projects/[^/]+/locations/[^/]+/ragEngineConfig")
_RETRIEVE: Final = "retrieveContexts"
# Google's clients have methods for these, which deserve a better answer than 404.
_SIBLINGS: Final = frozenset({"augmentPrompt", "corroborateContent", "askContexts", "asyncRetrieveContexts"})
_NOT_SERVED: Final = "This server does not support this method: it reads corpora and files, and retrieves contexts."


class VertexRest:
    """Handler of all REST routes of the dialect."""

    def __init__(self, services: "DialectServices") -> None:
        self._retrieve = ContextSearch(services)
        self._corpora = Corpora(services)

    def __call__(self, call: "CallContext", request: "RestRequest") -> "HttpResponse":
        """Return the answer; every error has Google's form."""
        try:
            return json_response(200, self._answer(call, request))
        except GoogleError as error:
            return error_response(error)
        except DomainError as error:
            return error_response(from_domain_error(call, error))

    def _answer(self, call: "CallContext", request: "RestRequest") -> Mapping[str, object]:
        path = request.http.path
        if found := _METHOD.fullmatch(path):
            return self._call_method(call, request, found)
        if found := _CORPORA.fullmatch(path):
            parent, collection = found.groups()
            return _reading(request, lambda: self._read_corpora(call, request, parent, collection))
        if found := _FILES.fullmatch(path):
            parent, collection, doc_id = found.groups()
            if ":" in path.rpartition("/")[2]:
                raise GoogleError(GoogleStatus.UNIMPLEMENTED, _NOT_SERVED)
            return _reading(request, lambda: self._read_files(call, request, parent, collection, doc_id))
        raise _unserved(path)

    def _call_method(self, call: "CallContext", request: "RestRequest", found: re.Match[str]) -> Mapping[str, object]:
        version, parent, method = found.groups()
        if method in _SIBLINGS:
            raise GoogleError(GoogleStatus.UNIMPLEMENTED, _NOT_SERVED)
        if method != _RETRIEVE or request.http.method != "POST":
            raise _unserved(request.http.path)
        try:
            members = decode(request.http.body) if request.http.body.strip() else {}
        except JsonTooLarge:
            # Google's routes answer 400 here, where other REST routes of this server answer 413.
            text = f"Request payload size exceeds the limit: {MAX_BODY_BYTES} bytes."
            raise GoogleError(GoogleStatus.INVALID_ARGUMENT, text) from None
        except JsonError as error:
            reason = str(error)
            text = f"Invalid JSON payload received. {reason[:1].upper()}{reason[1:]}."
            raise GoogleError(GoogleStatus.INVALID_ARGUMENT, text) from None
        location = None if parent is None else parse_parent(parent)
        return self._retrieve(call, members, location, version, needs_parent=False)

    def _read_corpora(
        self, call: "CallContext", request: "RestRequest", parent: str, collection: str | None
    ) -> Mapping[str, object]:
        if collection is None:
            return self._corpora.list_corpora(call, parent, read_page_request(request.query))
        return self._corpora.corpus(call, parent, collection)

    def _read_files(
        self, call: "CallContext", request: "RestRequest", parent: str, collection: str, doc_id: str | None
    ) -> Mapping[str, object]:
        if doc_id is None:
            return self._corpora.list_files(call, parent, collection, read_page_request(request.query))
        return self._corpora.file(call, parent, collection, doc_id)


def _reading(request: "RestRequest", read: Callable[[], Mapping[str, object]]) -> Mapping[str, object]:
    """Return what is read; every other method writes, which this server does not."""
    if request.http.method != "GET":
        raise GoogleError(GoogleStatus.UNIMPLEMENTED, _NOT_SERVED)
    return read()


def _unserved(path: str) -> GoogleError:
    if _ENGINE.fullmatch(path):
        return GoogleError(GoogleStatus.UNIMPLEMENTED, _NOT_SERVED)
    return GoogleError(GoogleStatus.NOT_FOUND, "There is no such method or resource.")
