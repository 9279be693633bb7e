"""Conversations with the documents that answer their last message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.domain.documents.record import Document
from groundwire.domain.search.conversation import Turn
from groundwire.services.evaluate.test_set import doc_id_of, with_document_ids


@dataclass(frozen=True, slots=True)
class Conversation:
    """Sequence of messages that ends with one of the user, searched with the rights of `user` and `tags`.

    Attributes:
        kind: its class, such as `follow_up`; the results are means over each class.
        test_set: name of the test set that contains the relevant documents.
        rewrite: reference queries, written by a person who knows the documents.
        relevant: names of the relevant documents; of a compound question, for all of its parts.
    """

    id: str
    kind: str
    test_set: str
    turns: Sequence[Turn]
    rewrite: tuple[str, ...]
    relevant: frozenset[str]
    user: str | None = None
    tags: frozenset[str] = frozenset()


def of_test_set(conversations: Sequence[Conversation], name: str) -> tuple[list[Conversation], Mapping[str, int]]:
    """Return the conversations of a test set, and the number of the others by the names of their test sets."""
    left_out: dict[str, int] = {}
    for each in conversations:
        if each.test_set != name:
            left_out[each.test_set] = left_out.get(each.test_set, 0) + 1
    return [each for each in conversations if each.test_set == name], left_out


def with_stored_ids(
    conversations: Sequence[Conversation], documents: Sequence[Document]
) -> tuple[list[Conversation], set[str]]:
    """Return the conversations with document ids; an owner names documents by id, file name or path.

    The second result has the names that match no document, or more than one: those are unchanged, and never found.
    """
    # In the form of judgements, whose names are resolved in the same way.
    judgements = {each.id: dict.fromkeys(each.relevant, 1) for each in conversations}
    resolved, unknown = with_document_ids(documents, judgements)
    return [replace(each, relevant=frozenset(resolved[each.id])) for each in conversations], unknown


def with_corpus_doc_ids(
    conversations: Sequence[Conversation], documents: Sequence[Document]
) -> tuple[list[Conversation], set[str]]:
    """Return the conversations with the ids under which the documents of a corpus are stored.

    The second result has the names that no document of the corpus has.
    """
    stored = {document.doc_id for document in documents}
    unknown = {name for each in conversations for name in each.relevant if doc_id_of(name) not in stored}
    return [replace(each, relevant=frozenset(map(doc_id_of, each.relevant))) for each in conversations], unknown
