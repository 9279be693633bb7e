"""Conversion of authorization decisions to and from API Gateway's authorizer context, a flat map of strings.

API Gateway puts the map at `requestContext.authorizer.lambda` of the handler's event. It is the only source of
identity: a handler denies a call whose map is missing or has a field that it does not understand. Every value is a
non-empty string: numbers may change their form in transit, and an empty value would let the client's own header
through where the integration overwrites headers from this map.
"""

import json
from collections.abc import Mapping
from typing import Final, cast

from groundwire.domain import limits
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind, TagSource

EMPTY_HEADER_VALUE: Final = "-"
"""Value of an overwritten header without content; no handler reads it."""

_NO_CONTEXT: Final = AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CONTEXT)


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
    context = {"decision": decision.status.value, "reason": decision.reason.value}
    context.update({name: value for name, value in optional.items() if value is not None})
    return context | (_caller_fields(decision.caller) if decision.caller else _header_overwrites(None, frozenset()))


def decision_from_event(event: Mapping[str, object]) -> AuthDecision:
    """Return the decision in an API Gateway v2 event; "unauthenticated" if it is missing or malformed."""
    context: object = event
    for name in ("requestContext", "authorizer", "lambda"):
        context = _mapping(context).get(name)
    try:
        return _read_decision(_ContextReader(_mapping(context)))
    except (ValueError, RecursionError):
        return _NO_CONTEXT


def has_context(event: Mapping[str, object]) -> bool:
    """Return whether the authorizer decided about the call of this event."""
    return bool(_mapping(_mapping(event.get("requestContext")).get("authorizer")))


def _mapping(value: object) -> Mapping[object, object]:
    """Return the value if it is a mapping, else an empty one, in which the first required field is missing."""
    return cast("Mapping[object, object]", value) if isinstance(value, Mapping) else {}


class _ContextReader:
    """Typed access to the map; a field of another type raises ValueError."""

    def __init__(self, context: Mapping[object, object]) -> None:
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

    def optional_count(self, name: str) -> int:
        """Return the count; 0 where the field is missing, as in the contexts of an earlier authorizer."""
        text = self.optional_text(name)
        count = 0 if text is None else int(text)
        if count < 0:
            raise ValueError(name)
        return count

    def optional_whole_number(self, name: str) -> int | None:
        text = self.optional_text(name)
        return None if text is None else int(text)

    def texts(self, name: str) -> frozenset[str]:
        value: object = json.loads(self.text(name))
        if not isinstance(value, list):
            raise ValueError(name)  # noqa: TRY004
        items = cast("list[object]", value)
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) < len(items):
            raise ValueError(name)
        return frozenset(texts)


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
    return Caller(
        principal=Principal(fields.text("tenant"), fields.optional_text("user"), fields.texts("tags")),
        kid=fields.text("kid"),
        kind=KeyKind(fields.text("kind")),
        scopes=frozenset(map(Scope, fields.texts("scopes"))),
        collections=_read_collections(fields),
        top_n=int(fields.text("topN")),
        toolset=fields.text("toolset"),
        expand_tokens=int(fields.text("expandTokens")),
        tag_source=_read_tag_source(fields),
        tags_ignored=fields.optional_count("tagsIgnored"),
        dialects=None if fields.optional_text("dialects") is None else fields.texts("dialects"),
        # Absent in the context of an earlier release, during a deployment.
        max_tokens=fields.optional_count("maxTokens") or limits.DEFAULT_ANSWER_TOKENS,
        key_expires_in_days=fields.optional_whole_number("keyExpiresInDays"),
        floor=_read_floor(fields),
        split_first_phrase=fields.optional_text("splitFirstPhrase") is not None,
        sources=fields.optional_text("sources") is not None,
    )


def _read_floor(fields: _ContextReader) -> float | None:
    floor = fields.optional_text("floor")
    return None if floor is None else float(floor)


def _caller_fields(caller: Caller) -> dict[str, str]:
    user = {} if caller.principal.user is None else {"user": caller.principal.user}
    grant = caller.collections
    return {
        **user,
        **_header_overwrites(caller.principal.user, caller.principal.tags),
        "tags": _json_array(caller.principal.tags, ascii_only=False),
        "kind": caller.kind.value,
        "scopes": _json_array(frozenset(scope.value for scope in caller.scopes), ascii_only=True),
        "collections": ALL_COLLECTIONS if grant == ALL_COLLECTIONS else _json_array(grant, ascii_only=False),
        "topN": str(caller.top_n),
        "toolset": caller.toolset,
        "expandTokens": str(caller.expand_tokens),
        **({} if caller.tag_source is None else {"tagSource": caller.tag_source.value}),
        **({"tagsIgnored": str(caller.tags_ignored)} if caller.tags_ignored else {}),
        **({} if caller.max_tokens == limits.DEFAULT_ANSWER_TOKENS else {"maxTokens": str(caller.max_tokens)}),
        **({} if caller.dialects is None else {"dialects": _json_array(caller.dialects, ascii_only=True)}),
        **({} if caller.key_expires_in_days is None else {"keyExpiresInDays": str(caller.key_expires_in_days)}),
        **({} if caller.floor is None else {"floor": repr(caller.floor)}),
        **({"splitFirstPhrase": "true"} if caller.split_first_phrase else {}),
        **({"sources": "true"} if caller.sources else {}),
    }


def _read_collections(fields: _ContextReader) -> CollectionGrant:
    return ALL_COLLECTIONS if fields.text("collections") == ALL_COLLECTIONS else fields.texts("collections")


def _read_tag_source(fields: _ContextReader) -> TagSource | None:
    """Return the tag source; None in the context of an earlier release, which has no such field."""
    source = fields.optional_text("tagSource")
    return None if source is None else TagSource(source)


def _header_overwrites(user: str | None, tags: frozenset[str]) -> dict[str, str]:
    """Return the header values in ASCII; tags that exceed the header's limit in this form are left out."""
    header_tags = _json_array(tags, ascii_only=True)
    return {
        "headerUser": EMPTY_HEADER_VALUE if user is None else json.dumps(user)[1:-1],
        "headerTags": header_tags if len(header_tags) <= limits.MAX_TAGS_HEADER_BYTES else EMPTY_HEADER_VALUE,
    }


def _json_array(texts: frozenset[str], *, ascii_only: bool) -> str:
    return json.dumps(sorted(texts), ensure_ascii=ascii_only, separators=(",", ":"))
