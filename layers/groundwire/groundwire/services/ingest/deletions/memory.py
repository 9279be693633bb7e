"""Memory of deletions beside the tombstones: the tenant's secret of content marks, and deleted collections.

A plain digest of a content would tell everybody with a copy of the registry whether a known file had been deleted. So
the mark is keyed with a secret of the tenant, which is erased with the tenant.
"""

import hmac
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Final

from groundwire.domain.access.decision import Decision
from groundwire.domain.documents.collection import Collection, PolicyAuthority
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict, NotFound, PreconditionFailed
from groundwire.ports import Clock, Definitions
from groundwire.ports.definitions import DefinitionKind, Presence, StoredDefinition

_MARKS_NAME: Final = "key"
_AUTHORITY: Final = "policy_authority"
_NO_ORIGINALS: Final = "no_originals"
_SECRET_BYTES: Final = 32
_MARK_CHARACTERS: Final = 32
_MAX_CACHED: Final = 10_000
_TOO_MANY_COLLECTIONS: Final = (
    "The deletions of too many collections are remembered. Create some of them again, which ends the memory "
    "of their deletion; then delete this one."
)


@dataclass(frozen=True, slots=True)
class DeletedCollection:
    """Deletion of a collection that no run may undo."""

    name: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class LastingSettings:
    """Settings of a collection by which a person limits what its documents give; they last beyond its deletion."""

    policy_authority: PolicyAuthority
    no_originals: bool


@dataclass(frozen=True, slots=True)
class FormerCollection:
    """Memory of a name that a deleted collection had, or may have had.

    Attributes:
        deletion: its deletion; None where there was none, or where it ended.
        settings: those of a person, which last; the defaults where there were none.
    """

    deletion: DeletedCollection | None
    settings: LastingSettings


@dataclass(frozen=True, slots=True)
class CollectionMemory:
    """Result of one read of the memory about the files of a collection.

    Attributes:
        former: memory of the collection's name.
        secret: of the tenant's marks; None where the tenant has no marks at all.
    """

    name: str
    former: FormerCollection
    secret: bytes | None

    def mark(self, content_hash: str) -> str | None:
        """Return the mark that a tombstone of this content has; None without marks, and for an empty digest."""
        return None if self.secret is None or not content_hash else _mark(self.secret, self.name, content_hash)


