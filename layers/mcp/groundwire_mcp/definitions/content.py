"""Content blocks of tool results, prompts and resources, in MCP's JSON form.

Wire format: `ContentBlock` and `ResourceContents` of the schema of each revision. 2025-03-26 introduced audio; a
client of an earlier revision gets no block that its schema does not define. The server sends no resource links: agent
libraries pass them to a model's API as files, and the API rejects the request.
"""

from binascii import b2a_base64
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

_AUDIO_SINCE: Final = "2025-03-26"


class Annotations(NamedTuple):
    """Hints about a block or a resource.

    Attributes:
        audience: intended readers; empty when unspecified.
        priority: 0 (optional) to 1 (needed); None when unspecified.
        last_modified: ISO 8601 with a time zone; None when unspecified.
    """

    audience: tuple[Literal["user", "assistant"], ...] = ()
    priority: float | None = None
    last_modified: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return MCP's `Annotations`; empty when no hint is set."""
        members = {
            "audience": list(self.audience) or None,
            "priority": self.priority,
            "lastModified": self.last_modified,
        }
        return {name: value for name, value in members.items() if value is not None}


class TextContent(NamedTuple):
    """A text block."""

    text: str

    def to_json(self) -> dict[str, object]:
        """Return MCP's `TextContent`."""
        return {"type": "text", "text": self.text}


class MediaContent(NamedTuple):
    """An image or audio block.

    Attributes:
        meta: the member `_meta`, for programs; none where it is empty.
    """

    kind: Literal["image", "audio"]
    data: bytes
    mime_type: str
    meta: Mapping[str, object] = {}

    def to_json(self) -> dict[str, object]:
        """Return MCP's `ImageContent` or `AudioContent`."""
        meta = {"_meta": dict(self.meta)} if self.meta else {}
        return {"type": self.kind, "data": _base64(self.data), "mimeType": self.mime_type, **meta}


class ResourceContents(NamedTuple):
    """The content of a resource or of one part of it; bytes are sent in base64."""

    uri: str
    body: str | bytes
    mime_type: str

    def to_json(self) -> dict[str, object]:
        """Return MCP's `TextResourceContents` or `BlobResourceContents`."""
        body = {"text": self.body} if isinstance(self.body, str) else {"blob": _base64(self.body)}
        return {"uri": self.uri, "mimeType": self.mime_type, **body}


class EmbeddedResource(NamedTuple):
    """A whole resource inside a message."""

    resource: ResourceContents

    def to_json(self) -> dict[str, object]:
        """Return MCP's `EmbeddedResource`."""
        return {"type": "resource", "resource": self.resource.to_json()}


class Resource(NamedTuple):
    """A resource in a list.

    Attributes:
        name: file name or another identifier for programs.
        title: display name for people.
        size: bytes; None when it is unknown.
    """

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    annotations: Annotations = Annotations()

    def to_json(self) -> dict[str, object]:
        """Return MCP's `Resource`."""
        members: dict[str, object | None] = {
            "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
            "size": self.size,
            "annotations": self.annotations.to_json() or None,
        }
        return {name: value for name, value in members.items() if value is not None}


Content: TypeAlias = TextContent | MediaContent | EmbeddedResource


def content_to_json(blocks: tuple[Content, ...], version: str) -> list[Mapping[str, object]]:
    """Return the blocks that a client of this revision understands."""
    # Revisions are ISO dates, so text order is time order.
    if version < _AUDIO_SINCE:
        blocks = tuple(block for block in blocks if not (isinstance(block, MediaContent) and block.kind == "audio"))
    return [block.to_json() for block in blocks]


def _base64(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode()
