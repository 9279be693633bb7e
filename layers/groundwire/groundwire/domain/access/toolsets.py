"""Toolsets: a key names the set of tools that its agent sees, so that a model's context holds only what it uses.

`default` is as small as `mindset`: `search` and `fetch` do what `rag_search` and the resources do, in the terms of
another client, and a model that sees two searches calls both. The two differ in their errors: `mindset` returns them
in the form of its contract, `default` as results that a model can act on.
"""

from collections.abc import Mapping
from typing import Final

DEFAULT_TOOLSET: Final = "default"
MINDSET_TOOLSET: Final = "mindset"

TOOLSETS: Final[Mapping[str, tuple[str, ...]]] = {
    DEFAULT_TOOLSET: ("rag_search", "verify_document_access"),
    MINDSET_TOOLSET: ("rag_search", "verify_document_access"),
    "openai": ("search", "fetch"),
}
"""A name that is not here shows no tool at all."""
