"""Composition for test sets: the services of a home of their own, with a parser for their documents."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.adapters.local.evaluate.beir_test_sets import TestSetFolder
from groundwire.adapters.local.evaluate.conversation_files import read_conversations
from groundwire.services.evaluate.corpus import CorpusParser, ensure_corpus_tenant
from groundwire.wiring.lazy import ResourceStack
from groundwire.wiring.local.backends import local_backends
from groundwire.wiring.local.models import LocalModels
from groundwire.wiring.local.services import LocalServices, build_local

if TYPE_CHECKING:
    from groundwire.settings.environment import Settings

__all__ = ["TestSetFolder", "corpus_services", "ensure_tenant", "read_conversations"]


def corpus_services(settings: "Settings", cache: Path | None, folder: TestSetFolder, name: str) -> LocalServices:
    """Return services whose home depends on corpus and model, so that nothing is embedded twice.

    The home is under `cache`, or by default in the folder `evals` of the home.
    """
    from groundwire_readers.language import language_of

    digest = folder.corpus_digest()[:12]
    model = LocalModels(settings, ResourceStack()).model
    home = (cache or settings.home / "evals") / f"{name}-{digest}-{model.name}-{model.dimension}"
    resources = ResourceStack()
    return build_local(local_backends(replace(settings, home=home), resources), resources, CorpusParser(language_of))


def ensure_tenant(services: LocalServices, bm25_weight: float) -> str:
    """Return the id of the evaluation tenant, after storing its one collection with this BM25 weight."""
    return ensure_corpus_tenant(services.administration.tenant_admin, services.stores.collections, bm25_weight)
