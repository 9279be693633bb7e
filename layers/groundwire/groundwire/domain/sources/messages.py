"""Wire form of invocations of the sources function and of its responses.

An invocation is `{"target": {...}, "call": {...} | null, "caller": {...} | null, "seconds": n}`: without a call, the
tools are listed. A
response is a JSON text in ASCII, of `{"listing": {...}}`, `{"answer": {...}}` or `{"error": {...}}`. It is a text since
a server can send numbers and lone surrogates that Lambda's own encoder would change or refuse.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final, TypeVar, cast

from groundwire.domain.errors import DomainError, InvalidInput, LimitExceeded, Unavailable
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.sources.calls import SignInRequired, SourceDenied, SourceToolChanged, SourceUnavailable
from groundwire.domain.sources.state import SourceCaller
from groundwire_egress.mcp_client.calls import (
    ApiKeyCredential,
    ClientCredential,
    ExchangeCredential,
    SourceAnswer,
    SourceCredential,
    SourceListing,
    SourceTarget,
    SourceToolCall,
)

ValueT = TypeVar("ValueT")

_CREDENTIAL_KINDS: Final[Mapping[str, type[ApiKeyCredential | ClientCredential | ExchangeCredential]]] = {
    "api_key": ApiKeyCredential,
    "client": ClientCredential,
    "exchange": ExchangeCredential,
}
_ERRORS: Final[Mapping[str, Callable[[str, int], LimitExceeded | Unavailable]]] = {
    "source_unavailable": SourceUnavailable,
    "source_denied": SourceDenied,
    "source_tool_changed": SourceToolChanged,
    "sign_in_required": SignInRequired,
    "too_much": LimitExceeded,
    "unavailable": Unavailable,
}
"""Errors that the function returns, by their codes; it raises all others."""


@dataclass(frozen=True, slots=True)
class SourceInvocation:
    """Invocation of the sources function.

    Attributes:
        call: None: the tools of the target's server are listed.
        caller: whose share and whose failures count; None where the tools are listed.
        seconds: time in which the response must be there.
    """

    target: SourceTarget
    call: SourceToolCall | None
    caller: SourceCaller | None
    seconds: float

    def to_event(self) -> dict[str, object]:
        """Return the event with which the function is invoked; it holds the credential in plain text."""
        target = {**self.target._asdict(), "credential": _credential_members(self.target.credential)}
        return {
            "target": target,
            "call": None if self.call is None else _call_members(self.call),
            "caller": None if self.caller is None else self.caller._asdict(),
            "seconds": self.seconds,
        }


def parse_invocation(event: object) -> SourceInvocation:
    """Return the invocation of an event.

    Raises:
        InvalidInput: a member is missing, unknown or not valid; the text names members, and no values.
    """
    members = _members(event, "event", ("target", "call", "caller", "seconds"))
    target = _members(members["target"], "target", SourceTarget._fields)
    seconds = members["seconds"]
    # `true` is an `int` in Python, and its decoder of JSON accepts NaN and Infinity.
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not (isfinite(seconds) and seconds > 0):
        raise InvalidInput("`seconds` must be a positive number.")
    call, caller = _parse_call(members["call"]), _parse_caller(members["caller"])
    if (call is None) != (caller is None):
        raise InvalidInput("A call has a `caller`, and a listing has none.")
    return SourceInvocation(
        SourceTarget(
            _text(target, "tenant"),
            _text(target, "source_id"),
            _text(target, "url"),
            _parse_credential(target["credential"]),
        ),
        call,
        caller,
        float(seconds),
    )


def encode_result(result: SourceListing | SourceAnswer) -> str:
    """Return the response with this result."""
    if isinstance(result, SourceListing):
        listing = {"declarations": list(map(dict, result.declarations)), "protocol": result.protocol}
        return json.dumps({"listing": listing})
    answer = {
        "content": list(map(dict, result.content)),
        "structured": None if result.structured is None else dict(result.structured),
        "is_error": result.is_error,
        "sent_bytes": result.sent_bytes,
        "received_bytes": result.received_bytes,
        "protocol": result.protocol,
    }
    return json.dumps({"answer": answer})


def encode_error(error: LimitExceeded | Unavailable) -> str:
    """Return the response with this error, by the code of the nearest class that has one."""
    codes = {kind: code for code, kind in _ERRORS.items()}
    code = next(codes[kind] for kind in type(error).__mro__ if kind in codes)
    return json.dumps({"error": {"code": code, "message": str(error), "retry_after_s": error.retry_after_s}})


def decode_listing(response: object) -> SourceListing:
    """Return the listing of a response.

    Raises:
        InvalidInput: the response is malformed.
        LimitExceeded, Unavailable: the function returned this error.
    """
    listing = _members(_result(response, "listing"), "listing", ("declarations", "protocol"))
    return SourceListing(_objects(listing, "declarations"), _text(listing, "protocol"))


def decode_answer(response: object) -> SourceAnswer:
    """Return the answer of a response; errors as of `decode_listing`."""
    names = ("content", "structured", "is_error", "sent_bytes", "received_bytes", "protocol")
    answer = _members(_result(response, "answer"), "answer", names)
    structured = answer["structured"]
    return SourceAnswer(
        content=_objects(answer, "content"),
        structured=None if structured is None else _checked(structured, dict[str, object], "structured"),
        is_error=_checked(answer["is_error"], bool, "is_error"),
        sent_bytes=_checked(answer["sent_bytes"], int, "sent_bytes"),
        received_bytes=_checked(answer["received_bytes"], int, "received_bytes"),
        protocol=_text(answer, "protocol"),
    )


def _result(response: object, name: str) -> object:
    """Return the member `name` of a response; raise the error that it has instead."""
    try:
        decoded: object = json.loads(_checked(response, str, "response"))
    except ValueError as error:
        raise InvalidInput("The response is not JSON.") from error
    members = _checked(decoded, dict[str, object], "response")
    if "error" in members:
        raise _parse_error(members["error"])
    return _members(members, "response", (name,))[name]


def _parse_error(value: object) -> DomainError:
    members = _members(value, "error", ("code", "message", "retry_after_s"))
    kind = _ERRORS.get(_text(members, "code"))
    if kind is None:
        raise InvalidInput("The value of `code` is unknown.")
    return kind(_text(members, "message"), _checked(members["retry_after_s"], int, "retry_after_s"))


def _credential_members(credential: SourceCredential) -> dict[str, object] | None:
    if credential is None:
        return None
    kind = next(name for name, each in _CREDENTIAL_KINDS.items() if each is type(credential))
    values = {
        name: value.reveal() if isinstance(value, Secret) else value for name, value in credential._asdict().items()
    }
    return {"kind": kind, **values}


def _parse_credential(value: object) -> SourceCredential:
    if value is None:
        return None
    kind = _checked(value, dict[str, object], "credential").get("kind")
    if not isinstance(kind, str) or kind not in _CREDENTIAL_KINDS:
        raise InvalidInput("The `kind` of the credential is unknown.")
    members = _members(value, "credential", ("kind", *_CREDENTIAL_KINDS[kind]._fields))
    if kind == "api_key":
        return ApiKeyCredential(_text(members, "header"), Secret(_text(members, "value")))
    client_id, client_secret = _text(members, "client_id"), Secret(_text(members, "client_secret"))
    scope = _optional_text(members, "scope")
    if kind == "client":
        return ClientCredential(_text(members, "token_url"), client_id, client_secret, scope)
    token = _optional_text(members, "user_token")
    return ExchangeCredential(
        client_id, client_secret, scope, _text(members, "grant"), None if token is None else Secret(token)
    )


def _call_members(call: SourceToolCall) -> dict[str, object]:
    return {
        **call._asdict(),
        "arguments": dict(call.arguments),
        "mirrored_arguments": dict(call.mirrored_arguments),
    }


def _parse_call(value: object) -> SourceToolCall | None:
    if value is None:
        return None
    members = _members(value, "call", SourceToolCall._fields)
    mirrored = _checked(members["mirrored_arguments"], dict[str, object], "mirrored_arguments")
    return SourceToolCall(
        _text(members, "tool"),
        _checked(members["arguments"], dict[str, object], "arguments"),
        _text(members, "digest"),
        {path: _text(mirrored, path) for path in mirrored},
    )


def _parse_caller(value: object) -> SourceCaller | None:
    if value is None:
        return None
    members = _members(value, "caller", SourceCaller._fields)
    is_known = _checked(members["is_known"], bool, "is_known")
    return SourceCaller(_text(members, "key"), _optional_text(members, "user"), is_known)


def _members(value: object, name: str, expected: Collection[str]) -> Mapping[str, object]:
    """Return the object if it has exactly the expected members."""
    members = _checked(value, dict[str, object], name)
    # An unknown member might limit the call, so it is not ignored.
    if members.keys() != set(expected):
        raise InvalidInput(f"`{name}` must have the members {', '.join(expected)}, and no others.")
    return members


def _objects(members: Mapping[str, object], name: str) -> Sequence[Mapping[str, object]]:
    return [_checked(each, dict[str, object], name) for each in _checked(members[name], list[object], name)]


def _text(members: Mapping[str, object], name: str) -> str:
    return _checked(members[name], str, name)


def _optional_text(members: Mapping[str, object], name: str) -> str | None:
    return None if members[name] is None else _text(members, name)


def _checked(value: object, kind: type[ValueT], name: str) -> ValueT:
    origin = getattr(kind, "__origin__", kind)
    if not isinstance(value, origin) or (isinstance(value, bool) and origin is not bool):
        raise InvalidInput(f"`{name}` is not of the type {origin.__name__}.")
    return cast("ValueT", value)
