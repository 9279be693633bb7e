"""Ports of one machine; each adapter is imported on first use."""

from typing import TYPE_CHECKING

from groundwire.ports.indexes import IndexKind
from groundwire.settings.environment import Settings
from groundwire.wiring.lazy import Lazy, ResourceStack
from groundwire.wiring.local.registry import RegistryPorts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from groundwire.adapters.codecs.aead import AesGcmSeal
    from groundwire.adapters.local.audit import FileAudit, RunMarks
    from groundwire.adapters.local.blobs import FileBlobs
    from groundwire.adapters.local.index import EmbeddedIndexes
    from groundwire.adapters.local.ingest.lock import FileIngestLock
    from groundwire.adapters.local.secret_file import LocalSecrets
    from groundwire.adapters.local.uploads import FileUploadInbox, LocalUploadForms
    from groundwire.adapters.onnx.embedders import OnnxEmbedders
    from groundwire.adapters.onnx.models.store import ModelStore
    from groundwire.domain.keys.key_text import Environment
    from groundwire.ports import Embedder, Embedders, Enricher, ModelId, Parsers, Reranker, WakeableIndexes


class LocalPorts(RegistryPorts):
    """The adapters of one home folder."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.resources = ResourceStack()
        self._tenants_folder = settings.home / "tenants"

    @property
    def has_home(self) -> bool:
        """Return whether the home folder has a registry.

        Raises:
            Unavailable: the folder is not usable.
        """
        from groundwire.adapters.local.filesystem import os_errors

        with os_errors.translate_os_errors(self.settings.home):
            try:
                (self.settings.home / "registry.db").stat()
            except FileNotFoundError:
                return False
        return True

    @property
    def environment(self) -> "Environment":
        """The environment's name in new keys."""
        return "local"

    @Lazy
    def upload_forms(self) -> "LocalUploadForms":
        """Forms that this server receives itself."""
        from groundwire.adapters.local.uploads import LocalUploadForms

        return LocalUploadForms(self.seal, self.settings.public_url)

    @Lazy
    def inbox(self) -> "FileUploadInbox":
        """Uploaded files that wait for their ingestion."""
        from groundwire.adapters.local.uploads import FileUploadInbox

        return FileUploadInbox(self._tenants_folder)

    @Lazy
    def uploaded_files(self) -> "FileUploadInbox":
        """The files of the inbox by ticket."""
        return self.inbox

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

        return FileAudit(self.settings.home)

    @Lazy
    def run_marks(self) -> "RunMarks":
        """Marks of running ingestions."""
        from groundwire.adapters.local.audit import RunMarks

        return RunMarks(self.settings.home)

    @Lazy
    def secrets(self) -> "LocalSecrets":
        """Pepper and sealing key."""
        from groundwire.adapters.local.secret_file import LocalSecrets

        return LocalSecrets(self.settings.home, self.keys.any_unrevoked)

    @Lazy
    def seal(self) -> "AesGcmSeal":
        """Sealing of payloads that clients store and return."""
        from groundwire.adapters.codecs.aead import AesGcmSeal

        return AesGcmSeal(self.secrets.sealing_key)

    @Lazy
    def embedders(self) -> "Embedders":
        """The configured embedding service, else the models of this machine."""
        if self.settings.embedding_service is None:
            return self.local_models
        from groundwire.adapters.aws.embedders.default_embedders import DefaultEmbedders
        from groundwire.wiring.external_backends import build_embedder

        return DefaultEmbedders(build_embedder(self.settings.embedding_service), self.local_models)

    @Lazy
    def local_models(self) -> "OnnxEmbedders":
        """The models of this machine, each verified and loaded on first use."""
        from groundwire.adapters.onnx.embedders import OnnxEmbedders

        return self.resources.register(OnnxEmbedders(self.settings.model, self.model_store, self.settings.threads))

    @Lazy
    def model_store(self) -> "ModelStore":
        """The installed models."""
        from groundwire.adapters.onnx.models.store import ModelStore

        return ModelStore(self.settings.models)

    @Lazy
    def reranker(self) -> "Reranker | None":
        """The configured reranker, verified and loaded; None without one.

        Raises:
            NotFound: the model is not installed.
            InvalidInput: the setting or the model's files are invalid.
            Unavailable: the reranker cannot be loaded or used.
        """
        if self.settings.reranker is None:
            return None
        from groundwire.wiring.external_backends import build_reranker

        if (service_reranker := build_reranker(self.settings.reranker)) is not None:
            return service_reranker
        from groundwire.adapters.onnx.inference.reranker import load_reranker

        model = self.model_store.find(self.settings.reranker, "reranker")
        return load_reranker(self.model_store.folder_of(model), self.settings.threads)

    @property
    def embedder(self) -> "Embedder":
        """The embedder of new tenants."""
        return self.embedders.default

    @Lazy
    def model(self) -> "ModelId":
        """Id of the model of new tenants, without loading it."""
        from groundwire.adapters.onnx.embedders import model_id_in

        if self.settings.embedding_service is not None:
            return self.embedder.model
        return model_id_in(self.settings.model)

    @Lazy
    def indexes(self) -> "WakeableIndexes":
        """The index of each tenant: embedded, or in the configured engine."""
        return self._engine_indexes(IndexKind.PASSAGES, lambda: self.model) or self.embedded_indexes

    @Lazy
    def embedded_indexes(self) -> "EmbeddedIndexes":
        """The embedded index of each tenant."""
        return self._embedded_indexes(self._tenants_folder, self.model)

    @Lazy
    def image_indexes(self) -> "WakeableIndexes":
        """The index of the images of each tenant's documents, in the same engine as that of the passages."""
        engine = self._engine_indexes(IndexKind.IMAGES, lambda: self.image_index_model(self.model))
        return engine or self.embedded_image_indexes

    @Lazy
    def embedded_image_indexes(self) -> "EmbeddedIndexes":
        """The embedded index of the images of each tenant's documents."""
        # The image model is loaded for a new index alone: what is stored can be found and deleted without it.
        return self._embedded_indexes(self.settings.home / "images", lambda: self.image_index_model(self.model))

    def _embedded_indexes(self, folder: "Path", model: "ModelId | Callable[[], ModelId]") -> "EmbeddedIndexes":
        from groundwire.adapters.local.index import EmbeddedIndexes

        return self.resources.register(EmbeddedIndexes(folder, model))

    def _engine_indexes(self, kind: IndexKind, model: "Callable[[], ModelId]") -> "WakeableIndexes | None":
        """Return the indexes in the configured engine; None if no engine is configured."""
        if self.settings.index_service is None:
            return None
        from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
        from groundwire.wiring.external_backends import build_indexes

        generations = SqliteIndexGenerations(self.database, kind)
        return self.resources.register(
            build_indexes(self.settings.index_service, kind, generations, model, secret=None)
        )

    @Lazy
    def enricher(self) -> "Enricher | None":
        """The configured enricher of ingested passages; None without one.

        Raises:
            InvalidInput: the setting is invalid.
        """
        from groundwire.adapters.local.ingest.enricher_command import CommandEnricher

        return CommandEnricher(self.settings.enricher) if self.settings.enricher else None

    @Lazy
    def parser(self) -> "Parsers":
        """The sandboxed parser; its process starts with the first document."""
        from groundwire.adapters.parse import ConfinedParser, ParserLimits, find_ocr_settings

        ocr = find_ocr_settings(self.settings.ocr, self.settings.tessdata)
        return self.resources.register(ConfinedParser(ParserLimits(), ocr=ocr))

    def close(self) -> None:
        """Close files and processes, and release the models' memory."""
        self.resources.close()
