"""Attachments as files of their own: named after the mail that carries them, under its policy and metadata."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.documents import Attachment, Document
from groundwire.services.ingest.naming import shown_name
from groundwire.services.ingest.request import IngestRequest

TOO_DEEP: Final = "it lies too deep, in a mail within mails: save it and ingest it by itself"


def attached_requests(request: IngestRequest, mail: Document, attachments: Sequence[Attachment]) -> list[IngestRequest]:
    """One request per attachment; of several with one name, the later are numbered."""
    names: list[str] = []
    for attachment in attachments:
        names.append(_unlike(names, attachment.name))
    return [
        replace(
            request,
            source_path=f"{request.source_path}#{name}",
            file_name=shown_name(attachment.name, None),
            read=_reader(attachment.content),
            doc_id=None,
            source_url=None,
            unchanged_since=None,
            parent=mail.doc_id,
            nested=request.nested + 1,
        )
        for name, attachment in zip(names, attachments, strict=True)
    ]


def moved(child: Document, before: Document, after: Document) -> Document:
    """The attachment of a mail that has another path now."""
    if child.source_path is None or before.source_path is None or after.source_path is None:
        return child
    return replace(child, source_path=after.source_path + child.source_path.removeprefix(before.source_path))


def _unlike(names: Sequence[str], name: str) -> str:
    unlike, number = name, 2
    while unlike in names:
        unlike = f"{name}#{number}"
        number += 1
    return unlike


def _reader(content: bytes) -> Callable[[], bytes]:
    return lambda: content