class DeletionMemory:
    """Memory of one installation.

    Args:
        open_definitions: returns the store; opened late, since most runs of a command delete nothing.
        random: returns so many random bytes.
        clock: epoch seconds.
    """

    def __init__(
        self, open_definitions: Callable[[], Definitions], random: Callable[[int], bytes], clock: Clock
    ) -> None:
        self._open_definitions = open_definitions
        self._random = random
        self._clock = clock
        # A secret never changes, and ids of tenants are never used again.
        self._secrets: dict[str, bytes] = {}
        self._last_read: dict[tuple[str, str], FormerCollection] = {}

    def content_mark(self, tenant: str, document: Document) -> str:
        """Return the mark of the document's content for its tombstone; empty where no content was read."""
        # What never was indexed, such as an empty file, would hold back files that have nothing in common with it.
        if not document.content_hash or document.version == 0:
            return ""
        secret = self._known_secret(tenant) or self._create_secret(tenant)
        return _mark(secret, document.collection, document.content_hash)

    def vanishing_content(self, tenant: str, document: Document) -> str:
        """Return the mark of the content whose file was removed and that a ceiling concerns; else empty."""
        # An attachment follows the ceiling of its mail.
        is_limited = document.ceiling is not None and document.parent is None
        return self.content_mark(tenant, document) if is_limited else ""

    def former_content(self, tenant: str, document: Document, content_hash: str) -> str:
        """Return the mark of the content that a new version replaces and that a ceiling concerned; else empty.

        The content may have moved to another path, which a run or an event reaches later.
        """
        if document.ceiling is None or document.parent is not None:
            return ""
        is_replaced = bool(document.content_hash) and document.content_hash != content_hash
        return self.content_mark(tenant, document) if is_replaced else document.deletion.content_mark

    def read(self, tenant: str, collection: str) -> CollectionMemory:
        """Read what is remembered about the files of a collection, in one request."""
        of_collection = (DefinitionKind.DELETED_COLLECTION, collection)
        of_marks = (DefinitionKind.CONTENT_MARKS, _MARKS_NAME)
        secret = self._secrets.get(tenant)
        found = self._open_definitions().read(tenant, [of_collection, of_marks] if secret is None else [of_collection])
        if of_marks in found:
            secret = self._cache_secret(tenant, found[of_marks])
        former = _former_collection(found[of_collection]) if of_collection in found else _NOT_DELETED
        self._note(tenant, collection, former)
        # Not from the caches, which another thread may have emptied.
        return CollectionMemory(collection, former, secret)

    def last_read(self, tenant: str, collection: str) -> CollectionMemory:
        """Return what this process has read before, without a request: it may lack what was decided since."""
        former = self._last_read.get((tenant, collection), _NOT_DELETED)
        return CollectionMemory(collection, former, self._secrets.get(tenant))

    def collection_exists(self, tenant: str, name: str) -> None:
        """Note that the collection exists now, so that what was last read of its deletion no longer counts."""
        self._note(tenant, name, _NOT_DELETED)

    def collection_deleted(self, tenant: str, collection: Collection, decision: Decision) -> None:
        """Remember the deletion of a collection, and the settings that apply if it returns.

        Raises:
            Conflict: as many deletions are remembered as can be.
        """
        timed = asdict(replace(decision, decided_at=self._clock()))
        lasting = LastingSettings(collection.policy_authority, collection.no_originals)
        body = json.dumps({**timed, **_stored(lasting)}).encode()
        try:
            self._put(tenant, DefinitionKind.DELETED_COLLECTION, collection.name, body, Presence.ANY)
        except Conflict as error:
            raise Conflict(_TOO_MANY_COLLECTIONS) from error

    def deleted_collection(self, tenant: str, name: str) -> DeletedCollection | None:
        """Return the deletion of the collection; None where it was not deleted, or was created again."""
        return self.former_collection(tenant, name).deletion

    def former_collection(self, tenant: str, name: str) -> FormerCollection:
        """Return what is remembered of a deleted collection, also after it was created again."""
        found = self._open_definitions().find(tenant, DefinitionKind.DELETED_COLLECTION, name)
        return _NOT_DELETED if found is None else _former_collection(found)

    def deleted_collections(self, tenant: str) -> list[DeletedCollection]:
        """Return the remembered deletions of collections by name."""
        found = self._open_definitions().list_all(tenant, DefinitionKind.DELETED_COLLECTION)
        return [each for each in (_former_collection(stored).deletion for stored in found) if each is not None]

    def collection_created(self, tenant: str, name: str) -> LastingSettings:
        """End the deletion of a collection that a person creates again; return the settings that it had before."""
        former = self.former_collection(tenant, name)
        if former.deletion is not None and former.settings != _USUAL_SETTINGS:
            # The run that brings its files again may create it later, and the settings last.
            body = json.dumps(_stored(former.settings)).encode()
            self._put(tenant, DefinitionKind.DELETED_COLLECTION, name, body, Presence.ANY)
        elif former.deletion is not None:
            with suppress(NotFound):
                self._open_definitions().delete(tenant, DefinitionKind.DELETED_COLLECTION, name, Presence.ANY)
        return former.settings

    def _note(self, tenant: str, name: str, former: FormerCollection) -> None:
        if len(self._last_read) >= _MAX_CACHED:
            self._last_read.clear()
        self._last_read[tenant, name] = former

    def _known_secret(self, tenant: str) -> bytes | None:
        if (secret := self._secrets.get(tenant)) is not None:
            return secret
        found = self._open_definitions().find(tenant, DefinitionKind.CONTENT_MARKS, _MARKS_NAME)
        return None if found is None else self._cache_secret(tenant, found)

    def _cache_secret(self, tenant: str, stored: StoredDefinition) -> bytes:
        if len(self._secrets) >= _MAX_CACHED:
            self._secrets.clear()
        secret = bytes.fromhex(json.loads(stored.body)["secret"])
        self._secrets[tenant] = secret
        return secret

    def _create_secret(self, tenant: str) -> bytes:
        body = json.dumps({"secret": self._random(_SECRET_BYTES).hex()}).encode()
        # Another process may be first; then its secret counts.
        with suppress(PreconditionFailed):
            self._put(tenant, DefinitionKind.CONTENT_MARKS, _MARKS_NAME, body, Presence.ABSENT)
        return self._known_secret(tenant) or self._create_secret(tenant)

    def _put(self, tenant: str, kind: DefinitionKind, name: str, body: bytes, expected: Presence) -> None:
        now = self._clock()
        definition = StoredDefinition(kind, name, body, self._random(16).hex(), now, now)
        self._open_definitions().put(tenant, definition, expected)


def _mark(secret: bytes, collection: str, content_hash: str) -> str:
    # A name of a collection has no NUL. The mark of one collection says nothing about another.
    text = f"{collection}\0{content_hash}".encode()
    return hmac.digest(secret, text, "sha256").hex()[:_MARK_CHARACTERS]


_USUAL_SETTINGS: Final = LastingSettings(PolicyAuthority.PEOPLE, no_originals=False)
_NOT_DELETED: Final = FormerCollection(None, _USUAL_SETTINGS)


def _stored(settings: LastingSettings) -> dict[str, object]:
    """Return the members of settings that differ from the usual ones, as earlier releases stored them."""
    usual = asdict(_USUAL_SETTINGS)
    return {name: value for name, value in asdict(settings).items() if value != usual[name]}


def _former_collection(stored: StoredDefinition) -> FormerCollection:
    members = json.loads(stored.body)
    authority = PolicyAuthority(members.pop(_AUTHORITY, PolicyAuthority.PEOPLE))
    settings = LastingSettings(authority, members.pop(_NO_ORIGINALS, False))
    deletion = DeletedCollection(stored.name, Decision(**members)) if members else None
    return FormerCollection(deletion, settings)
