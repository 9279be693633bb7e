"""Composition for evaluation: the services of a home with a parser for test set documents."""

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
    """The local services in a separate home; only the parser differs."""

    @cached_property
    def parser(self) -> "Parser":
        """Parser of a test set's documents."""
        return CorpusParser()

    def ensure_tenant(self, bm25_weight: float) -> str:
        """Return the id of the evaluation tenant, after storing its one collection with this BM25 weight."""
        try:
            tenant = self.tenant_admin.find(_TENANT).tenant
        except NotFound:
            tenant = self.tenant_admin.create(_TENANT).tenant
        self.collections.put(tenant, Collection(COLLECTION, bm25_weight))
        return tenant


def corpus_services(settings: Settings, cache: Path | None, folder: TestSetFolder, name: str) -> CorpusServices:
    """Return services whose home depends on corpus and model, so that nothing is embedded twice.

    The home is under `cache`, or by default in the folder `evals` of the home.
    """
    digest = folder.corpus_digest()[:12]
    model = LocalServices(settings).model
    home = (cache or settings.home / "evals") / f"{name}-{digest}-{model.name}-{model.dimension}"
    return CorpusServices(replace(settings, home=home))
