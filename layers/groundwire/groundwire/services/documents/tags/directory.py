"""Directory of a tenant's tags: how often policies, users, keys, groups and MCP sources use each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.access.policy import Policy
from groundwire.domain.limits import MAX_POLICY_TAG_DOCUMENTS, MAX_POLICY_TAGS
from groundwire.ports.registry.documents import living_documents

if TYPE_CHECKING:
    from groundwire.domain.documents.record import Document
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.ports import Documents, Groups, Keys, Users
    from groundwire.services.documents.tags.view import TagView


@dataclass(slots=True)
class TagUse:
    """Uses of one tag.

    Attributes:
        documents: living documents whose readers it decides.
        collections: of these documents.
        users: users with it in their stored tags. keys: keys in force that have it. bounds: keys in force whose
            `max_tags` name it exactly. groups: groups that are mapped to it. sources: MCP sources with it in a policy.
        last_used: time of the last call with a key that has it (epoch seconds); None without one.
    """

    documents: int = 0
    collections: set[str] = field(default_factory=set[str])
    users: int = 0
    keys: int = 0
    bounds: int = 0
    groups: int = 0
    sources: int = 0
    last_used: float | None = None


class TagList(NamedTuple):
    """Tags by name, and whether these are all of them."""

    uses: dict[str, TagUse]
    is_complete: bool


class TagStores(NamedTuple):
    """Stores with tags.

    Attributes:
        sources: returns the tags in the policies of each MCP source of a tenant.
    """

    documents: "Documents"
    users: "Users"
    keys: "Keys"
    groups: "Groups"
    sources: Callable[[str], Sequence[frozenset[str]]]


class TagDirectory:
    """Reader of the tags of a tenant within a view."""

    def __init__(self, stores: TagStores, clock: Callable[[], float]) -> None:
        self._stores = stores
        self._clock = clock

    def __call__(self, view: "TagView") -> TagList:
        """Return the tags in use, by name.

        At most `limits.MAX_POLICY_TAG_DOCUMENTS` records are read, and `limits.MAX_POLICY_TAGS` tags returned.
        """
        uses = dict[str, TagUse]()
        self._count_keys(view, uses)
        if view.sees_tenant:
            self._count_tenant(view.tenant, uses)
        # Last, as the walk over the documents is the only part with a limit.
        is_complete = self._count_documents(view, uses)
        names = sorted(uses)
        # By name, so that a list that was cut is the same at each call.
        listed = {name: uses[name] for name in names[:MAX_POLICY_TAGS]}
        return TagList(listed, is_complete and len(names) <= MAX_POLICY_TAGS)

    def stored_tags(self, view: "TagView") -> set[str]:
        """Return the tags of keys, users, groups and MCP sources within the view, and the caller's own."""
        uses = dict[str, TagUse]()
        self._count_keys(view, uses)
        if view.sees_tenant:
            self._count_tenant(view.tenant, uses)
        return {*uses, *view.own}

    def documents(self, view: "TagView") -> "Iterator[Document | None]":
        """Yield the living documents within the view; None at the end if a limit ended the reading."""
        living = living_documents(self._stores.documents, view.tenant, None)
        for seen, document in enumerate(filter(view.sees_document, living)):
            if seen == MAX_POLICY_TAG_DOCUMENTS:
                yield None
                return
            yield document

    def _count_documents(self, view: "TagView", uses: dict[str, TagUse]) -> bool:
        for document in self.documents(view):
            if document is None:
                return False
            for tag in document_tags(document):
                use = uses.setdefault(tag, TagUse())
                use.documents += 1
                use.collections.add(document.collection)
        return True

    def _count_keys(self, view: "TagView", uses: dict[str, TagUse]) -> None:
        # A key that sees no keys must not learn from counts how many there are.
        if not view.sees_keys:
            return
        now = self._clock()
        for key in filter(view.sees_key, self._stores.keys.all(view.tenant)):
            if not key.is_active(now):
                continue
            for tag in key.tags:
                use = uses.setdefault(tag, TagUse())
                use.keys += 1
                use.last_used = _later(use.last_used, key)
            for entry in exact_bounds(key.max_tags):
                uses.setdefault(entry, TagUse()).bounds += 1

    def _count_tenant(self, tenant: str, uses: dict[str, TagUse]) -> None:
        for _, tags in self._stores.users.all(tenant):
            for tag in tags:
                uses.setdefault(tag, TagUse()).users += 1
        for tags in self._stores.groups.read(tenant).values():
            for tag in tags:
                uses.setdefault(tag, TagUse()).groups += 1
        for tags in self._stores.sources(tenant):
            for tag in tags:
                uses.setdefault(tag, TagUse()).sources += 1


def document_tags(document: "Document") -> frozenset[str]:
    """Return the tags that decide who reads the document."""
    return document.readers.tags


def policy_tags(policy: Policy) -> frozenset[str]:
    """Return the tags of a policy."""
    return policy.any_tags | policy.all_tags


def exact_bounds(max_tags: Iterable[str]) -> list[str]:
    """Return the entries of a key's bound that are tags, not prefixes."""
    return [entry for entry in max_tags if not entry.endswith("*")]


def _later(known: float | None, key: "ApiKey") -> float | None:
    return max((time for time in (known, key.last_used) if time is not None), default=None)
