"""Stores of one home folder; each adapter is imported on first use."""

from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy, ResourceStack

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from groundwire.adapters.codecs.aead import AesGcmSeal
    from groundwire.adapters.local.audit import FileAudit
    from groundwire.adapters.local.blobs import FileBlobs
    from groundwire.adapters.local.index import EmbeddedIndexes
    from groundwire.adapters.local.ingest.lock import FileIngestLock
    from groundwire.adapters.local.registry.administered.collections import SqliteCollections
    from groundwire.adapters.local.registry.administered.definitions import SqliteDefinitions
    from groundwire.adapters.local.registry.administered.groups import SqliteGroups
    from groundwire.adapters.local.registry.administered.users import SqliteUsers
    from groundwire.adapters.local.registry.database import Database
    from groundwire.adapters.local.registry.documents import SqliteDocuments
    from groundwire.adapters.local.registry.keys import SqliteKeys
    from groundwire.adapters.local.registry.sessions.link_grants import SqliteLinkGrants
    from groundwire.adapters.local.registry.sessions.provider_sessions import SqliteProviderSessions
    from groundwire.adapters.local.registry.sessions.store import SqliteSessions
    from groundwire.adapters.local.registry.tenants import SqliteTenants
    from groundwire.adapters.local.registry.uploads import SqliteUploads
    from groundwire.adapters.local.secret_file import LocalSecrets
    from groundwire.adapters.local.uploads import FileUploadInbox, LocalUploadForms
    from groundwire.ports import ModelId, WakeableIndexes
    from groundwire.ports.indexes import IndexKind
    from groundwire.settings.environment import Settings
    from groundwire.wiring.local.models import LocalModels


