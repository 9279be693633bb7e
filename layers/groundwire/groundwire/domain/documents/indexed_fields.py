"""Fields of a document in its index rows: its metadata, and its own fields under names that no metadata has."""

from typing import Final

from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.documents.record import Document

_OWN_PREFIX: Final = "/"
OWN_FIELDS: Final = ("title", "language", "source_file_name", "page")
"""Names of a document's own fields, where no metadata has them."""
PAGE_FIELD: Final = "/page"
"""Own field that differs by passage; no row has it among its document's fields."""

ROWS_FIELD: Final = "/rows"
"""Field with the form of a row's fields; rows of the first form have none."""
ROWS_FORM: Final = 2.0


def own_field(name: str) -> str:
    """Return the field of this name among the document's own."""
    return _OWN_PREFIX + name


def is_own_field(name: str) -> bool:
    """Return whether the field is one of the document's own."""
    return name.startswith(_OWN_PREFIX)


def indexed_fields(document: Document) -> Metadata:
    """Return the fields that the document's index rows are filtered by."""
    return {**searchable_fields(document), ROWS_FIELD: ROWS_FORM}


def searchable_fields(document: Document, page: int | None = None) -> Metadata:
    """Return the fields that a filter can name.

    Args:
        document: its record.
        page: first page of the passage; None where there is none, or the passage is not known.
    """
    own: dict[str, Value] = {
        own_field("title"): document.title,
        own_field("language"): document.language,
        own_field("source_file_name"): document.source_file_name,
    }
    return {**document.metadata, **own} if page is None else {**document.metadata, **own, PAGE_FIELD: float(page)}
