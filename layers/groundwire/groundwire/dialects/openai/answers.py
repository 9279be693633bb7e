"""One object, said twice: as `structuredContent`, and as JSON in the one text block."""

import json
from collections.abc import Mapping

from groundwire.domain.documents import Document
from groundwire.protocol.content import Text
from groundwire.protocol.tools import ToolResult


def answer(told: Mapping[str, object]) -> ToolResult:
    """The result of either tool."""
    return ToolResult((Text(json.dumps(told, ensure_ascii=False)),), told)


def title_of(document: Document) -> str:
    """The document's title, on one line; its file's name where it has none."""
    return " ".join((document.title or document.source_file_name).split())
