"""The MCP App that shows the passages of `rag_search` in a host: one document of the package, without a key."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from groundwire_mcp.definitions.apps import App

_FILE: Final = Path(__file__).parent / "passages.html"


def library_apps(uri: str) -> Sequence[App]:
    """Return the apps of a dialect whose search tool names this URI."""
    return (
        App(
            uri,
            "passages",
            "Passages with their sources",
            "Shows the passages of a search, best first, each with file, page and link, and searches again.",
            _document,
        ),
    )


@cache
def _document() -> str:
    """Return the document, which is the same for everybody: the host passes the result of a call to it."""
    return _FILE.read_text(encoding="utf-8")
