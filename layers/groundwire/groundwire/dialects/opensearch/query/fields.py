"""Fields of an index as queries and mappings name them, and the fields of documents behind them."""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from groundwire.dialects.opensearch.query.name_patterns import is_match
from groundwire.domain.documents.indexed_fields import own_field
from groundwire.domain.filters.field_types import FieldType, FieldTypes

TITLE: Final = "title"
CONTENT: Final = "content"
URL: Final = "url"
PAGE: Final = "page"
VECTOR: Final = "content_vector"
ID: Final = "_id"
METADATA_PREFIX: Final = "metadata."
KEYWORD_SUFFIX: Final = ".keyword"
_TEXT_TYPES: Final = frozenset({FieldType.TEXT})
_OWN: Final[Mapping[str, frozenset[FieldType]]] = {
    TITLE: _TEXT_TYPES,
    "source_file_name": _TEXT_TYPES,
    "language": _TEXT_TYPES,
    PAGE: frozenset({FieldType.NUMBER}),
}


class FieldUse(Enum):
    """Use of a field in queries.

    `WORDS`: full text. `VALUES`: exact values. `SHOWN`: only in `_source`. `VECTOR`: meaning.
    """

    WORDS = auto()
    VALUES = auto()
    SHOWN = auto()
    VECTOR = auto()


class IndexField(NamedTuple):
    """A field that exists for the caller.

    Attributes:
        name: as queries name it.
        stored: field of the filter tree; None: no filter can name it.
        types: types of its values in documents that the caller may read.
    """

    name: str
    use: FieldUse
    stored: str | None
    types: frozenset[FieldType]


_FIXED: Final[Mapping[str, IndexField]] = {
    TITLE: IndexField(TITLE, FieldUse.WORDS, own_field(TITLE), _TEXT_TYPES),
    CONTENT: IndexField(CONTENT, FieldUse.WORDS, None, _TEXT_TYPES),
    URL: IndexField(URL, FieldUse.SHOWN, None, _TEXT_TYPES),
    VECTOR: IndexField(VECTOR, FieldUse.VECTOR, None, frozenset()),
    **{
        name: IndexField(name, FieldUse.VALUES, own_field(name), types) for name, types in _OWN.items() if name != TITLE
    },
    TITLE + KEYWORD_SUFFIX: IndexField(TITLE + KEYWORD_SUFFIX, FieldUse.VALUES, own_field(TITLE), _TEXT_TYPES),
}


class IndexFields:
    """Fields that exist for a caller in the searched indexes.

    Args:
        metadata: metadata fields of the documents that the caller may read.
    """

    def __init__(self, metadata: FieldTypes) -> None:
        self._metadata = metadata

    def find(self, name: str) -> IndexField | None:
        """Return the field of this name; None if it does not exist for the caller.

        Fields with texts have a further name with `.keyword`, as models are used to.
        """
        if name in _FIXED:
            return _FIXED[name]
        # Before the suffix is cut: a field of metadata may itself end in `.keyword`.
        if name.startswith(METADATA_PREFIX) and (found := self._find_metadata(name)) is not None:
            return found
        if name.endswith(KEYWORD_SUFFIX):
            field = self.find(name.removesuffix(KEYWORD_SUFFIX))
            if field is not None and field.use is FieldUse.VALUES and FieldType.TEXT in field.types | _texts(field):
                return field
        return None

    def matching(self, pattern: str) -> Iterator[IndexField]:
        """Return the fields that a name, or a pattern with `*`, names."""
        if "*" not in pattern:
            field = self.find(pattern)
            return iter(() if field is None else (field,))
        names = [*_FIXED, *(METADATA_PREFIX + name for name in self._metadata)]
        return (field for name in names if is_match(pattern, name) and (field := self.find(name)) is not None)

    def within(self, pattern: str) -> list[IndexField]:
        """Return the fields that a name or a pattern names, or all fields of the object of this name."""
        found = list(self.matching(pattern))
        return found or list(self.matching(f"{pattern}.*"))

    def _find_metadata(self, name: str) -> IndexField | None:
        own = name.removeprefix(METADATA_PREFIX)
        types = self._metadata.get(own)
        return None if types is None else IndexField(name, FieldUse.VALUES, own, types)


def _texts(field: IndexField) -> frozenset[FieldType]:
    """Return the type of texts where the field has lists of them."""
    return _TEXT_TYPES if FieldType.TEXTS in field.types else frozenset()
