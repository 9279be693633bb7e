"""Bugs in what is decided: the rule itself, what is remembered of it, and where it is asked."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import pytest

from groundwire import wiring
from groundwire.adapters.local.index.admission import Admission
from groundwire.adapters.local.index.arrays import Bools
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.adapters.local.registry.documents import SqliteDocuments
from groundwire.domain.access import Allow, Decision, Deny, Policy, Principal, Reason, decide
from groundwire.domain.caller import Caller
from groundwire.domain.credentials import ApiKey
from groundwire.domain.documents import Document, DocumentState
from groundwire.domain.filters import Filter
from groundwire.domain.link_grant import LinkGrant
from groundwire.domain.references import document_of
from groundwire.services.open_document import OpenDocument
from groundwire.services.verify import DELETED, AccessAnswer, Verify
from tests.isolation.leaks.layers import always, no_check

_WHERE_DECIDED: Final = (
    "groundwire.adapters.local.index.admission",
    "groundwire.services.open_document",
    "groundwire.services.search.rights",
    "groundwire.services.verify",
)

Rule = Callable[[Principal, Policy], Decision]


def _everywhere(patch: pytest.MonkeyPatch, rule: Rule) -> None:
    for module in _WHERE_DECIDED:
        patch.setattr(f"{module}.decide", rule)


def _allowed(*, when: bool) -> Decision:
    return Allow(Reason.TAGS) if when else Deny(Reason.NO_MATCH)


def empty_policy_is_public(patch: pytest.MonkeyPatch) -> None:
    """No policy: everybody."""
    empty = Policy(public=False, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
    _everywhere(patch, lambda who, policy: _allowed(when=policy == empty or bool(decide(who, policy))))


def empty_any_matches(patch: pytest.MonkeyPatch) -> None:
    """A policy without tags is met by every session, though it names users."""

    def rule(who: Principal, policy: Policy) -> Decision:
        named = policy.public or who.user in policy.users
        any_met = not policy.any_tags or bool(policy.any_tags & who.tags)
        return _allowed(when=named or (bool(policy.users) and any_met and policy.all_tags <= who.tags))

    _everywhere(patch, rule)


def all_as_any(patch: pytest.MonkeyPatch) -> None:
    """One of `all_tags` is enough."""

    def rule(who: Principal, policy: Policy) -> Decision:
        held = policy.all_tags & who.tags
        return decide(who, replace(policy, all_tags=held or policy.all_tags))

    _everywhere(patch, rule)


def decisions_kept_by_user(patch: pytest.MonkeyPatch) -> None:
    """The index remembers what a user may read, whatever tags the session has."""
    mask = Admission.mask
    kept: dict[tuple[str, str | None, tuple[str, ...], int], Bools] = {}

    def forgetful(
        admission: Admission, principal: Principal, collections: Sequence[str], where: Filter | None, now: Snapshot
    ) -> Bools:
        key = (principal.tenant, principal.user, tuple(collections), now.sequence)
        if key not in kept:
            kept[key] = mask(admission, principal, collections, where, now)
        return kept[key]

    patch.setattr(Admission, "mask", forgetful)
    no_check(patch)


def links_are_rights(patch: pytest.MonkeyPatch) -> None:
    """Whoever was given a link may open it."""
    patch.setattr("groundwire.services.open_document.decide", always(answer=Allow(Reason.PUBLIC)))


def links_outlive_their_key(patch: pytest.MonkeyPatch) -> None:
    """A link of a revoked key opens until it expires."""
    patch.setattr(ApiKey, "in_force", always(answer=True))


def links_keep_the_tags_of_the_entry(patch: pytest.MonkeyPatch) -> None:
    """A link opens by the tags that the user's entry had when it was made."""
    principal = OpenDocument._principal

    def sealed(service: OpenDocument, grant: LinkGrant, collection: str) -> Principal | None:
        return None if principal(service, grant, collection) is None else grant.principal

    patch.setattr(OpenDocument, "_principal", sealed)


def links_reach_every_collection(patch: pytest.MonkeyPatch) -> None:
    """A link opens a document that moved to a collection beyond its key."""
    patch.setattr(ApiKey, "reaches", always(answer=True))


def verify_by_the_first_policy(patch: pytest.MonkeyPatch) -> None:
    """A citation is judged by the policy that its document came with."""
    first: dict[tuple[str, str], Policy] = {}
    verify = Verify.__call__
    write = SqliteDocuments.write

    def remember(documents: SqliteDocuments, tenant: str, document: Document, expected: Document | None) -> None:
        first.setdefault((tenant, document.doc_id), document.policy)
        write(documents, tenant, document, expected)

    def judge(service: Verify, caller: Caller, segment_uid: str) -> AccessAnswer:
        def by_the_first(principal: Principal, policy: Policy) -> Decision:
            key = (principal.tenant, document_of(segment_uid) or "")
            return decide(principal, first.get(key, policy))

        with pytest.MonkeyPatch.context() as within:
            within.setattr("groundwire.services.verify.decide", by_the_first)
            return verify(service, caller, segment_uid)

    patch.setattr(SqliteDocuments, "write", remember)
    patch.setattr(Verify, "__call__", judge)


def deletion_told_to_strangers(patch: pytest.MonkeyPatch) -> None:
    """A citation of a deleted document is said to be one, whoever asks."""
    verify = Verify.__call__

    def telling(service: Verify, caller: Caller, segment_uid: str) -> AccessAnswer:
        doc_id = document_of(segment_uid) or ""
        record = wiring.current().documents.read(caller.principal.tenant, [doc_id]).get(doc_id)
        if record is not None and record.state is DocumentState.DELETED:
            return AccessAnswer(has_access=False, url=None, error=DELETED, document=None)
        return verify(service, caller, segment_uid)

    patch.setattr(Verify, "__call__", telling)
