"""Ports on one machine: every adapter is imported where it is first used."""

from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.settings.environment import Settings
from groundwire.wiring.ports import Ports

if TYPE_CHECKING:
    from groundwire.adapters.aead import AesGcmSeal
    from groundwire.adapters.aws.opensearch import OpenSearchIndexes
    from groundwire.adapters.local.audit import FileAudit
    from groundwire.adapters.local.blobs import FileBlobs
    from groundwire.adapters.local.index import EmbeddedIndexes
    from groundwire.adapters.local.ingest.lock import FileIngestLock
    from groundwire.adapters.local.registry.collections import SqliteCollections
    from groundwire.adapters.local.registry.database import Database
    from groundwire.adapters.local.registry.documents import SqliteDocuments
    from groundwire.adapters.local.registry.keys.store import SqliteKeys
    from groundwire.adapters.local.registry.sessions import SqliteSessions
    from groundwire.adapters.local.registry.tenants import SqliteTenants
    from groundwire.adapters.local.registry.uploads import SqliteUploads
    from groundwire.adapters.local.registry.users import SqliteUsers
    from groundwire.adapters.local.secret_file import LocalSecrets
    from groundwire.adapters.local.uploads import FileUploadInbox, LocalUploadForms
    from groundwire.adapters.onnx.embedders import OnnxEmbedders
    from groundwire.adapters.onnx.models.store import ModelStore
    from groundwire.domain.keys.key_text import Environment
    from groundwire.ports import Embedder, Embedders, Enricher, ModelId, Parser, Reranker


