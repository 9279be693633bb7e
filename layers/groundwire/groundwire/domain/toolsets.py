"""Which tools an agent sees: a key names its toolset, so that a model's context holds only what it uses."""

from collections.abc import Mapping
from typing import Final

DEFAULT_TOOLSET: Final = "default"

TOOLSETS: Final[Mapping[str, tuple[str, ...]]] = {
    DEFAULT_TOOLSET: ("rag_search", "verify_document_access"),
    "mindset": ("rag_search", "verify_document_access"),
}
"""A name that is not here shows no tool at all."""
