"""Bugs in whom a call speaks for, and what its key may reach."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.selection.access_mask import AccessMaskBuilder
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.auth_decision import AuthDecision, IdentityDenial
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.keys.identity import AssertedIdentity, principal_for, read_identity_headers
from groundwire.entry.http.authorizer_context import decision_from_event
from groundwire.services.keys.request_authorizer import RequestAuthorizer
from tests.support.isolation.leaks.layers import always


def any_tag_may_be_asserted(patch: pytest.MonkeyPatch) -> None:
    """`max_tags` bounds nothing."""
    patch.setattr("groundwire.domain.keys.identity.is_tag_covered", always(answer=True))


def tags_of_entry_and_header_united(patch: pytest.MonkeyPatch) -> None:
    """A session has the tags that it asserts and those that the tenant keeps for its user."""

    def united(key: ApiKey, asserted: AssertedIdentity, user_entry: frozenset[str] | None) -> Principal:
        who = principal_for(key, asserted, user_entry)
        return replace(who, tags=who.tags | (user_entry or frozenset()))

    patch.setattr("groundwire.services.keys.request_authorizer.principal_for", united)


def entry_used_when_all_tags_were_ignored(patch: pytest.MonkeyPatch) -> None:
    """A session has the tags that the tenant keeps for its user where the key covers none of those that were sent."""

    def none_left(key: ApiKey, headers: Mapping[str, str]) -> AssertedIdentity | IdentityDenial:
        asserted = read_identity_headers(key, headers)
        if isinstance(asserted, AssertedIdentity) and asserted.tags_ignored and not asserted.tags:
            return replace(asserted, tags=None)
        return asserted

    patch.setattr("groundwire.services.keys.request_authorizer.read_identity_headers", none_left)


def entry_used_on_an_empty_header(patch: pytest.MonkeyPatch) -> None:
    """A tag header without a value is taken for none, so that the tags of the user's entry count."""

    def without_value(key: ApiKey, headers: Mapping[str, str]) -> AssertedIdentity | IdentityDenial:
        return read_identity_headers(key, {name: value for name, value in headers.items() if value})

    patch.setattr("groundwire.services.keys.request_authorizer.read_identity_headers", without_value)


def personal_keys_may_assert(patch: pytest.MonkeyPatch) -> None:
    """A personal key that names another user speaks for that user."""

    def named(key: ApiKey, asserted: AssertedIdentity, user_entry: frozenset[str] | None) -> Principal:
        who = principal_for(key, asserted, user_entry)
        return replace(who, user=asserted.user or who.user, tags=asserted.tags or who.tags)

    patch.setattr("groundwire.domain.keys.identity._check_identity_allowed", always(answer=None))
    patch.setattr("groundwire.domain.keys.identity.is_tag_covered", always(answer=True))
    patch.setattr("groundwire.services.keys.request_authorizer.principal_for", named)


def user_read_from_the_request(patch: pytest.MonkeyPatch) -> None:
    """The handler takes the user from the client's header, which the gateway no longer overwrites."""

    def by_header(event: Mapping[str, object]) -> AuthDecision:
        decision = decision_from_event(event)
        headers = event.get("headers")
        if decision.caller is None or not isinstance(headers, dict):
            return decision
        principal = replace(decision.caller.principal, user=str(headers.get("x-user-id")))
        return replace(decision, caller=replace(decision.caller, principal=principal))

    def put_context(event: dict[str, object], context: dict[str, object], _overwrites: Mapping[str, str]) -> None:
        within = event["requestContext"]
        assert isinstance(within, dict)
        event["requestContext"] = {**within, "authorizer": {"lambda": context}}

    patch.setattr("groundwire.entry.gateway.dispatch._put_context", put_context)
    patch.setattr("groundwire.domain.keys.identity._check_identity_allowed", always(answer=None))
    patch.setattr("groundwire.entry.mcp.decision_from_event", by_header)


def every_collection_is_allowed(patch: pytest.MonkeyPatch) -> None:
    """The collections of a key bound nothing: neither what a call asks for, nor what the index finds or it is given."""

    def as_requested(_: Caller, requested: CollectionGrant) -> CollectionGrant:
        return requested

    patch.setattr(Caller, "allows_collection", always(answer=True))
    patch.setattr("groundwire.domain.search.request._allowed_collections", as_requested)
    readable = AccessMaskBuilder.readable

    def ungranted(masks: AccessMaskBuilder, who: Principal, _: CollectionGrant, snapshot: Snapshot) -> Bools:
        return readable(masks, who, ALL_COLLECTIONS, snapshot)

    patch.setattr(AccessMaskBuilder, "readable", ungranted)


def decisions_cached(patch: pytest.MonkeyPatch) -> None:
    """Use the authorizer's answer again for the same headers, as API Gateway does by default."""
    authorize = RequestAuthorizer.__call__
    kept: dict[tuple[tuple[str, str], ...], AuthDecision] = {}

    def remembering(service: RequestAuthorizer, headers: Mapping[str, str]) -> AuthDecision:
        key = tuple(sorted((name, value) for name, value in headers.items() if name != "content-length"))
        if key not in kept:
            kept[key] = authorize(service, headers)
        return kept[key]

    patch.setattr(RequestAuthorizer, "__call__", remembering)
