"""Renaming of a tag wherever a tenant uses it, so that nobody's rights change meanwhile.

Users, keys and groups get the new tag first, then policies change, and the old tag is taken away last. After a run that
was interrupted, both tags are in use, and a merge completes it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.access.groups import GroupTags
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.access.similar_tags import nearest_tag
from groundwire.domain.access.tags import is_tag_covered, parse_tag
from groundwire.domain.documents.record import TOMBSTONE_STATES
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.retry import RetryPolicy, retry_on
from groundwire.services.documents.tags.directory import TagStores, document_tags, exact_bounds, policy_tags

if TYPE_CHECKING:
    from groundwire.domain.documents.record import Document
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.services.documents.admin import DocumentAdmin
    from groundwire.services.documents.tags.sources import SourceTags
    from groundwire.services.keys.groups import GroupAdmin

Tags = frozenset[str]

_RETRY: Final = RetryPolicy(attempts=5)
_BATCH: Final = 500
"""Records per read of the registry."""


@dataclass(slots=True)
class RenamePlan:
    """Uses that a renaming changes, and what it cannot change.

    Attributes:
        old, new: in the form that is compared.
        documents: living documents, attachments not counted. deleted: deleted documents, which keep their last readers.
        users, keys, groups, sources: those that have the tag.
        bounds: keys whose calls may send the old tag and not the new one, which they get.
        from_files: documents whose readers a policy file names; the next run applies the file again.
        is_new_in_use: the new tag has uses already, so that the holders of both become the same.
    """

    old: str
    new: str
    documents: int = 0
    deleted: int = 0
    users: int = 0
    keys: int = 0
    bounds: int = 0
    groups: int = 0
    sources: int = 0
    from_files: int = 0
    is_new_in_use: bool = False

    @property
    def is_empty(self) -> bool:
        """True if the old tag is not in use."""
        holders = self.users or self.keys or self.bounds or self.groups or self.sources
        return not (self.documents or self.deleted or holders)


class RenameServices(NamedTuple):
    """Services that change what has tags."""

    documents: "Callable[[], DocumentAdmin]"
    groups: "GroupAdmin"
    sources: "SourceTags"


class TagRenaming:
    """Renaming of tags within a tenant."""

    def __init__(self, stores: TagStores, services: RenameServices, clock: Callable[[], float]) -> None:
        self._stores = stores
        self._services = services
        self._clock = clock

    def plan(self, tenant: str, old_tag: str, new_tag: str) -> RenamePlan:
        """Return what a renaming changes.

        Raises:
            InvalidInput: a tag is not valid, or both are the same. NotFound: nobody has the old tag.
        """
        plan = RenamePlan(parse_tag(old_tag), parse_tag(new_tag))
        if plan.old == plan.new:
            raise InvalidInput("The old tag and the new one are the same.")
        known = set(self._plan_holders(tenant, plan))
        for document in self._records(tenant):
            tags = document_tags(document)
            known |= tags
            plan.is_new_in_use |= plan.new in tags
            if plan.old in tags:
                _count(plan, document)
        if plan.is_empty:
            nearest = nearest_tag(plan.old, known)
            meant = "" if nearest is None else f" Did you mean {nearest!r}?"
            raise NotFound(f"No document, user, key or group has the tag {plan.old!r}.{meant}")
        return plan

    def __call__(self, tenant: str, old_tag: str, new_tag: str, *, merges: bool) -> RenamePlan:
        """Rename the tag; return what was changed.

        Raises:
            InvalidInput, NotFound: as of `plan`.
            Conflict: the new tag is in use, and `merges` is False.
        """
        plan = self.plan(tenant, old_tag, new_tag)
        if plan.is_new_in_use and not merges:
            raise Conflict(
                f"The tag {plan.new!r} is in use. Its holders would read what holders of {plan.old!r} read, and the "
                "reverse: choose another tag, or merge the two."
            )
        self._change_holders(tenant, plan, lambda tags: tags | {plan.new} if plan.old in tags else tags)
        self._change_keys(tenant, lambda key: _with_bound(key, plan))
        admin = self._services.documents()
        for document in self._records(tenant):
            if plan.old in document_tags(document):
                admin.rename_tag(tenant, document.doc_id, plan.old, plan.new)
        self._services.sources.rename(tenant, plan.old, plan.new)
        # With the new tag again: somebody may have got the old one since the first step.
        self._change_holders(tenant, plan, lambda tags: tags - {plan.old} | {plan.new} if plan.old in tags else tags)
        self._change_keys(tenant, lambda key: _without_bound(key, plan))
        return plan

    def _plan_holders(self, tenant: str, plan: RenamePlan) -> Tags:
        """Count what has the tags beside documents, and return every tag that is in use there."""
        tag_sets = {
            "users": [tags for _, tags in self._stores.users.all(tenant)],
            "keys": [key.tags for key in self._active_keys(tenant)],
            "groups": [*self._stores.groups.read(tenant).values()],
            "sources": [*self._stores.sources(tenant)],
        }
        for name, tag_lists in tag_sets.items():
            setattr(plan, name, sum(plan.old in tags for tags in tag_lists))
            plan.is_new_in_use |= any(plan.new in tags and plan.old not in tags for tags in tag_lists)
        for key in self._active_keys(tenant):
            plan.bounds += _gets_bound(key, plan) or plan.old in exact_bounds(key.max_tags)
            # A bound that has both is that of an interrupted run.
            bounds = exact_bounds(key.max_tags)
            plan.is_new_in_use |= plan.new in bounds and plan.old not in bounds
        return frozenset[str]().union(*(tags for tag_lists in tag_sets.values() for tags in tag_lists))

    def _change_holders(self, tenant: str, plan: RenamePlan, change: Callable[[Tags], Tags]) -> None:
        for user, _ in self._stores.users.all(tenant):
            retry_on(Conflict, partial(self._change_user, tenant, user, change), _RETRY)
        self._change_keys(tenant, lambda key: (change(key.tags), key.max_tags))

        def change_groups(mapping: GroupTags) -> GroupTags:
            return {group: change(tags) for group, tags in mapping.items()}

        if plan.groups:
            self._services.groups.change(tenant, change_groups)

    def _change_user(self, tenant: str, user: str, change: Callable[[Tags], Tags]) -> None:
        # Read at each attempt: a tag that somebody takes from the user meanwhile must not return.
        tags = self._stores.users.state(tenant, user).tags
        if tags is not None and (changed := change(tags)) != tags:
            self._stores.users.replace(tenant, user, changed, tags)

    def _change_keys(self, tenant: str, change: Callable[["ApiKey"], "tuple[Tags, tuple[str, ...]]"]) -> None:
        for key in self._active_keys(tenant):
            retry_on(Conflict, partial(self._change_key, tenant, key.kid, change), _RETRY)

    def _change_key(self, tenant: str, kid: str, change: Callable[["ApiKey"], "tuple[Tags, tuple[str, ...]]"]) -> None:
        key = self._stores.keys.get(tenant, kid)
        if key is not None and (changed := change(key)) != (key.tags, key.max_tags):
            self._stores.keys.replace_tags(key, *changed)

    def _active_keys(self, tenant: str) -> "list[ApiKey]":
        now = self._clock()
        return [key for key in self._stores.keys.all(tenant) if key.is_active(now)]

    def _records(self, tenant: str) -> "Iterator[Document]":
        """Yield living documents, without attachments, which change with their parents, and all deleted documents.

        One walk over both, so that a document that is deleted or restored meanwhile is not missed.
        """
        after = None
        while batch := self._stores.documents.page_records(tenant, after, _BATCH):
            yield from (each for each in batch if each.parent is None or each.state in TOMBSTONE_STATES)
            after = batch[-1].doc_id
            if len(batch) < _BATCH:
                return


def _count(plan: RenamePlan, document: "Document") -> None:
    if document.state in TOMBSTONE_STATES:
        plan.deleted += 1
        return
    plan.documents += 1
    plan.from_files += document.policy_source is PolicySource.FILE and plan.old in policy_tags(document.policy)


def _with_bound(key: "ApiKey", plan: RenamePlan) -> "tuple[Tags, tuple[str, ...]]":
    return key.tags, (*key.max_tags, plan.new) if _gets_bound(key, plan) else key.max_tags


def _without_bound(key: "ApiKey", plan: RenamePlan) -> "tuple[Tags, tuple[str, ...]]":
    return key.tags, tuple(entry for entry in key.max_tags if entry != plan.old)


def _gets_bound(key: "ApiKey", plan: RenamePlan) -> bool:
    return is_tag_covered(key.max_tags, plan.old) and not is_tag_covered(key.max_tags, plan.new)
