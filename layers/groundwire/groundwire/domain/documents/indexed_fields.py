"""Fields of a document in its index rows: its metadata, and its own fields under names that no metadata has."""

from typing import Final

from groundwire.domain.documents.metadata import Metadata, Value, is_field_name
from groundwire.domain.documents.record import Document

_OWN_PREFIX: Final = "/"
OWN_FIELDS: Final = ("title", "language", "source_file_name", "page")
"""Names of a document's own fields; a metadata field of the same name is before them."""
PAGE_FIELD: Final = "/page"
"""Own field that is computed for each passage, and is in no row."""

FILE_PATH: Final = "file_path"
FILE_PATH_FIELD: Final = "/file_path"
"""Own field that is computed from two others; no row has it."""
FILE_PATH_SOURCES: Final = (FILE_PATH, "/source_file_name")
"""Fields of which one has the value of `FILE_PATH_FIELD`."""

ROWS_FIELD: Final = "/rows"
"""Field with the version of the form of a row's fields; rows of the first form have none."""
ROWS_FORM: Final = 2.0


def own_field(name: str) -> str:
    """Return the field of this name among the document's own."""
    return _OWN_PREFIX + name


def is_own_field(name: str) -> bool:
    """Return whether the field is one of the document's own."""
    return name.startswith(_OWN_PREFIX)


def is_indexed_name(name: str) -> bool:
    """Return whether rows may have a field of this name: one of metadata, or one of the document's own."""
    return is_field_name(name.removeprefix(_OWN_PREFIX))


def indexed_fields(document: Document) -> Metadata:
    """Return the fields that the document's index rows are filtered by."""
    return {**_stored_fields(document), ROWS_FIELD: ROWS_FORM}


def file_path(document: Document) -> str:
    """Return the path that clients see: the metadata's if that ends in the file's name, else the file's name."""
    own = document.metadata.get(FILE_PATH)
    return own if isinstance(own, str) and own.endswith(document.source_file_name) else document.source_file_name


def searchable_fields(document: Document, page: int | None = None) -> Metadata:
    """Return the fields that a filter can name.

    Args:
        document: its record.
        page: first page of the passage; None where there is none, or the passage is not known.
    """
    own: dict[str, Value] = {FILE_PATH_FIELD: file_path(document)}
    if page is not None:
        # Metadata has floats alone, and a filter compares values of one type.
        own[PAGE_FIELD] = float(page)
    return {**_stored_fields(document), **own}


def _stored_fields(document: Document) -> dict[str, Value]:
    """Return the metadata, and those own fields that rows have."""
    return {
        **document.metadata,
        own_field("title"): document.title,
        own_field("language"): document.language,
        own_field("source_file_name"): document.source_file_name,
    }
