"""Collections: settings and records."""

from typing import Annotated

from pydantic import Field

from groundwire.entry.rest.models.form import Sent, Told


class CollectionSettings(Sent):
    """What is not said stays as it is; for a new collection, as it is by default."""

    bm25_weight: Annotated[float, Field(ge=0, le=1, strict=True)] | None = Field(
        default=None, description="Share of exact words in the ranking."
    )
    language: Annotated[str, Field(pattern=r"^([a-z]{2}|auto)$")] | None = Field(
        default=None, description="Of its documents, as `de`; `auto`: detected in each of them.", examples=["de"]
    )


class CollectionRecord(Told):
    """A collection; `documents` counts the living ones."""

    name: str
    documents: int
    bm25_weight: float
    language: str | None


class CollectionList(Told):
    """Every collection that the key reaches, by name."""

    collections: list[CollectionRecord]


class GoneCollection(Told):
    """A collection that is gone, and how many documents went with it."""

    name: str
    documents: int
