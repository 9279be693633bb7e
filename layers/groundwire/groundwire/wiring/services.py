"""The use cases of one machine, each made of ports when it is first used."""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.domain.embedding_service import BEDROCK
from groundwire.domain.errors import Problem
from groundwire.wiring.care import CareServices
from groundwire.wiring.local import LocalPorts
from groundwire.wiring.source_files import SourceFiles

if TYPE_CHECKING:
    from groundwire.adapters.local.backup import BackedUp
    from groundwire.domain.documents import Document
    from groundwire.domain.model_order import ModelOrder
    from groundwire.ports import ModelId
    from groundwire.services.arrivals.uploaded import UploadArrival
    from groundwire.services.duplicates import Duplicates
    from groundwire.services.evaluate.measure import Measure
    from groundwire.services.ingest.batch import IngestBatch


class Services(CareServices, LocalPorts, SourceFiles):
    """Everything an entry point may ask for."""

    @cached_property
    def measure(self) -> "Measure":
        """Search, held against judged questions."""
        from groundwire.services.evaluate.measure import Measure
        from groundwire.services.search import Search

        deep = Search(self.indexes, self.embedders, self.documents, self.collections, None, self.clock)
        return Measure(self.search, deep)

    @cached_property
    def ingest_batch(self) -> "IngestBatch":
        """Files in."""
        from groundwire.services.ingest.batch import IngestBatch
        from groundwire.wiring.files_in import ingest_of

        ingest = ingest_of(self, self.parser, self.embedders, self._is_there, self.enricher)
        return IngestBatch(ingest, self.settle, self.collections, self.ingest_lock)

    def _is_there(self, stored: str) -> bool:
        from groundwire.services.arrivals.places import came_by_ticket

        return came_by_ticket(stored) or not self.is_gone(stored)

    def settle_at_once(self, tenant: str, document: "Document") -> "Document":
        """What an ingestion that was killed has left goes, too, where none runs: a machine has no sweep."""
        settled = super().settle_at_once(tenant, document)
        if not settled.index_stale or self.indexes.of(tenant).visible_after_seconds:
            # What is not seen yet would be written once more.
            return settled
        with self.ingest_lock.hold_if_free(tenant) as is_free:
            # As it is now: what was named since is not to be cleared.
            now = self.documents.read(tenant, [document.doc_id]).get(document.doc_id) if is_free else None
            return settled if now is None or not now.index_stale else self.settle(tenant, now)

    @cached_property
    def upload_arrival(self) -> "UploadArrival":
        """Files that came by ticket."""
        from groundwire.services.arrivals.uploaded import UploadArrival

        return UploadArrival(self.uploads, self.ingest_batch, self.ingest_lock)

    @cached_property
    def duplicates(self) -> "Duplicates":
        """Documents that say nearly the same."""
        from groundwire.services.duplicates import Duplicates

        return Duplicates(self.documents)

    def model_facts(self) -> Mapping[str, object]:
        """What the model's manifest says, after every file was checked; Raises NotFound, Invalid."""
        from groundwire.adapters.onnx.facts import facts

        if self.settings.embedding_service is not None:
            of_service = self.embedder.model
            return {"name": of_service.name, "kind": "embedding", "dimension": of_service.dimension}
        return facts(self.settings.model)

    def installed_models(self) -> list[Mapping[str, object]]:
        """The default model, then those that were added, each with what is said of it; Raises Invalid."""
        from groundwire.adapters.onnx.facts import listing

        return listing(self.settings.model, self.shelf, self._installed_reranker)

    def check_models(self) -> str:
        """What is said of the models that were added; Raises where one is damaged, or a tenant's is not here."""
        from groundwire.adapters.onnx.facts import check

        said = check(self.shelf, self._installed_reranker)
        for tenant in self.tenants.all():
            model = self.indexes.of(tenant.tenant).model
            if model != self.model:
                self.own_models.folder_of(model)
        return said

    @property
    def _installed_reranker(self) -> str | None:
        chosen = self.settings.reranker
        return None if chosen is None or chosen.startswith(BEDROCK) else chosen

    def model_named(self, name: str) -> "ModelId":
        """The embedding model of this name or id: the default one, or one that was added; Raises NotFound, Invalid."""
        return self.model if name == self.model.name else self.shelf.find(name, "embedding").vectors_id

    def add_model(self, order: "ModelOrder", progress: Callable[[str, float], None]) -> Mapping[str, object]:
        """The model is among those of `settings.models`; Raises Invalid, Conflict, Unavailable."""
        from groundwire.adapters.onnx.add import add
        from groundwire.adapters.onnx.facts import of_installed

        return of_installed(add(self.settings.models, order, progress))

    def build_model(self, progress: Callable[[str, float], None]) -> None:
        """The model is in its folder; Raises Unavailable, Invalid."""
        from groundwire.adapters.onnx.build import build_model

        build_model(self.settings.model, progress)

    def back_up(self, to: Path) -> "BackedUp":
        """`to` is a home of its own with all that this one holds; Raises Invalid, Unavailable."""
        from groundwire.adapters.local.backup import back_up

        return back_up(self.settings.home, to)

    def parser_confinement(self) -> list[str]:
        """What the parser's worker cannot do on this machine, and what it could."""
        from groundwire.adapters.parse.confinement import confinement

        return confinement()

    def text_recognition(self) -> str:
        """Whether scanned pages are recognised; Raises Unavailable where data is missing, and says how to get it."""
        from groundwire.adapters.parse import recognition

        chosen = recognition(self.settings.ocr, self.settings.tessdata)
        if chosen is None:
            return "off: scanned pages are counted, not read; GROUNDWIRE_OCR=eng reads them"
        return f"ready: {', '.join(chosen.languages)} from {chosen.data}"

    def _check_chosen_parts(self) -> None:
        """Raise at the start for a part that a setting names and that cannot be used, not at the first call."""
        self.reranker  # noqa: B018
        self.enricher  # noqa: B018
        self.text_recognition()

    def warm(self) -> list[str]:
        """What the first search needs is loaded, so that it is as fast as the second.

        Returns what is wrong with the indexes that cannot be used: one tenant's trouble is not the others'.
        """
        self._check_chosen_parts()
        self.embedder.embed(["warm"], "query")
        looks = (self._wrong_with_index(tenant.tenant) for tenant in self.tenants.all())
        return [problem for problem in looks if problem is not None]

    def _wrong_with_index(self, tenant: str) -> str | None:
        try:
            self.indexes.of(tenant).count()
        except Problem as problem:
            return str(problem)
        return None
