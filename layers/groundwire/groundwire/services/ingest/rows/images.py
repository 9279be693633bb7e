"""Rows of a document's images: their texts as segments, in an index of their own, which no search for passages reads.

A row has the same form as a passage: the text that is shown is caption, alternative text and recognised text, the
context that is searched but not shown is the text nearby. The sketch is the SHA-256 of the picture.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from groundwire.domain.documents.ids import segment_uid
from groundwire.domain.documents.indexed_fields import indexed_fields
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.ports import DocumentVersion, Embedders, ImageEmbedder, Indexes
from groundwire.services.documents.images.embedding import ImageTextEmbedders, with_pictures
from groundwire.services.documents.images.store import ImageStore
from groundwire.services.ingest.rows.segments import embed_segments, embedding_key
from groundwire_readers.contents.parsed import ParsedImage


class ImageWriter:
    """Writer of the images of a version: the pictures beside the original, their rows into the index of images."""

    def __init__(
        self, store: ImageStore, indexes: Indexes, embedders: Embedders, image_embedder: ImageEmbedder | None
    ) -> None:
        self._store = store
        self._indexes = indexes
        self._embedders = ImageTextEmbedders(embedders, image_embedder)
        self._image_embedder = image_embedder

    def __call__(self, tenant: str, record: Document, images: Sequence[ParsedImage]) -> None:
        """Store all images of the version before it is published; repeating it changes nothing.

        The pictures come first, so that no row names a picture that is not stored.
        """
        self._store.put(tenant, record.doc_id, record.version, images)
        if not images:
            # Rows of earlier versions are removed by the reconciliation.
            return
        index = self._indexes.for_tenant(tenant)
        segments = image_segments(record, images)
        stored = index.vectors(record.doc_id)
        known = {embedding_key(each): stored[each.uid] for each in segments if each.uid in stored}
        embedder = self._embedders.for_model(index.model)
        embedded = embed_segments(embedder, segments, known, lambda _done, _all: None)
        rows = with_pictures(embedded.inputs, images, index.model, self._image_embedder, stored)
        index.put(DocumentVersion(record.doc_id, record.version), record.readers, rows, indexed_fields(record))


def image_segments(record: Document, images: Sequence[ParsedImage]) -> list[Segment]:
    """Return a segment per image, in order; equal uids mean equal pictures with equal texts, and so equal vectors."""
    occurrences: Counter[str] = Counter()
    segments: list[Segment] = []
    for image in images:
        segment = _segment(record, image)
        content = f"{image.digest}\0{embedding_key(segment)}"
        uid = segment_uid(record.doc_id, content, occurrences[content])
        occurrences[content] += 1
        segments.append(replace(segment, uid=uid))
    return segments


def _segment(record: Document, image: ParsedImage) -> Segment:
    # A caption is often repeated as alternative text.
    shown = dict.fromkeys(text for text in (image.caption, image.alt_text, image.recognised_text) if text)
    return Segment(
        uid="",
        doc_id=record.doc_id,
        version=record.version,
        collection=record.collection,
        ordinal=image.position,
        text="\n".join(shown),
        heading_path=(record.title,) if record.title else (),
        page_first=image.page,
        page_last=image.page,
        headline="",
        summary="",
        title=record.title,
        language=record.language,
        context=image.nearby_text,
        sketch=bytes.fromhex(image.digest),
    )
