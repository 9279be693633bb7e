"""REST routes of knowledge sources; errors have the member `detail`, as web services of that system have it."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qs

from pydantic import BaseModel, ValidationError

from groundwire.dialects.foundry.sources.models import BatchDeletion, KnowledgeSourceChange, NewKnowledgeSource
from groundwire.dialects.foundry.sources.specs import changed_spec, new_spec
from groundwire.dialects.foundry.sources.view import source_members
from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import Conflict, DomainError, InvalidInput, LimitExceeded, NotFound, Unavailable
from groundwire.domain.sources.source import McpSource, SourceKind
from groundwire.services.sources.validation import SourceNotValid
from groundwire_mcp.jsonrpc.json_codec import JsonError, decode
from groundwire_mcp.transport.http import HttpResponse, json_response, no_route_response

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import ErrorReply, RestRequest
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire.services.sources.admin import SourceAdmin

_PATH: Final = "/edgeai/knowledgesources"
_BATCH_DELETE: Final = "batch-delete"
# The reference has this default, and the greatest limit of 100.
_DEFAULT_LIMIT: Final = 10
_MAX_LIMIT: Final = 100
_MAX_OFFSET: Final = 1_000_000
_MAX_DIGITS: Final = 9

BodyT = TypeVar("BodyT", bound=BaseModel)


class _RequestError(Exception):
    """Error of a request, with its status and the value of `detail`."""

    def __init__(self, status: int, detail: object) -> None:
        super().__init__(status)
        self.status = status
        self.detail = detail


class KnowledgeSourceRoutes:
    """Handler of all routes of knowledge sources."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services

    def __call__(self, call: "CallContext", request: "RestRequest") -> HttpResponse:
        """Return the answer."""
        try:
            return self._answer(call, request)
        except _RequestError as error:
            return _error(error.status, error.detail)
        except DomainError as error:
            return _domain_error(call, error)

    def _answer(self, call: "CallContext", request: "RestRequest") -> HttpResponse:
        http, admin = request.http, self._services.sources.admin
        method, tail = http.method, http.path.removeprefix(_PATH).removeprefix("/")
        if not tail:
            handlers: Mapping[str, Callable[[], HttpResponse]] = {
                "GET": lambda: self._list(admin, call, request.query),
                "POST": lambda: self._create(admin, call, http.body),
            }
        elif tail == _BATCH_DELETE:
            handlers = {"POST": lambda: self._delete_each(admin, call, http.body)}
        elif "/" in tail:
            return no_route_response()
        else:
            handlers = {
                "GET": lambda: _shown(HTTPStatus.OK, admin, call, admin.find(call, tail)),
                "PATCH": lambda: self._change(admin, call, tail, http.body),
                "DELETE": lambda: self._delete(admin, call, tail),
            }
        if method not in handlers:
            return _error(
                HTTPStatus.METHOD_NOT_ALLOWED, "This method is not allowed here.", {"allow": ", ".join(handlers)}
            )
        return handlers[method]()

    def _list(self, admin: "SourceAdmin", call: "CallContext", query: str) -> HttpResponse:
        wanted = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items()}
        limit = _whole_number(wanted, "limit", _DEFAULT_LIMIT, 1, _MAX_LIMIT)
        offset = _whole_number(wanted, "offset", 0, 0, _MAX_OFFSET)
        kind = wanted.get("kind")
        if kind is not None and kind not in set(SourceKind):
            raise _wrong_member(("query", "kind"), f"kind must be one of {', '.join(SourceKind)}.")
        found = [
            source
            for source in admin.list_all(call)
            if kind in {None, source.kind} and wanted.get("name") in {None, source.name}
        ]
        items = [source_members(each, admin.listing(call, each)) for each in found[offset : offset + limit]]
        answer = {"items": items, "total": len(found), "limit": limit, "offset": offset}
        return json_response(HTTPStatus.OK, answer)

    def _create(self, admin: "SourceAdmin", call: "CallContext", body: bytes) -> HttpResponse:
        new = _read(body, NewKnowledgeSource)
        spec = new_spec(new)
        self._check_tags(call, new)
        created = admin.create(call, spec)
        return _shown(HTTPStatus.CREATED, admin, call, created)

    def _change(self, admin: "SourceAdmin", call: "CallContext", source_id: str, body: bytes) -> HttpResponse:
        change = _read(body, KnowledgeSourceChange)
        self._check_tags(call, change)
        changed = admin.change(call, source_id, lambda stored: changed_spec(change, stored))
        return _shown(HTTPStatus.OK, admin, call, changed)

    def _check_tags(self, call: "CallContext", body: NewKnowledgeSource | KnowledgeSourceChange) -> None:
        """Refuse a tag that is probably a slip.

        Raises:
            Conflict: it is one, and `new_tags` is false.
        """
        if not body.policy_tags or body.new_tags:
            return
        # Imported on use: few calls have a policy.
        from groundwire.services.documents.tags.view import caller_view

        self._services.sources.new_tags.check(caller_view(call.caller), body.policy_tags, allows_new=False)

    def _delete(self, admin: "SourceAdmin", call: "CallContext", source_id: str) -> HttpResponse:
        admin.delete(call, source_id)
        return HttpResponse(HTTPStatus.NO_CONTENT, {"cache-control": "no-store"}, b"")

    def _delete_each(self, admin: "SourceAdmin", call: "CallContext", body: bytes) -> HttpResponse:
        wanted = _read(body, BatchDeletion).ks_ids
        if not wanted:
            # The reference answers 400 here, and 422 to other wrong members.
            raise _RequestError(HTTPStatus.BAD_REQUEST, "ks_ids names no source: give at least one id.")
        deleted = admin.delete_each(call, [str(each) for each in wanted])
        return json_response(HTTPStatus.OK, {"deleted_count": deleted})


