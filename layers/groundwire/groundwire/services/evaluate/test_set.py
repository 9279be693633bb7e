"""A test set: questions, and which documents answer them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.documents.record import Document
from groundwire.domain.search.metrics import Judgements


@dataclass(frozen=True, slots=True)
class Question:
    """One question, asked with the rights of `user` and `tags`, where documents have readers of their own."""

    id: str
    text: str
    user: str | None = None
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of a test set."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class TestSet:
    """Questions with at least one relevant document, and their judgements by the documents' own ids."""

    __test__ = False  # Not a test of pytest's.

    name: str
    questions: Sequence[Question]
    judgements: Mapping[str, Judgements]


def doc_id_of(corpus_id: str) -> str:
    """The id under which a document of a test set is kept: its own, if it can be one."""
    return corpus_id if is_doc_id(corpus_id) else f"x-{hashlib.sha256(corpus_id.encode()).hexdigest()[:32]}"


def with_corpus_ids(judgements: Mapping[str, Judgements]) -> Mapping[str, Judgements]:
    """Judgements by the ids under which the documents of the test set are kept."""
    return {
        question: {doc_id_of(name): grade for name, grade in judged.items()} for question, judged in judgements.items()
    }


def with_document_ids(
    documents: Sequence[Document], judgements: Mapping[str, Judgements]
) -> tuple[Mapping[str, Judgements], set[str]]:
    """Judgements by the ids of documents that an owner names by id, file name or the end of a path.

    Returns them with the names that no document, or more than one, answers to: those stay what they are, and are
    never found.
    """
    by_name = _doc_ids_by_name(documents)
    unknown: set[str] = set()

    def found(name: str) -> str:
        ids = by_name.get(name, set())
        if len(ids) == 1:
            return next(iter(ids))
        unknown.add(name)
        return name

    resolved = {
        question: {found(name): grade for name, grade in judged.items()} for question, judged in judgements.items()
    }
    return resolved, unknown


def _doc_ids_by_name(documents: Sequence[Document]) -> Mapping[str, set[str]]:
    """An id names its document alone, whatever files are called."""
    named: dict[str, set[str]] = {}
    for document in documents:
        parts = (document.source_path or "").replace("\\", "/").split("/")
        ends = {"/".join(parts[start:]) for start in range(len(parts))}
        for name in {document.source_file_name, *ends} - {""}:
            named.setdefault(name, set()).add(document.doc_id)
    return named | {document.doc_id: {document.doc_id} for document in documents}
