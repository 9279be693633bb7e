"""Composition of plans: the steps of a run over this machine's stores, of which none writes to them."""

from typing import TYPE_CHECKING

from groundwire.services.ingest.document_match import DocumentMatcher, FileMatch
from groundwire.services.ingest.draft import DraftReader
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.runs.plan import RunPlanner

if TYPE_CHECKING:
    from groundwire.ports import Enricher, Parsers
    from groundwire.wiring.local.backends import LocalBackends
    from groundwire.wiring.local.source_files import SourceFiles


def build_planner(
    backends: "LocalBackends", files: "SourceFiles", parser: "Parsers", enricher: "Enricher | None", *, parses: bool
) -> RunPlanner:
    """Return the planner of runs.

    Args:
        backends: of the home.
        files: source files, for files that were renamed.
        parser: reads documents; in a plan that parses nothing, it checks formats alone.
        enricher: of the run, since its version decides whether a document is parsed again.
        parses: whether `parser` reads the content.
    """
    matcher = DocumentMatcher(backends.stores.documents, files.path_exists)

    def image_model(tenant: str) -> str:
        # The index of a tenant without one would be created by opening it.
        indexes, embedder = backends.stores.image_indexes, backends.models.image_embedder
        if embedder is None or not indexes.exists(tenant):
            return "" if embedder is None else embedder.model.name
        from groundwire.services.documents.images.embedding import has_pictures_of

        return embedder.model.name if has_pictures_of(indexes.for_tenant(tenant).model, embedder) else ""

    return RunPlanner(matcher, DraftReader(matcher, parser, enricher, image_model), _no_hold, parses=parses)


def _no_hold(_request: IngestRequest, _match: FileMatch, _content_hash: str) -> str | None:
    return None
