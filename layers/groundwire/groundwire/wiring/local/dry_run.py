"""Composition of plans: the steps of a run over this machine's stores, without any write to them."""

from typing import TYPE_CHECKING

from groundwire.services.ingest.deletions.holds import Holds
from groundwire.services.ingest.document_match import DocumentMatcher
from groundwire.services.ingest.draft import DraftReader
from groundwire.services.ingest.runs.plan import RunPlanner

if TYPE_CHECKING:
    from groundwire.ports import Enricher, Parsers
    from groundwire.services.ingest.deletions.memory import DeletionMemory
    from groundwire.wiring.local.backends import LocalBackends
    from groundwire.wiring.local.source_files import SourceFiles


def build_planner(
    backends: "LocalBackends",
    files: "SourceFiles",
    parser: "Parsers",
    deletions: "DeletionMemory",
    enricher: "Enricher | None",
    *,
    parses: bool,
) -> RunPlanner:
    """Return the planner of runs.

    Args:
        backends: of the home.
        files: source files, for files that were renamed.
        parser: reads documents; in a plan that parses nothing, it checks formats alone.
        deletions: memory of what persons deleted.
        enricher: of the run, since its version decides whether a document is parsed again.
        parses: whether `parser` reads the content.
    """
    matcher = DocumentMatcher(backends.stores.documents, files.path_exists, backends.clock)

    def image_model(tenant: str) -> str:
        # The index of a tenant without one would be created by opening it.
        indexes, embedder = backends.stores.image_indexes, backends.models.image_embedder
        if embedder is None or not indexes.exists(tenant):
            return "" if embedder is None else embedder.model.name
        from groundwire.services.documents.images.embedding import has_pictures_of

        return embedder.model.name if has_pictures_of(indexes.for_tenant(tenant).model, embedder) else ""

    holds = Holds(backends.stores.documents, deletions, matcher.find_renamed)
    return RunPlanner(matcher, DraftReader(matcher, holds, parser, enricher, image_model), holds, parses=parses)
