"""Test sets: questions and the documents that answer them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.documents.record import Document
from groundwire.domain.search.metrics import Judgements


@dataclass(frozen=True, slots=True)
class Question:
    """Text of a question, searched with the rights of `user` and `tags`."""

    id: str
    text: str
    user: str | None = None
    tags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """Document of a test set."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class TestSet:
    """Questions with relevance judgements.

    Attributes:
        questions: questions with at least one relevant document.
        judgements: grades by question id and document id.
        unanswered: questions without a relevant document.
    """

    __test__ = False  # pytest must not collect this class.

    name: str
    questions: Sequence[Question]
    judgements: Mapping[str, Judgements]
    unanswered: Sequence[Question] = ()


def doc_id_of(corpus_id: str) -> str:
    """Return the id under which a document of a test set is stored: its own, if that is a valid id."""
    # A corpus may use any text as an id, such as a URL.
    return corpus_id if is_doc_id(corpus_id) else f"x-{hashlib.sha256(corpus_id.encode()).hexdigest()[:32]}"


def with_corpus_ids(judgements: Mapping[str, Judgements]) -> Mapping[str, Judgements]:
    """Return the judgements by the ids under which the documents of the test set are stored."""
    return {
        question: {doc_id_of(name): grade for name, grade in judged.items()} for question, judged in judgements.items()
    }


def with_document_ids(
    documents: Sequence[Document], judgements: Mapping[str, Judgements]
) -> tuple[Mapping[str, Judgements], set[str]]:
    """Return the judgements by document id; the input names documents by id, file name or the end of a path.

    A name may start with folders above the ingested folder; then it ends with the whole path of the document. The
    second result has the names that match no document or several, which stay unchanged and match nothing.
    """
    by_name, by_path = _doc_ids_by_name(documents), _doc_ids_by_path(documents)
    unknown: set[str] = set()

    def resolve(name: str) -> str:
        ids = by_name.get(name) or next((by_path[end] for end in _path_suffixes(name) if end in by_path), set[str]())
        if len(ids) == 1:
            return next(iter(ids))
        unknown.add(name)
        return name

    resolved = {
        question: {resolve(name): grade for name, grade in judged.items()} for question, judged in judgements.items()
    }
    return resolved, unknown


def _doc_ids_by_name(documents: Sequence[Document]) -> Mapping[str, set[str]]:
    """Return the document ids by name; an id always names its own document, even if a file has the same name."""
    ids_by_name: dict[str, set[str]] = {}
    for document in documents:
        for name in {document.source_file_name, *_path_suffixes(_path(document))} - {""}:
            ids_by_name.setdefault(name, set()).add(document.doc_id)
    return ids_by_name | {document.doc_id: {document.doc_id} for document in documents}


def _doc_ids_by_path(documents: Sequence[Document]) -> Mapping[str, set[str]]:
    """Return the document ids by the whole path that a document has in the ingested folder."""
    ids_by_path: dict[str, set[str]] = {}
    for document in documents:
        if path := _path(document):
            ids_by_path.setdefault(path, set()).add(document.doc_id)
    return ids_by_path


def _path(document: Document) -> str:
    # Paths of Windows have backslashes, and judgements are written with slashes.
    return (document.source_path or "").replace("\\", "/")


def _path_suffixes(path: str) -> list[str]:
    """Return the path, then its ends, each with one folder less."""
    parts = path.split("/")
    return ["/".join(parts[start:]) for start in range(len(parts))]
