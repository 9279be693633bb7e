"""Ingestion on one machine."""

from contextlib import suppress
from typing import TYPE_CHECKING

from groundwire.wiring.lazy import Lazy, ResourceStack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.ports import Enricher, Parsers
    from groundwire.ports.ingestion import PageDrawers
    from groundwire.services.documents.duplicates import DuplicateFinder
    from groundwire.services.ingest.batch import IngestBatch
    from groundwire.services.ingest.runs.plan import RunPlanner
    from groundwire.services.ingest.runs.queued_files import AbandonedFiles
    from groundwire.services.reindex.row_rewriting import RowRewriting
    from groundwire.services.uploads.ingestion import UploadIngestion
    from groundwire.wiring.local.backends import LocalBackends
    from groundwire.wiring.local.source_files import SourceFiles
    from groundwire.wiring.use_cases.administration import AdministrationUseCases


class LocalIngestion:
    """Use cases that ingest files of this machine."""

    def __init__(
        self,
        backends: "LocalBackends",
        administration: "AdministrationUseCases",
        files: "SourceFiles",
        resources: ResourceStack,
        parser: "Parsers | None",
    ) -> None:
        self._backends = backends
        self._administration = administration
        self._files = files
        self._resources = resources
        self._given_parser = parser
        self._settings, self._clock = backends.settings, backends.clock
        self._stores, self._models = backends.stores, backends.models

    @Lazy
    def batch(self) -> "IngestBatch":
        """Ingestion of batches of files."""
        from groundwire.services.ingest.batch import IngestBatch
        from groundwire.wiring.use_cases.file_ingestion import build_file_ingestion

        lock = self._stores.ingest_lock
        ingest = build_file_ingestion(
            self._backends,
            self._kept_readings(keeps=False),
            self._models.embedders,
            self._files.path_exists,
            self._administration,
            self.enricher,
        )
        return IngestBatch(
            ingest,
            self._administration.reconciler,
            self._stores.collections,
            lock,
            self._clock,
            lock.hold_run,
            forget_queued=self.abandoned_files.forget_within_run,
        )

    @Lazy
    def abandoned_files(self) -> "AbandonedFiles":
        """Removal of the records that interrupted runs left."""
        from groundwire.services.ingest.runs.queued_files import AbandonedFiles

        return AbandonedFiles(self._stores.documents, self._administration.reconciler, self._stores.ingest_lock)

    def forget_abandoned_files(self, tenant: str) -> None:
        """Remove the records that interrupted runs left; a store that does not respond is left to the next command."""
        from groundwire.domain.errors import DomainError

        # The server starts without it, and the next run repeats it.
        with suppress(DomainError):
            self.abandoned_files.forget(tenant)

    @Lazy
    def uploads(self) -> "UploadIngestion":
        """Ingestion of uploaded files."""
        from groundwire.services.uploads.ingestion import UploadIngestion

        stores = self._stores
        return UploadIngestion(
            stores.uploads,
            stores.keys,
            stores.users,
            self.batch,
            stores.ingest_lock,
            self._administration.ingestion_audit,
        )

    @Lazy
    def row_rewriting(self) -> "RowRewriting":
        """Rewriting of rows of an earlier form in the background of a server, since no sweep runs here."""
        from groundwire.services.reindex.row_rewriting import RowRewriting

        return RowRewriting(
            self._stores.tenants,
            (self._stores.indexes, self._stores.image_indexes),
            self._stores.ingest_lock,
            self._administration.reconciler,
        )

    def upkeep_steps(self) -> "Iterator[float]":
        """Do what a server does in the background, and yield the seconds to pause after each step."""
        from groundwire.adapters.local.filesystem import disk_reserve

        disk_reserve.keep(self._settings.home)
        # Before the rows, since a record that was abandoned has none.
        for each in self._stores.tenants.all():
            self.forget_abandoned_files(each.tenant)
        yield from self.row_rewriting.steps()

    @Lazy
    def duplicate_finder(self) -> "DuplicateFinder":
        """Search for documents with nearly the same text."""
        from groundwire.services.documents.duplicates import DuplicateFinder

        return DuplicateFinder(self._stores.documents)

    @Lazy
    def enricher(self) -> "Enricher | None":
        """The configured enricher of ingested passages; None without one.

        Raises:
            InvalidInput: the setting is invalid.
        """
        from groundwire.adapters.local.ingest.enricher_command import CommandEnricher

        return CommandEnricher(self._settings.enricher) if self._settings.enricher else None

    def planner(self, *, reads: bool) -> "RunPlanner":
        """Return the planner of runs; with `reads` it parses the files, and keeps the readings for the next run."""
        from groundwire.adapters.parse.format_check import FormatCheck
        from groundwire.wiring.local.dry_run import build_planner

        parser = self._kept_readings(keeps=True) if reads else FormatCheck(self.parser)
        deletions = self._administration.deletion_memory
        return build_planner(self._backends, self._files, parser, deletions, self.enricher, parses=reads)

    def _kept_readings(self, *, keeps: bool) -> "Parsers":
        from groundwire.adapters.parse.kept_readings import KeptReadings

        return KeptReadings(self.parser, self._settings.home / "tenants", keeps=keeps)

    @Lazy
    def page_drawers(self) -> "PageDrawers":
        """Drawers of pages, whose process is not that of ingestion: a picture waits for no large file."""
        from groundwire.adapters.parse import ConfinedParser, ParserLimits
        from groundwire.adapters.parse.confined_parser import DrawersInTurn

        return DrawersInTurn(self._resources.register(ConfinedParser(ParserLimits())))

    @Lazy
    def parser(self) -> "Parsers":
        """The given parser, else the sandboxed one, whose process starts with the first document."""
        # A test set brings texts and no files, which need no sandbox.
        if self._given_parser is not None:
            return self._given_parser
        from groundwire.adapters.parse import ConfinedParser, ParserLimits, find_ocr_settings

        ocr = find_ocr_settings(self._settings.ocr, self._settings.tessdata)
        return self._resources.register(ConfinedParser(ParserLimits(), ocr=ocr))
