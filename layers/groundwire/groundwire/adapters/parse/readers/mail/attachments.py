"""The files within a file: those of a type that is read are given, the others named in its text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.adapters.parse import formats
from groundwire.adapters.parse.contents import Contents
from groundwire.domain.documents.parsed import Attachment, Block, BlockKind
from groundwire.domain.limits import MAX_ATTACHMENTS, MAX_DOCUMENT_BYTES
from groundwire.domain.text.normalisation import normalise


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file found within another, whatever it is."""

    name: str
    content: bytes


def with_attachments(contents: Contents, files: Sequence[AttachedFile]) -> Contents:
    """The contents with the attachments, and a last paragraph that names those that are not read."""
    given: list[Attachment] = []
    unread: list[str] = []
    left = MAX_DOCUMENT_BYTES
    for file in files:
        name = _base_name(file.name)
        if formats.is_supported(name) and file.content and len(file.content) <= left and len(given) < MAX_ATTACHMENTS:
            given.append(Attachment(name, file.content))
            left -= len(file.content)
        else:
            unread.append(name)
    named = [Block(BlockKind.PARAGRAPH, f"Attachments not read: {', '.join(unread)}")] if unread else []
    return replace(contents, blocks=contents.blocks + named, attachments=tuple(given))


def _base_name(name: str) -> str:
    """The name without the folders that its sender put before it."""
    return normalise(name.replace("\\", "/").rpartition("/")[2])[-255:] or "attachment"
