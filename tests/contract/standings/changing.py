"""What processes that race do with one standing; they import this by name."""

from dataclasses import replace

from groundwire.domain import errors
from groundwire.ports import IndexGeneration, ModelId, Standing
from tests.contract.standings.places import Place, opened

TENANT = "t-acme"
MODEL, OTHER = ModelId("minilm/ß", 384), ModelId("bge", 1_024)
FIRST = Standing(IndexGeneration(1, MODEL), None, 1)
BEGUN = replace(FIRST, begun=IndexGeneration(2, OTHER), last=2)
SWAPPED = Standing(IndexGeneration(2, OTHER), None, 2)


def begin(place: Place, number: int) -> bool:
    """Whether this process was the one that began generation 2, of a model of its own."""
    begun = IndexGeneration(2, ModelId(f"model {number}", 8))
    with opened(place) as standings:
        try:
            standings.write(TENANT, replace(FIRST, begun=begun, last=2), FIRST)
        except errors.Conflict:
            return False
    return True
