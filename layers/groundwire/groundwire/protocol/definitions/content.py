"""Content blocks: what tools and prompts say, and what a resource holds, as MCP writes it on the wire.

Wire format: `ContentBlock` and `ResourceContents` of the schema of each revision. Audio came with 2025-03-26; a client
of an earlier revision is not sent what its schema does not know. There are no links to resources: agent libraries pass
them to a model's API as files, and the API refuses the request.
"""

from binascii import b2a_base64
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

_AUDIO_SINCE: Final = "2025-03-26"


class Annotations(NamedTuple):
    """Hints about a block or a resource.

    Attributes:
        audience: whom it is for; empty: not said.
        priority: 0 (optional) to 1 (needed); None: not said.
        last_modified: ISO 8601 with a zone; None: not said.
    """

    audience: tuple[Literal["user", "assistant"], ...] = ()
    priority: float | None = None
    last_modified: str | None = None

    def to_json(self) -> dict[str, object]:
        """MCP's `Annotations`; empty when nothing is said."""
        said = {"audience": list(self.audience) or None, "priority": self.priority, "lastModified": self.last_modified}
        return {name: value for name, value in said.items() if value is not None}


class TextContent(NamedTuple):
    """Text."""

    text: str

    def to_json(self) -> dict[str, object]:
        """MCP's `TextContent`."""
        return {"type": "text", "text": self.text}


class MediaContent(NamedTuple):
    """A picture or a sound."""

    kind: Literal["image", "audio"]
    data: bytes
    mime_type: str

    def to_json(self) -> dict[str, object]:
        """MCP's `ImageContent` or `AudioContent`."""
        return {"type": self.kind, "data": _base64(self.data), "mimeType": self.mime_type}


class ResourceContents(NamedTuple):
    """What a resource, or a part of one, holds; bytes travel in base64."""

    uri: str
    body: str | bytes
    mime_type: str

    def to_json(self) -> dict[str, object]:
        """MCP's `TextResourceContents` or `BlobResourceContents`."""
        body = {"text": self.body} if isinstance(self.body, str) else {"blob": _base64(self.body)}
        return {"uri": self.uri, "mimeType": self.mime_type, **body}


class EmbeddedResource(NamedTuple):
    """A resource, whole, within a message."""

    resource: ResourceContents

    def to_json(self) -> dict[str, object]:
        """MCP's `EmbeddedResource`."""
        return {"type": "resource", "resource": self.resource.to_json()}


class Resource(NamedTuple):
    """A resource in a list.

    Attributes:
        name: file name or other handle. title: what people read.
        size: bytes; None where it is not known.
    """

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    annotations: Annotations = Annotations()

    def to_json(self) -> dict[str, object]:
        """MCP's `Resource`."""
        said: dict[str, object | None] = {
            "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
            "size": self.size,
            "annotations": self.annotations.to_json() or None,
        }
        return {name: value for name, value in said.items() if value is not None}


Content: TypeAlias = TextContent | MediaContent | EmbeddedResource


def content_to_json(blocks: tuple[Content, ...], version: str) -> list[Mapping[str, object]]:
    """Those of the blocks that a client of this revision understands."""
    return [block.to_json() for block in blocks if _is_supported(block, version)]


def _is_supported(block: Content, version: str) -> bool:
    # Revisions are dates: their order as text is their order in time.
    return not (isinstance(block, MediaContent) and block.kind == "audio") or version >= _AUDIO_SINCE


def _base64(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode()