class LocalPorts(Ports):
    """The adapters of one home folder."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._tenants_folder = settings.home / "tenants"

    @property
    def has_home(self) -> bool:
        """Return True when a command has made the home folder's registry; Raises Unavailable for no usable folder."""
        from groundwire.adapters.local.filesystem import os_errors

        with os_errors.translate_os_errors(self.settings.home):
            try:
                (self.settings.home / "registry.db").stat()
            except FileNotFoundError:
                return False
        return True

    @cached_property
    def database(self) -> "Database":
        """The registry's file."""
        from groundwire.adapters.local.registry.database import Database

        return Database(self.settings.home)

    @cached_property
    def keys(self) -> "SqliteKeys":
        """API keys and their rates."""
        from groundwire.adapters.local.registry.keys.store import SqliteKeys

        return SqliteKeys(self.database)

    @property
    def environment(self) -> "Environment":
        """The word in keys that are made here."""
        return "local"

    @cached_property
    def tenants(self) -> "SqliteTenants":
        """The operator's tenants."""
        from groundwire.adapters.local.registry.tenants import SqliteTenants

        return SqliteTenants(self.database)

    @cached_property
    def users(self) -> "SqliteUsers":
        """Tags that tenants keep for users."""
        from groundwire.adapters.local.registry.users import SqliteUsers

        return SqliteUsers(self.database)

    @cached_property
    def sessions(self) -> "SqliteSessions":
        """Sessions of clients that open with a handshake."""
        from groundwire.adapters.local.registry.sessions import SqliteSessions

        return SqliteSessions(self.database)

    @cached_property
    def collections(self) -> "SqliteCollections":
        """Collections and their weights."""
        from groundwire.adapters.local.registry.collections import SqliteCollections

        return SqliteCollections(self.database)

    @cached_property
    def documents(self) -> "SqliteDocuments":
        """The document registry."""
        from groundwire.adapters.local.registry.documents import SqliteDocuments

        return SqliteDocuments(self.database)

    @cached_property
    def uploads(self) -> "SqliteUploads":
        """Tickets by which files may be brought in."""
        from groundwire.adapters.local.registry.uploads import SqliteUploads

        return SqliteUploads(self.database)

    @cached_property
    def upload_forms(self) -> "LocalUploadForms":
        """Forms that this server takes itself."""
        from groundwire.adapters.local.uploads import LocalUploadForms

        return LocalUploadForms(self.seal, self.settings.public_url)

    @cached_property
    def inbox(self) -> "FileUploadInbox":
        """Uploaded files that have not been read yet."""
        from groundwire.adapters.local.uploads import FileUploadInbox

        return FileUploadInbox(self._tenants_folder)

    @cached_property
    def uploaded_files(self) -> "FileUploadInbox":
        """The same files, by ticket."""
        return self.inbox

    @cached_property
    def blobs(self) -> "FileBlobs":
        """Stored originals."""
        from groundwire.adapters.local.blobs import FileBlobs

        return FileBlobs(self._tenants_folder)

    @cached_property
    def ingest_lock(self) -> "FileIngestLock":
        """One ingestion at a time per tenant."""
        from groundwire.adapters.local.ingest.lock import FileIngestLock

        return FileIngestLock(self._tenants_folder)

    @cached_property
    def audit(self) -> "FileAudit":
        """The chained record of calls."""
        from groundwire.adapters.local.audit import FileAudit

        return FileAudit(self.settings.home)

    @cached_property
    def secrets(self) -> "LocalSecrets":
        """Pepper and sealing key."""
        from groundwire.adapters.local.secret_file import LocalSecrets

        return LocalSecrets(self.settings.home, self.keys.any_unrevoked)

    def check_secrets(self) -> str:
        """Return the state of the secrets in one sentence; Raises Unavailable when keys lost theirs."""
        from groundwire.adapters.local.secret_file import check_secrets

        return check_secrets(self.settings.home, self.keys.any_unrevoked)

    @cached_property
    def seal(self) -> "AesGcmSeal":
        """Sealed payloads of links."""
        from groundwire.adapters.aead import AesGcmSeal

        return AesGcmSeal(self.secrets.sealing_key)

    @cached_property
    def embedders(self) -> "Embedders":
        """The service that the settings name, before the models of this machine."""
        if self.settings.embedding_service is None:
            return self.local_models
        from groundwire.adapters.aws.single_model import SingleModelEmbedders
        from groundwire.wiring.external_backends import build_embedder

        return SingleModelEmbedders(build_embedder(self.settings.embedding_service), self.local_models)

    @cached_property
    def local_models(self) -> "OnnxEmbedders":
        """The models of this machine, each verified and loaded when it is first needed."""
        from groundwire.adapters.onnx.embedders import OnnxEmbedders

        return OnnxEmbedders(self.settings.model, self.model_store, self.settings.threads)

    @cached_property
    def model_store(self) -> "ModelStore":
        """The installed models."""
        from groundwire.adapters.onnx.models.store import ModelStore

        return ModelStore(self.settings.models)

    @cached_property
    def reranker(self) -> "Reranker | None":
        """The configured reranker, verified and loaded; None where none is; Raises NotFound, Invalid, Unavailable."""
        if self.settings.reranker is None:
            return None
        from groundwire.wiring.external_backends import build_reranker

        by_service = build_reranker(self.settings.reranker)
        if by_service is not None:
            return by_service
        from groundwire.adapters.onnx.inference.reranker import load_reranker

        model = self.model_store.find(self.settings.reranker, "reranker")
        return load_reranker(self.model_store.folder_of(model), self.settings.threads)

    @property
    def embedder(self) -> "Embedder":
        """The model that new tenants begin with, ready for texts."""
        return self.embedders.default

    @cached_property
    def model(self) -> "ModelId":
        """Which model that is, without loading it."""
        from groundwire.adapters.onnx.embedders import model_id_in

        if self.settings.embedding_service is not None:
            return self.embedder.model
        return model_id_in(self.settings.model)

    @cached_property
    def indexes(self) -> "EmbeddedIndexes | OpenSearchIndexes":
        """The index of each tenant: the embedded one, or on the OpenSearch that the settings name."""
        if self.settings.index_service is None:
            return self.embedded_indexes
        from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
        from groundwire.wiring.external_backends import build_indexes

        return build_indexes(
            self.settings.index_service, SqliteIndexGenerations(self.database), lambda: self.model, secret=None
        )

    def wake_index(self) -> None:
        """The OpenSearch that the settings name, if any, answers; Raises Unavailable."""
        if (wake := getattr(self.indexes, "wake", None)) is not None:
            wake()

    @cached_property
    def embedded_indexes(self) -> "EmbeddedIndexes":
        """The embedded index of each tenant."""
        from groundwire.adapters.local.index import EmbeddedIndexes

        return EmbeddedIndexes(self._tenants_folder, self.model)

    @cached_property
    def enricher(self) -> "Enricher | None":
        """What adds to the passages that are ingested; None where nothing does; Raises Invalid."""
        from groundwire.adapters.local.ingest.enricher_command import CommandEnricher

        return CommandEnricher(self.settings.enricher) if self.settings.enricher else None

    @cached_property
    def parser(self) -> "Parser":
        """The confined parser; its process starts with the first document."""
        from groundwire.adapters.parse import ParserLimits, WorkerParser, find_ocr_settings

        chosen = find_ocr_settings(self.settings.ocr, self.settings.tessdata)
        return WorkerParser(ParserLimits(), ocr=chosen)

    def close(self) -> None:
        """Files and processes that were opened are closed, and models let go: they are much memory."""
        for name in ("parser", "local_models", "indexes", "embedded_indexes", "database"):
            if name in self.__dict__:
                self.__dict__[name].close()