class LocalStores:
    """Stores of one home folder."""

    def __init__(self, settings: "Settings", models: "LocalModels", resources: ResourceStack) -> None:
        self._settings = settings
        self._models = models
        self._resources = resources
        self._tenants_folder = settings.home / "tenants"

    @property
    def has_home(self) -> bool:
        """Return whether the home folder has a registry.

        Raises:
            Unavailable: the folder is not usable.
        """
        from groundwire.adapters.local.filesystem import os_errors

        with os_errors.translate_os_errors(self._settings.home):
            try:
                (self._settings.home / "registry.db").stat()
            except FileNotFoundError:
                return False
        return True

    @Lazy
    def database(self) -> "Database":
        """The registry's SQLite database."""
        from groundwire.adapters.local.registry.database import Database

        return self._resources.register(Database(self._settings.home))

    @Lazy
    def keys(self) -> "SqliteKeys":
        """API keys and their rate limits."""
        from groundwire.adapters.local.registry.keys import SqliteKeys

        return SqliteKeys(self.database)

    @Lazy
    def tenants(self) -> "SqliteTenants":
        """The operator's tenants."""
        from groundwire.adapters.local.registry.tenants import SqliteTenants

        return SqliteTenants(self.database)

    @Lazy
    def users(self) -> "SqliteUsers":
        """Tags that tenants store for users, and blocks of users."""
        from groundwire.adapters.local.registry.administered.users import SqliteUsers

        return SqliteUsers(self.database)

    @Lazy
    def groups(self) -> "SqliteGroups":
        """Tags that tenants give groups of their identity provider."""
        from groundwire.adapters.local.registry.administered.groups import SqliteGroups

        return SqliteGroups(self.database)

    @Lazy
    def sessions(self) -> "SqliteSessions":
        """Sessions of clients of the handshake revisions."""
        from groundwire.adapters.local.registry.sessions.store import SqliteSessions

        return SqliteSessions(self.database)

    @Lazy
    def collections(self) -> "SqliteCollections":
        """Collections and their settings."""
        from groundwire.adapters.local.registry.administered.collections import SqliteCollections

        return SqliteCollections(self.database)

    @property
    def collections_for_search(self) -> "SqliteCollections":
        """Names and weights of collections; a search reads them from the database at hand."""
        return self.collections

    @Lazy
    def documents(self) -> "SqliteDocuments":
        """The document registry."""
        from groundwire.adapters.local.registry.documents import SqliteDocuments

        return SqliteDocuments(self.database)

    @Lazy
    def uploads(self) -> "SqliteUploads":
        """Upload tickets."""
        from groundwire.adapters.local.registry.uploads import SqliteUploads

        return SqliteUploads(self.database)

    @Lazy
    def definitions(self) -> "SqliteDefinitions":
        """Definitions that administrators make through dialects."""
        from groundwire.adapters.local.registry.administered.definitions import SqliteDefinitions

        return SqliteDefinitions(self.database)

    @Lazy
    def upload_forms(self) -> "LocalUploadForms":
        """Forms that this server receives itself."""
        from groundwire.adapters.local.uploads import LocalUploadForms

        return LocalUploadForms(self.seal, self._settings.public_url)

    @Lazy
    def uploaded_files(self) -> "FileUploadInbox":
        """Uploaded files that wait for their ingestion, by ticket."""
        from groundwire.adapters.local.uploads import FileUploadInbox

        return FileUploadInbox(self._tenants_folder)

    @Lazy
    def blobs(self) -> "FileBlobs":
        """Stored originals."""
        from groundwire.adapters.local.blobs import FileBlobs

        return FileBlobs(self._tenants_folder)

    @Lazy
    def ingest_lock(self) -> "FileIngestLock":
        """The lock that allows one ingestion at a time per tenant."""
        from groundwire.adapters.local.ingest.lock import FileIngestLock

        return FileIngestLock(self._tenants_folder)

    @Lazy
    def audit(self) -> "FileAudit":
        """The audit log."""
        from groundwire.adapters.local.audit import FileAudit

        return FileAudit(self._settings.home)

    @Lazy
    def secrets(self) -> "LocalSecrets":
        """Pepper and sealing key."""
        from groundwire.adapters.local.secret_file import LocalSecrets

        # New secrets are made only while no key depends on lost ones.
        return LocalSecrets(self._settings.home, self.keys.any_unrevoked)

    @Lazy
    def seal(self) -> "AesGcmSeal":
        """Sealing of payloads that clients store and return."""
        from groundwire.adapters.codecs.aead import AesGcmSeal

        return AesGcmSeal(self.secrets.sealing_key)

    @Lazy
    def link_grants(self) -> "SqliteLinkGrants":
        """Grants of short links."""
        from groundwire.adapters.local.registry.sessions.link_grants import SqliteLinkGrants

        return SqliteLinkGrants(self.database)

    @Lazy
    def provider_sessions(self) -> "SqliteProviderSessions":
        """Sign-ins to the page by the identity provider."""
        from groundwire.adapters.local.registry.sessions.provider_sessions import SqliteProviderSessions

        return SqliteProviderSessions(self.database)

    @Lazy
    def indexes(self) -> "WakeableIndexes":
        """The index of each tenant: embedded, or in the configured engine."""
        from groundwire.ports.indexes import IndexKind

        return self._engine_indexes(IndexKind.PASSAGES, lambda: self._models.model) or self._embedded_passages

    def embedded_indexes(self, kind: "IndexKind") -> "EmbeddedIndexes":
        """Return the embedded index of this kind of each tenant."""
        from groundwire.ports.indexes import IndexKind

        return self._embedded_images if kind is IndexKind.IMAGES else self._embedded_passages

    @Lazy
    def image_indexes(self) -> "WakeableIndexes":
        """The index of the images of each tenant's documents, in the same engine as that of the passages."""
        from groundwire.ports.indexes import IndexKind

        engine = self._engine_indexes(IndexKind.IMAGES, lambda: self._models.image_index_model)
        return engine or self._embedded_images

    @property
    def header_checks(self) -> None:
        """Counts of compared identity headers: None, as this process itself is the gateway that writes them."""
        return

    @Lazy
    def _embedded_passages(self) -> "EmbeddedIndexes":
        return self._open_embedded(self._tenants_folder, self._models.model)

    @Lazy
    def _embedded_images(self) -> "EmbeddedIndexes":
        # The image model is loaded for a new index alone: what is stored can be found and deleted without it.
        return self._open_embedded(self._settings.home / "images", lambda: self._models.image_index_model)

    def _open_embedded(self, folder: "Path", model: "ModelId | Callable[[], ModelId]") -> "EmbeddedIndexes":
        from groundwire.adapters.local.index import EmbeddedIndexes

        return self._resources.register(EmbeddedIndexes(folder, model))

    def _engine_indexes(self, kind: "IndexKind", model: "Callable[[], ModelId]") -> "WakeableIndexes | None":
        """Return the indexes in the configured engine; None if the settings name no engine."""
        if self._settings.index_service is None:
            return None
        from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
        from groundwire.wiring.external_backends import build_indexes

        generations = SqliteIndexGenerations(self.database, kind)
        return self._resources.register(
            build_indexes(self._settings.index_service, kind, generations, model, secret=None)
        )
