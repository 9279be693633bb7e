"""Entry points of processes that change one index generation concurrently; they import this module by name."""

from dataclasses import replace

from groundwire.domain import errors
from groundwire.ports import GenerationState, IndexGeneration, ModelId
from tests.contract.index_generations.backends import Place, opened

TENANT = "t-acme"
MODEL, OTHER = ModelId("minilm/ß", 384), ModelId("bge", 1_024)
FIRST = GenerationState(IndexGeneration(1, MODEL), None, 1)
STARTED = replace(FIRST, building=IndexGeneration(2, OTHER), highest_number=2)
SWAPPED = GenerationState(IndexGeneration(2, OTHER), None, 2)


def begin(place: Place, number: int) -> bool:
    """Whether this process was the one that began generation 2, of a model of its own."""
    started = IndexGeneration(2, ModelId(f"model {number}", 8))
    with opened(place) as index_generations:
        try:
            index_generations.write(TENANT, replace(FIRST, building=started, highest_number=2), FIRST)
        except errors.Conflict:
            return False
    return True
