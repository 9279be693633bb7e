"""Which tools an agent sees: a key names its toolset, so that a model's context holds only what it uses.

`default` stays as small as `mindset`: `search` and `fetch` find and read what `rag_search` and the resources do, in
the words of another client, and a model that sees two searches asks both. The two differ in their faults: `mindset`
answers them as its page says, `default` as results that a model can act on.
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
