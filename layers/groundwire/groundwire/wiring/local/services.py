"""The use cases of one machine, each made of ports when it is first used."""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.domain.errors import DomainError
from groundwire.settings.embedding_service import BEDROCK_PREFIX
from groundwire.wiring.admin import AdminServices
from groundwire.wiring.local.ports import LocalPorts
from groundwire.wiring.local.source_files import SourceFiles

if TYPE_CHECKING:
    from groundwire.adapters.local.backup import BackupSummary
    from groundwire.domain.documents.record import Document
    from groundwire.ports import ModelId
    from groundwire.services.documents.duplicates import DuplicateFinder
    from groundwire.services.evaluate.measurement import SearchEvaluator
    from groundwire.services.ingest.batch import IngestBatch
    from groundwire.services.uploads.ingestion import UploadIngestion
    from groundwire.settings.model_spec import ModelSpec


class LocalServices(AdminServices, LocalPorts, SourceFiles):
    """Everything an entry point may ask for."""

    @cached_property
    def search_evaluator(self) -> "SearchEvaluator":
        """Search, held against judged questions."""
        from groundwire.services.evaluate.measurement import SearchEvaluator
        from groundwire.services.search import Search

        deep = Search(self.indexes, self.embedders, self.documents, self.collections, None, self.clock)
        return SearchEvaluator(self.search, deep)

    @cached_property
    def ingest_batch(self) -> "IngestBatch":
        """Files in."""
        from groundwire.services.ingest.batch import IngestBatch
        from groundwire.wiring.ingest import build_file_ingestion

        ingest = build_file_ingestion(self, self.parser, self.embedders, self._source_exists, self.enricher)
        return IngestBatch(ingest, self.reconciler, self.collections, self.ingest_lock)

    def _source_exists(self, stored: str) -> bool:
        from groundwire.services.ingest.source_paths import is_uploaded_by_ticket

        return is_uploaded_by_ticket(stored) or not self.is_gone(stored)

    def reconcile_without_lock(self, tenant: str, document: "Document") -> "Document":
        """What an ingestion that was killed has left goes, too, where none runs: a machine has no sweep."""
        settled = super().reconcile_without_lock(tenant, document)
        if not settled.index_stale or self.indexes.for_tenant(tenant).visible_after_seconds:
            # What is not seen yet would be written once more.
            return settled
        with self.ingest_lock.hold_if_free(tenant) as is_free:
            # As it is now: what was named since is not to be cleared.
            now = self.documents.read(tenant, [document.doc_id]).get(document.doc_id) if is_free else None
            return settled if now is None or not now.index_stale else self.reconciler(tenant, now)

    @cached_property
    def upload_ingestion(self) -> "UploadIngestion":
        """Files that came by ticket."""
        from groundwire.services.uploads.ingestion import UploadIngestion

        return UploadIngestion(self.uploads, self.ingest_batch, self.ingest_lock)

    @cached_property
    def duplicate_finder(self) -> "DuplicateFinder":
        """Documents that say nearly the same."""
        from groundwire.services.documents.duplicates import DuplicateFinder

        return DuplicateFinder(self.documents)

    def describe_model(self) -> Mapping[str, object]:
        """What the model's manifest says, after every file was checked; Raises NotFound, Invalid."""
        from groundwire.adapters.onnx.model_summary import describe_model

        if self.settings.embedding_service is not None:
            of_service = self.embedder.model
            return {"name": of_service.name, "kind": "embedding", "dimension": of_service.dimension}
        return describe_model(self.settings.model)

    def installed_models(self) -> list[Mapping[str, object]]:
        """The default model, then those that were added, each with what is said of it; Raises Invalid."""
        from groundwire.adapters.onnx.model_summary import list_models

        return list_models(self.settings.model, self.model_store, self._installed_reranker)

    def check_models(self) -> str:
        """What is said of the models that were added; Raises where one is damaged, or a tenant's is not here."""
        from groundwire.adapters.onnx.model_summary import check_models

        said = check_models(self.model_store, self._installed_reranker)
        for tenant in self.tenants.all():
            model = self.indexes.for_tenant(tenant.tenant).model
            if model != self.model:
                self.local_models.folder_of(model)
        return said

    @property
    def _installed_reranker(self) -> str | None:
        chosen = self.settings.reranker
        return None if chosen is None or chosen.startswith(BEDROCK_PREFIX) else chosen

    def find_model(self, name: str) -> "ModelId":
        """The embedding model of this name or id: the default one, or one that was added; Raises NotFound, Invalid."""
        return self.model if name == self.model.name else self.model_store.find(name, "embedding").embedding_model_id

    def add_model(self, spec: "ModelSpec", progress: Callable[[str, float], None]) -> Mapping[str, object]:
        """The model is among those of `settings.environment.models`; Raises Invalid, Conflict, Unavailable."""
        from groundwire.adapters.onnx.install.installer import add_model
        from groundwire.adapters.onnx.model_summary import describe_installed_model

        return describe_installed_model(add_model(self.settings.models, spec, progress))

    def build_model(self, progress: Callable[[str, float], None]) -> None:
        """The model is in its folder; Raises Unavailable, Invalid."""
        from groundwire.adapters.onnx.install.builder import build_model

        build_model(self.settings.model, progress)

    def back_up(self, to: Path) -> "BackupSummary":
        """`to` is a home of its own with all that this one holds; Raises Invalid, Unavailable."""
        from groundwire.adapters.local.backup import back_up

        return back_up(self.settings.home, to)

    def parser_confinement(self) -> list[str]:
        """What the parser's worker cannot do on this machine, and what it could."""
        from groundwire.adapters.parse.sandbox.confinement import confinement_report

        return confinement_report()

    def text_recognition(self) -> str:
        """Whether scanned pages are recognised; Raises Unavailable where data is missing, and says how to get it."""
        from groundwire.adapters.parse import find_ocr_settings

        chosen = find_ocr_settings(self.settings.ocr, self.settings.tessdata)
        if chosen is None:
            return "off: scanned pages are counted, not read; GROUNDWIRE_OCR=eng reads them"
        return f"ready: {', '.join(chosen.languages)} from {chosen.tessdata_folder}"

    def _check_configured_parts(self) -> None:
        """Raise at the start for a part that a setting names and that cannot be used, not at the first call."""
        self.reranker  # noqa: B018
        self.enricher  # noqa: B018
        self.text_recognition()

    def warm(self) -> list[str]:
        """What the first search needs is loaded, so that it is as fast as the second.

        Returns what is wrong with the indexes that cannot be used: one tenant's trouble is not the others'.
        """
        self._check_configured_parts()
        self.embedder.embed(["warm"], "query")
        looks = (self._index_problem(tenant.tenant) for tenant in self.tenants.all())
        return [problem for problem in looks if problem is not None]

    def _index_problem(self, tenant: str) -> str | None:
        try:
            self.indexes.for_tenant(tenant).count_rows()
        except DomainError as problem:
            return str(problem)
        return None
