"""Conversion of authorization decisions to and from API Gateway's authorizer context, a flat map of strings.

API Gateway puts the map at `requestContext.authorizer.lambda` of the handler's event. It is the only source of
identity: a handler denies a call whose map is missing or has a field that it does not understand. Every value is a
non-empty string: numbers may change their form in transit, and an empty value would let the client's own header
through where the integration overwrites headers from this map.

On one machine authorizer and handler share a process. There the map has the decision itself, and of its strings only
those that the gateway reads.
"""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from groundwire.domain import limits
from groundwire.domain.access.call_headers import TAGS_HEADER, USER_HEADER
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.caller import STORED_CALLER, Caller
from groundwire.domain.text.json_values import mapping_at, mapping_or_empty
from groundwire.stored import texts_json
from groundwire.stored.kinds import PlainForm, PlainValue

EMPTY_HEADER_VALUE: Final = "-"
"""Value of an overwritten header without content; no handler reads it."""

_OVERWRITTEN_HEADERS: Final = {USER_HEADER: "headerUser", TAGS_HEADER: "headerTags"}
"""Names in the context by the header that template.yaml's integrations write from them."""
_BOOLEANS: Final = ("false", "true")
_NO_CONTEXT: Final = AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CONTEXT)


class DecisionContext(dict[str, str]):
    """Context of a decision that does not leave this process: the decision itself, and what the gateway reads.

    JSON gives a plain mapping, so no event from outside has this type. Written as JSON by mistake, the map lacks the
    caller's fields, and the handler denies the call.
    """

    __slots__ = ("decision",)

    def __init__(self, decision: AuthDecision) -> None:
        caller = decision.caller
        user, tags = (None, frozenset[str]()) if caller is None else (caller.principal.user, caller.principal.tags)
        status, reason = decision.status.value, decision.reason.value
        super().__init__(_header_overwrites(user, tags), decision=status, reason=reason)
        if decision.tenant is not None:
            self["tenant"] = decision.tenant
        if decision.kid is not None:
            self["kid"] = decision.kid
        self.decision: Final = decision


def to_context(decision: AuthDecision) -> dict[str, str]:
    """Return the whole decision, plus `headerUser` and `headerTags` for the integration's header overwrite.

    The map has about 13 kB at most: the tags twice, each within the limit of the tag header.
    """
    optional = {
        "header": decision.header,
        "message": decision.message,
        "retryAfter": None if decision.retry_after_s is None else str(decision.retry_after_s),
        "kid": decision.kid,
        "tenant": decision.tenant,
        "toolset": decision.toolset,
    }
    fields = {"decision": decision.status.value, "reason": decision.reason.value}
    fields.update({name: value for name, value in optional.items() if value is not None})
    caller = decision.caller
    fields |= _header_overwrites(None, frozenset()) if caller is None else _caller_fields(caller)
    return fields


def decision_from_event(event: Mapping[str, object]) -> AuthDecision:
    """Return the decision in an API Gateway v2 event; "unauthenticated" if it is missing or malformed."""
    context = _context(event)
    if isinstance(context, DecisionContext):
        return context.decision
    try:
        return _read_decision(_ContextReader(context))
    # A context that cannot be read admits nobody; its JSON may be nested too deeply.
    except (ValueError, RecursionError):
        return _NO_CONTEXT


def are_headers_overwritten(event: Mapping[str, object], headers: Mapping[str, str]) -> bool:
    """Return whether the identity headers of an event are those that the integration writes from the context.

    `headers` has lower-case names. A client cannot send what the check accepts by chance: the context has a value for
    each header even where the caller named no user and no tags, and lists tags in a fixed order and form.
    """
    context = _context(event)
    return all(
        (value := context.get(name)) is not None and headers.get(header) == value
        for header, name in _OVERWRITTEN_HEADERS.items()
    )


def _context(event: Mapping[str, object]) -> Mapping[str, object]:
    return mapping_at(event, "requestContext", "authorizer", "lambda")


