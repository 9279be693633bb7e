"""Result with one object in two forms: `structuredContent`, and JSON in the only text block."""

import json
from collections.abc import Mapping

from groundwire.domain.documents.record import Document
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tools import ToolResult


def json_result(members: Mapping[str, object]) -> ToolResult:
    """The result of either tool."""
    return ToolResult((TextContent(json.dumps(members, ensure_ascii=False)),), members)


def display_title(document: Document) -> str:
    """The document's title, on one line; its file's name where it has none."""
    return " ".join((document.title or document.source_file_name).split())
