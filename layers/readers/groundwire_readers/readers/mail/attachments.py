"""Selection of a file's attachments: supported types become documents, the others are named in its text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire_readers import formats
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.limits import MAX_ATTACHMENTS, MAX_DOCUMENT_BYTES
from groundwire_readers.contents.parsed import Attachment, Block, BlockKind
from groundwire_readers.text.normalisation import normalise


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file attached to another one, of any type."""

    name: str
    content: bytes


def with_attachments(contents: Contents, files: Sequence[AttachedFile]) -> Contents:
    """Return the contents with the supported attachments, and a last paragraph that names the others."""
    accepted: list[Attachment] = []
    unread: list[str] = []
    bytes_left = MAX_DOCUMENT_BYTES
    for file in files:
        name = _base_name(file.name)
        if (
            formats.is_supported(name)
            and file.content
            and len(file.content) <= bytes_left
            and len(accepted) < MAX_ATTACHMENTS
        ):
            accepted.append(Attachment(name, file.content))
            bytes_left -= len(file.content)
        else:
            unread.append(name)
    named = [Block(BlockKind.PARAGRAPH, f"Attachments not read: {', '.join(unread)}")] if unread else []
    return replace(contents, blocks=contents.blocks + named, attachments=tuple(accepted))


def _base_name(name: str) -> str:
    """Return the name without folders, at most 255 characters."""
    return normalise(name.replace("\\", "/").rpartition("/")[2])[-255:] or "attachment"
