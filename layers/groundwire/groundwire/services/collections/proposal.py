"""Proposals of descriptions, from what public documents have: titles, headings, keywords and languages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from groundwire.domain.access.policy import Readers
from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE, Document, DocumentState
from groundwire.domain.documents.segment import Chunk, Segment
from groundwire.domain.passages.keywords import keywords
from groundwire.ports import Documents, DocumentVersion, Indexes, VectorIndex
from groundwire_readers.text.normalisation import normalise

_MAX_DOCUMENTS_READ: Final = 20
"""Documents whose headings and keywords count; the titles of all do."""
_BUDGETS: Final = {"Documents: ": 120, "Sections: ": 70, "Words: ": 60, "Languages: ": 30}
"""Characters of each part with its label; together with the marks between them below a description's limit."""


class DescriptionProposer:
    """Proposer of descriptions; it reads public documents alone, applies nothing and asks no model."""

    def __init__(self, documents: Documents, indexes: Indexes) -> None:
        self._documents = documents
        self._indexes = indexes

    def __call__(self, tenant: str, collection: str) -> str | None:
        """Return a proposal for the owner to edit; None where the collection has no public document."""
        public = [each for each in self._documents.all(tenant, collection) if _is_public(each)]
        if not public:
            return None
        # Attachments come last, as their names tell little.
        public.sort(key=lambda document: (document.parent is not None, document.doc_id))
        index = self._indexes.for_tenant(tenant)
        headings, words = Counter[str](), Counter[str]()
        for document in public[:_MAX_DOCUMENTS_READ]:
            segments = _segments(index, document)
            headings.update({segment.heading_path[-1] for segment in segments if segment.heading_path})
            words.update(_document_keywords(segments, document.language))
        titles = dict.fromkeys(document.title or document.source_file_name for document in public)
        languages = Counter(each.language for each in public if each.language != UNDETERMINED_LANGUAGE)
        values = (titles, _most_common(headings, titles), _most_common(words, ()), _most_common(languages, ()))
        parts = [_join(label, found, budget) for (label, budget), found in zip(_BUDGETS.items(), values, strict=True)]
        return normalise(" ".join(part for part in parts if part))


def _is_public(document: Document) -> bool:
    return document.state is DocumentState.INDEXED and _is_open(document.readers)


def _is_open(readers: Readers) -> bool:
    return readers.declared.public and (readers.ceiling is None or readers.ceiling.public)


def _segments(index: VectorIndex, document: Document) -> Sequence[Segment]:
    return index.segments(DocumentVersion(document.doc_id, document.version))


def _document_keywords(segments: Sequence[Segment], language: str) -> set[str]:
    chunks = [Chunk(each.ordinal, each.text, each.heading_path, each.page_first, each.page_last) for each in segments]
    return {word for found in keywords(chunks, language) for word in found}


def _most_common(counted: Counter[str], excluded: Iterable[str]) -> list[str]:
    """Return the names by frequency, then by name."""
    known = {name.casefold() for name in excluded}
    ordered = sorted(counted, key=lambda name: (-counted[name], name))
    # Reversed twice, so that of several spellings the most frequent one stays.
    return list({name.casefold(): name for name in reversed(ordered) if name.casefold() not in known}.values())[::-1]


def _join(label: str, names: Iterable[str], budget: int) -> str:
    """Return the names that fit after the label, as a sentence; empty when none does."""
    fitting = ""
    for name in names:
        longer = f"{fitting}, {normalise(name)}" if fitting else normalise(name)
        if len(label) + len(longer) + 1 <= budget:
            fitting = longer
    return f"{label}{fitting}." if fitting else ""
