"""Services for measuring: those of any home, with a parser for the documents of a test set."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from groundwire.adapters.local.beir_test_sets import TestSetFolder
from groundwire.domain.documents.collection import Collection
from groundwire.domain.errors import NotFound
from groundwire.services.evaluate.corpus import COLLECTION, CorpusParser
from groundwire.settings.environment import Settings
from groundwire.wiring.local.services import LocalServices

if TYPE_CHECKING:
    from groundwire.ports import Parser

_TENANT: Final = "evaluation"

__all__ = ["CorpusServices", "TestSetFolder", "corpus_services"]


class CorpusServices(LocalServices):
    """The product in a home of its own; nothing is exchanged but what reads a file."""

    @cached_property
    def parser(self) -> "Parser":
        """Of the documents of a test set."""
        return CorpusParser()

    def ensure_tenant(self, bm25_weight: float) -> str:
        """The id of the one tenant, whose one collection has this weight."""
        try:
            found = self.tenant_admin.find(_TENANT).tenant
        except NotFound:
            found = self.tenant_admin.create(_TENANT).tenant
        self.collections.put(found, Collection(COLLECTION, bm25_weight))
        return found


def corpus_services(settings: Settings, cache: Path | None, folder: TestSetFolder, name: str) -> CorpusServices:
    """Kept beneath `cache`, or in the home, by corpus and model, so that nothing is embedded twice."""
    digest = folder.corpus_digest()[:12]
    model = LocalServices(settings).model
    home = (cache or settings.home / "evals") / f"{name}-{digest}-{model.name}-{model.dimension}"
    return CorpusServices(replace(settings, home=home))
