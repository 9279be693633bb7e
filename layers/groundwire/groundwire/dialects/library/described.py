"""Collections and documents as MCP lists them."""

from typing import Final

from groundwire.dialects.library.uris import CollectionUri, DocumentUri
from groundwire.domain.documents import Collection, Document
from groundwire.domain.moments import utc
from groundwire.protocol.content import Annotations, Resource
from groundwire.services.browse import Entry

MIME_TYPE: Final = "text/plain"
"""Of what is served: text taken out of the file, whatever the file is."""


def described(entry: Entry) -> Resource:
    """The entry of a list."""
    return _collection(entry) if isinstance(entry, Collection) else _document(entry)


def _collection(collection: Collection) -> Resource:
    return Resource(
        uri=str(CollectionUri(collection.name)),
        name=collection.name,
        title=f"Collection {collection.name}",
        description="The documents of this collection that the current user may read.",
        mime_type=MIME_TYPE,
    )


def _document(document: Document) -> Resource:
    """The size is that of the file, as people know it; its text is mostly smaller, and comes in pages."""
    return Resource(
        uri=str(DocumentUri(document.doc_id)),
        name=document.source_file_name,
        title=document.title or document.source_file_name,
        description=f"In the collection {document.collection}.",
        mime_type=MIME_TYPE,
        size=document.size_bytes,
        annotations=_annotations(document),
    )


def _annotations(document: Document) -> Annotations:
    changed = utc(document.updated_at)
    return Annotations(last_modified=None if changed is None else changed.isoformat())