def has_context(event: Mapping[str, object]) -> bool:
    """Return whether the authorizer decided about the call of this event."""
    return bool(mapping_or_empty(mapping_or_empty(event.get("requestContext")).get("authorizer")))


class _ContextReader:
    """Typed access to the map; a field of another type raises ValueError."""

    def __init__(self, context: Mapping[str, object]) -> None:
        self._context = context

    def text(self, name: str) -> str:
        value = self.optional_text(name)
        if value is None:
            raise ValueError(name)
        return value

    def optional_text(self, name: str) -> str | None:
        value = self._context.get(name)
        if value is not None and not isinstance(value, str):
            raise ValueError(name)
        return value


def _read_decision(fields: _ContextReader) -> AuthDecision:
    decision = AuthStatus(fields.text("decision"))
    retry_after = fields.optional_text("retryAfter")
    return AuthDecision(
        decision,
        AuthReason(fields.text("reason")),
        caller=_read_caller(fields) if decision is AuthStatus.ADMITTED else None,
        header=fields.optional_text("header"),
        message=fields.optional_text("message"),
        retry_after_s=None if retry_after is None else int(retry_after),
        kid=fields.optional_text("kid"),
        tenant=fields.optional_text("tenant"),
        # An admitted call's is its caller's. Absent in the context of an earlier release, during a deployment.
        toolset=fields.optional_text("toolset") if decision is AuthStatus.OVER_LIMIT else None,
    )


def _read_caller(fields: _ContextReader) -> Caller:
    """Return the caller; what an authorizer of an earlier release left out has its least value, or is refused."""
    values: list[Any] = []
    for field, parse in _PARSED_FIELDS:
        text = fields.optional_text(field.context_name)
        values.append(field.absent_value() if text is None else field.kind.value(parse(text)))
    return STORED_CALLER.from_values(values)


def _finite_number(text: str) -> float:
    number = float(text)
    # `float` accepts `nan`, with which every comparison is false.
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _word_or_texts(text: str) -> PlainValue:
    return texts_json.from_json(text) if text.startswith("[") else text


_PARSERS: Final[Mapping[PlainForm, Callable[[str], PlainValue]]] = {
    PlainForm.TEXT: str,
    PlainForm.INTEGER: int,
    PlainForm.REAL: _finite_number,
    PlainForm.BOOLEAN: lambda text: _BOOLEANS.index(text) == 1,
    PlainForm.TEXTS: texts_json.from_json,
    PlainForm.WORD_OR_TEXTS: _word_or_texts,
}
"""Reader of the text of each form; it raises ValueError for a text of another form."""
_PARSED_FIELDS: Final = tuple((field, _PARSERS[field.kind.form]) for field in STORED_CALLER.fields)


_WRITTEN_FIELDS: Final = tuple(
    (field.context_name, field.left_out, field.kind.to_plain) for field in STORED_CALLER.fields
)


def _caller_fields(caller: Caller) -> dict[str, str]:
    fields = _header_overwrites(caller.principal.user, caller.principal.tags)
    values = STORED_CALLER.values_of(caller)
    for (name, left_out, to_plain), value in zip(_WRITTEN_FIELDS, values, strict=True):
        if value is None or value == left_out:
            continue
        plain: PlainValue = value if to_plain is None else to_plain(value)
        fields[name] = plain if isinstance(plain, str) else _text(plain)
    return fields


def _text(plain: int | float | bytes | tuple[str, ...]) -> str:
    if isinstance(plain, tuple):
        return texts_json.to_json(plain)
    return _BOOLEANS[plain] if isinstance(plain, bool) else repr(plain)


def _header_overwrites(user: str | None, tags: frozenset[str]) -> dict[str, str]:
    """Return the header values in ASCII; tags that exceed the header's limit in this form are left out."""
    header_tags = json.dumps(sorted(tags), separators=(",", ":"))
    return {
        "headerUser": EMPTY_HEADER_VALUE if user is None else json.dumps(user)[1:-1],
        "headerTags": header_tags if len(header_tags) <= limits.MAX_TAGS_HEADER_BYTES else EMPTY_HEADER_VALUE,
    }