def refused_response(reply: "ErrorReply") -> HttpResponse:
    """Return the response to a call that was refused before the routes got it."""
    return _error(reply.status, reply.message, reply.headers)


def _shown(status: int, admin: "SourceAdmin", call: "CallContext", source: McpSource) -> HttpResponse:
    return json_response(status, source_members(source, admin.listing(call, source)))


def _read(body: bytes, model: type[BodyT]) -> BodyT:
    """Return the body of a request.

    Raises:
        _RequestError: it is no JSON, or no such object.
    """
    try:
        return model.model_validate(decode(body))
    except JsonError as error:
        raise _wrong_member(("body",), f"The body is not a JSON object: {error}.") from error
    except ValidationError as error:
        details = [
            _detail(("body", *each["loc"]), each["msg"], each["type"]) for each in error.errors(include_url=False)
        ]
        raise _RequestError(HTTPStatus.UNPROCESSABLE_ENTITY, details) from error


def _whole_number(wanted: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = wanted.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS and least <= int(text) <= most):
        raise _wrong_member(("query", name), f"{name} must be a whole number from {least} to {most}.")
    return int(text)


def _wrong_member(place: Sequence[str], message: str) -> _RequestError:
    return _RequestError(HTTPStatus.UNPROCESSABLE_ENTITY, [_detail(place, message, "value_error")])


def _detail(place: Sequence[str | int], message: str, kind: str) -> dict[str, Any]:
    return {"loc": list(place), "msg": message, "type": kind}


def _domain_error(call: "CallContext", error: DomainError) -> HttpResponse:
    match error:
        # The reference answers 400 where the validation of a server fails.
        case SourceNotValid():
            return _error(HTTPStatus.BAD_REQUEST, str(error))
        case InvalidInput():
            return _error(HTTPStatus.UNPROCESSABLE_ENTITY, [_detail(("body",), str(error), "value_error")])
        case NotFound() | Conflict():
            return _error(error.http_status, str(error))
        case Unavailable() | LimitExceeded():
            call.audit_fields["problem"] = audit_text(error)
            message = "A part of the service does not answer: try again."
            return _error(HTTPStatus.SERVICE_UNAVAILABLE, message, {"retry-after": str(error.retry_after_s)})
        case _:
            call.audit_fields["problem"] = audit_text(error)
            return _error(
                error.http_status, "The request failed. The operator of the service can find the cause in the log."
            )


def _error(status: int, detail: object, headers: Mapping[str, str] | None = None) -> HttpResponse:
    return json_response(status, {"detail": detail}, headers)
