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
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict, NotFound, PreconditionFailed
from groundwire.ports import Clock, Definitions
from groundwire.ports.definitions import DefinitionKind, Presence, StoredDefinition

_MARKS_NAME: Final = "key"
_SECRET_BYTES: Final = 32
_MARK_CHARACTERS: Final = 32
_MAX_CACHED_SECRETS: Final = 10_000
_TOO_MANY_COLLECTIONS: Final = (
    "The deletions of too many collections are remembered. Create some of them again, which ends the memory "
    "of their deletion; then delete this one."
)


@dataclass(frozen=True, slots=True)
class DeletedCollection:
    """Deletion of a collection that no run may undo."""

    name: str
    decision: Decision


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
        self._last_read: dict[tuple[str, str], DeletedCollection | None] = {}

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

    def find_mark(self, tenant: str, collection: str, content_hash: str) -> str | None:
        """Return the mark that a tombstone of this content would have; None where the tenant has no marks at all."""
        secret = self._known_secret(tenant)
        return None if secret is None else _mark(secret, collection, content_hash)

    def known_mark(self, tenant: str, collection: str, content_hash: str) -> str | None:
        """Return the mark as `find_mark` does, without a request: None where this process has not read the secret."""
        secret = self._secrets.get(tenant)
        return None if secret is None else _mark(secret, collection, content_hash)

    def collection_deleted(self, tenant: str, name: str, decision: Decision) -> None:
        """Remember the deletion of a collection.

        Raises:
            Conflict: as many deletions are remembered as can be.
        """
        body = json.dumps(asdict(replace(decision, decided_at=self._clock()))).encode()
        try:
            self._put(tenant, DefinitionKind.DELETED_COLLECTION, name, body, Presence.ANY)
        except Conflict as error:
            raise Conflict(_TOO_MANY_COLLECTIONS) from error

    def deleted_collection(self, tenant: str, name: str) -> DeletedCollection | None:
        """Return the deletion of the collection; None where it was not deleted, or was created again."""
        found = self._open_definitions().find(tenant, DefinitionKind.DELETED_COLLECTION, name)
        return self._note(tenant, name, None if found is None else _deleted_collection(found))

    def last_read_deletion(self, tenant: str, name: str) -> DeletedCollection | None:
        """Return what was last read of the collection's deletion, without a request; it may have changed since."""
        return self._last_read.get((tenant, name))

    def collection_seen(self, tenant: str, name: str) -> None:
        """Note that the collection exists now, so that what was last read of its deletion no longer counts."""
        self._note(tenant, name, None)

    def _note(self, tenant: str, name: str, found: DeletedCollection | None) -> DeletedCollection | None:
        if len(self._last_read) >= _MAX_CACHED_SECRETS:
            self._last_read.clear()
        self._last_read[tenant, name] = found
        return found

    def deleted_collections(self, tenant: str) -> list[DeletedCollection]:
        """Return the remembered deletions of collections by name."""
        found = self._open_definitions().list_all(tenant, DefinitionKind.DELETED_COLLECTION)
        return [_deleted_collection(each) for each in found]

    def collection_created(self, tenant: str, name: str) -> None:
        """End the deletion of a collection that a person creates again."""
        try:
            self._open_definitions().delete(tenant, DefinitionKind.DELETED_COLLECTION, name, Presence.ANY)
        except NotFound:
            return

    def _known_secret(self, tenant: str) -> bytes | None:
        if tenant not in self._secrets:
            found = self._open_definitions().find(tenant, DefinitionKind.CONTENT_MARKS, _MARKS_NAME)
            if found is None:
                return None
            if len(self._secrets) >= _MAX_CACHED_SECRETS:
                self._secrets.clear()
            self._secrets[tenant] = bytes.fromhex(json.loads(found.body)["secret"])
        return self._secrets[tenant]

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


def _deleted_collection(stored: StoredDefinition) -> DeletedCollection:
    return DeletedCollection(stored.name, Decision(**json.loads(stored.body)))
