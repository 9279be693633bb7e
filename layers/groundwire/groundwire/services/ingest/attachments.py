"""Attachments as files of their own: named after their parent mail, with its policy and metadata."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.record import Document
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.source_objects.display_names import display_name
from groundwire_readers.contents.parsed import Attachment

NESTED_TOO_DEEP: Final = "it is nested too deeply in attached mails: save it and ingest it by itself"


def attachment_requests(
    request: IngestRequest, parent: Document, content_hash: str, attachments: Sequence[Attachment]
) -> list[IngestRequest]:
    """Return one request per attachment, under the policy of the mail; repeated names get a number.

    Args:
        request: that of the mail.
        parent: record of the mail, before its version with these attachments is complete.
        content_hash: digest of the mail.
        attachments: as the reader found them.
    """
    names: list[str] = []
    policy = request.policy_for(parent)
    is_same_content = parent.content_hash == content_hash
    ceiling = request.contributor.lasting_ceiling(policy.ceiling, is_same_content=is_same_content)
    contributor = request.contributor.of_version_after(parent.contributor, is_same_content=is_same_content)
    for attachment in attachments:
        names.append(_unique_name(names, attachment.name))
    return [
        replace(
            request,
            source_path=f"{request.source_path}#{name}",
            file_name=display_name(attachment.name, None),
            read=_reader(attachment.content),
            policy=replace(policy, ceiling=ceiling),
            doc_id=None,
            source_url=None,
            unchanged_since=None,
            parent=parent.doc_id,
            nesting_depth=request.nesting_depth + 1,
            contributor=contributor,
        )
        for name, attachment in zip(names, attachments, strict=True)
    ]


def with_parent_path(child: Document, before: Document, after: Document) -> Document:
    """Return the attachment's record after its mail has moved to another path."""
    if child.source_path is None or before.source_path is None or after.source_path is None:
        return child
    return replace(child, source_path=after.source_path + child.source_path.removeprefix(before.source_path))


def _unique_name(names: Sequence[str], name: str) -> str:
    unique, number = name, 2
    while unique in names:
        unique = f"{name}#{number}"
        number += 1
    return unique


def _reader(content: bytes) -> Callable[[], bytes]:
    # A lambda within the loop would read the content of the last attachment.
    return lambda: content
