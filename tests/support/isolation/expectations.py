"""What a caller must get, by the design's prose alone: whom a call speaks for, and what it may see."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from groundwire.domain.access.policy import Policy
from groundwire.services.keys.admin import KeyWithSecret
from tests.support.documents.plain_text_parser import PICTURE
from tests.support.isolation import oracle

SentTags = frozenset[str] | str
"""A tag header: a JSON array of tags, or a header without a value."""


@dataclass(frozen=True, slots=True)
class Who:
    """The person a call speaks for."""

    tenant: str
    user: str | None
    tags: frozenset[str]


@dataclass(slots=True)
class Holder:
    """Somebody with a key, and what was agreed when it was made.

    Attributes:
        own: the person of a personal key; None for a key that speaks for others.
        max_tags: what such a key may assert: exact tags, or "*".
        strict: whether it refuses what it may not assert, instead of ignoring it.
        collections: those that the key was made for.
        ended: whether it is revoked, expired, or has another secret by now.
        sees_all: whether its answers have room for all that there is.
        others: keys of the same rights with other toolsets.
    """

    tenant: str
    key: KeyWithSecret = field(repr=False)
    own: Who | None
    max_tags: tuple[str, ...]
    collections: frozenset[str]
    ended: bool = False
    sees_all: bool = True
    strict: bool = False
    others: dict[str, KeyWithSecret] = field(default_factory=dict[str, KeyWithSecret], repr=False)

    @property
    def keys(self) -> list[KeyWithSecret]:
        """All keys."""
        return [self.key, *self.others.values()]

    def speaks_for(
        self, user: str | None, tags: SentTags | None, entries: Mapping[str, frozenset[str]]
    ) -> Who | HTTPStatus:
        """Whom a call with these headers is for, or the status with which it is refused."""
        if self.ended:
            return HTTPStatus.UNAUTHORIZED
        if self.own is not None:
            return self.own if user is None and tags is None else HTTPStatus.FORBIDDEN
        sent = None if tags is None else frozenset[str](tags)
        if self.strict and any(not self._may_assert(tag) for tag in sent or ()):
            return HTTPStatus.FORBIDDEN
        counted = entries.get(user or "", frozenset[str]()) if sent is None else sent
        return Who(self.tenant, user or None, frozenset(tag for tag in counted if self._may_assert(tag)))

    def _may_assert(self, tag: str) -> bool:
        return "*" in self.max_tags or tag in self.max_tags


@dataclass(slots=True)
class Held:
    """A document as its owner left it.

    Attributes:
        passages: each with a word that stands nowhere else.
        uids: of every passage of every version.
    """

    tenant: str
    doc_id: str
    collection: str
    path: str
    policy: Policy
    passages: tuple[str, ...]
    deleted: bool = False
    uids: list[str] = field(default_factory=list[str])

    @property
    def pictured(self) -> str:
        """Its passages, and a picture that the last one describes."""
        return "\n\n".join((*self.passages, *(f"{PICTURE}{passage}" for passage in self.passages[-1:])))

    @property
    def text(self) -> str:
        """The file."""
        return self.pictured

    def admits(self, who: Who) -> bool:
        """Whether its policy, the last one if it is deleted, admits the person."""
        return who.tenant == self.tenant and oracle.may_read(who.user, who.tags, self.policy)


def visible(documents: Iterable[Held], who: Who, collections: Collection[str]) -> list[Held]:
    """The documents that a search for the person must find when it asks for everything."""
    return [held for held in documents if not held.deleted and held.collection in collections and held.admits(who)]
