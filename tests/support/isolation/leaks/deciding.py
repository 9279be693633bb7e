"""Bugs in decisions: in the access rule itself, in cached decisions, and in the places that apply the rule."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from groundwire import wiring
from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.selection.access_mask import AccessMaskBuilder
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.registry.documents import SqliteDocuments
from groundwire.domain.access.policy import (
    AccessDecision,
    AccessReason,
    Allow,
    Deny,
    Policy,
    Principal,
    Readers,
    decide,
    single_policy,
)
from groundwire.domain.documents.ids import doc_id_from_uid
from groundwire.domain.documents.links import LinkGrant
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import CollectionGrant
from groundwire.services.documents.links.citation_verifier import DELETED, CitationAccess, CitationVerifier
from groundwire.services.documents.links.link_opener import LinkOpener
from tests.support.isolation.leaks.layers import always, no_check

_WHERE_DECIDED: Final = (
    "groundwire.adapters.local.index.selection.access_mask",
    "groundwire.services.documents.links.link_opener",
    "groundwire.services.search.candidates.access_check",
    "groundwire.services.documents.links.citation_verifier",
)

Rule = Callable[[Principal, Policy], AccessDecision]


def _everywhere(patch: pytest.MonkeyPatch, rule: Rule) -> None:
    def of_both(who: Principal, readers: Readers) -> AccessDecision:
        decision = rule(who, readers.declared)
        return decision if readers.ceiling is None or not decision else rule(who, readers.ceiling)

    for module in _WHERE_DECIDED:
        patch.setattr(f"{module}.decide", of_both)


def _allowed(*, when: bool) -> AccessDecision:
    return Allow(AccessReason.TAGS) if when else Deny(AccessReason.NO_MATCH)


def empty_policy_is_public(patch: pytest.MonkeyPatch) -> None:
    """No policy: everybody."""
    empty = Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
    _everywhere(patch, lambda who, policy: _allowed(when=policy == empty or bool(decide(who, single_policy(policy)))))


def empty_any_matches(patch: pytest.MonkeyPatch) -> None:
    """A policy without tags is met by every session, though it names users."""

    def rule(who: Principal, policy: Policy) -> AccessDecision:
        named = policy.public or who.user in policy.users
        any_met = not policy.any_tags or bool(policy.any_tags & who.tags)
        return _allowed(when=named or (bool(policy.users) and any_met and policy.all_tags <= who.tags))

    _everywhere(patch, rule)


def all_as_any(patch: pytest.MonkeyPatch) -> None:
    """One of `all_tags` is enough."""

    def rule(who: Principal, policy: Policy) -> AccessDecision:
        held = policy.all_tags & who.tags
        return decide(who, single_policy(replace(policy, all_tags=held or policy.all_tags)))

    _everywhere(patch, rule)


def decisions_kept_by_user(patch: pytest.MonkeyPatch) -> None:
    """The index remembers what a user may read, whatever tags the session has."""
    mask = AccessMaskBuilder.readable
    kept: dict[tuple[str, str | None, CollectionGrant, int], Bools] = {}

    def forgetful(admission: AccessMaskBuilder, principal: Principal, granted: CollectionGrant, now: Snapshot) -> Bools:
        key = (principal.tenant, principal.user, granted, now.sequence)
        if key not in kept:
            kept[key] = mask(admission, principal, granted, now)
        return kept[key]

    patch.setattr(AccessMaskBuilder, "readable", forgetful)
    no_check(patch)


def links_are_rights(patch: pytest.MonkeyPatch) -> None:
    """Whoever was given a link may open it."""
    patch.setattr("groundwire.services.documents.links.link_opener.decide", always(answer=Allow(AccessReason.PUBLIC)))


def links_outlive_their_key(patch: pytest.MonkeyPatch) -> None:
    """A link of a revoked key opens until it expires."""
    patch.setattr(ApiKey, "is_active", always(answer=True))


def links_keep_the_tags_of_the_entry(patch: pytest.MonkeyPatch) -> None:
    """A link opens by the tags that the user's entry had when it was made."""
    principal = LinkOpener._principal

    def sealed(service: LinkOpener, grant: LinkGrant, key: ApiKey | None, collection: str) -> Principal | None:
        return None if principal(service, grant, key, collection) is None else grant.principal

    patch.setattr(LinkOpener, "_principal", sealed)


def links_keep_the_tags_of_their_call(patch: pytest.MonkeyPatch) -> None:
    """A link opens by tags that its key may no longer assert."""
    patch.setattr("groundwire.services.documents.links.link_opener.is_tag_covered", always(answer=True))


def links_open_every_collection(patch: pytest.MonkeyPatch) -> None:
    """A link opens a document that moved to a collection beyond its key."""
    patch.setattr(ApiKey, "allows_collection", always(answer=True))


def verify_by_the_first_policy(patch: pytest.MonkeyPatch) -> None:
    """A citation is judged by the policy that its document came with."""
    first: dict[tuple[str, str], Readers] = {}
    verify = CitationVerifier.__call__
    write = SqliteDocuments.write

    def remember(documents: SqliteDocuments, tenant: str, document: Document, expected: Document | None) -> None:
        first.setdefault((tenant, document.doc_id), document.readers)
        write(documents, tenant, document, expected)

    def judge(service: CitationVerifier, caller: Caller, segment_uid: str) -> CitationAccess:
        def by_the_first(principal: Principal, readers: Readers) -> AccessDecision:
            key = (principal.tenant, doc_id_from_uid(segment_uid) or "")
            return decide(principal, first.get(key, readers))

        with pytest.MonkeyPatch.context() as within:
            within.setattr("groundwire.services.documents.links.citation_verifier.decide", by_the_first)
            return verify(service, caller, segment_uid)

    patch.setattr(SqliteDocuments, "write", remember)
    patch.setattr(CitationVerifier, "__call__", judge)


def deletion_shown_to_strangers(patch: pytest.MonkeyPatch) -> None:
    """Report the deletion of a cited document to every caller."""
    verify = CitationVerifier.__call__

    def telling(service: CitationVerifier, caller: Caller, segment_uid: str) -> CitationAccess:
        doc_id = doc_id_from_uid(segment_uid) or ""
        record = wiring.local_services().stores.documents.read(caller.principal.tenant, [doc_id]).get(doc_id)
        if record is not None and record.state is DocumentState.DELETED:
            return CitationAccess(has_access=False, url=None, error=DELETED, document=None)
        return verify(service, caller, segment_uid)

    patch.setattr(CitationVerifier, "__call__", telling)
