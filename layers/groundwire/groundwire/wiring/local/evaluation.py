"""Composition for evaluation: the services of a home with a parser for test set documents."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.adapters.local.evaluate.beir_test_sets import TestSetFolder
from groundwire.adapters.local.evaluate.conversation_files import read_conversations
from groundwire.services.evaluate.corpus import CorpusParser, ensure_corpus_tenant
from groundwire.settings.environment import Settings
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.local.services import LocalServices

if TYPE_CHECKING:
    from groundwire.ports import Parsers

__all__ = ["CorpusServices", "TestSetFolder", "corpus_services", "read_conversations"]


class CorpusServices(LocalServices):
    """The local services in a separate home; only the parser differs."""

    @Lazy
    def parser(self) -> "Parsers":
        """Parser of a test set's documents."""
        from groundwire_readers.language import language_of

        return CorpusParser(language_of)

    def ensure_tenant(self, bm25_weight: float) -> str:
        """Return the id of the evaluation tenant, after storing its one collection with this BM25 weight."""
        return ensure_corpus_tenant(self.tenant_admin, self.collections, bm25_weight)


def corpus_services(settings: Settings, cache: Path | None, folder: TestSetFolder, name: str) -> CorpusServices:
    """Return services whose home depends on corpus and model, so that nothing is embedded twice.

    The home is under `cache`, or by default in the folder `evals` of the home.
    """
    digest = folder.corpus_digest()[:12]
    model = LocalServices(settings).model
    home = (cache or settings.home / "evals") / f"{name}-{digest}-{model.name}-{model.dimension}"
    return CorpusServices(replace(settings, home=home))
