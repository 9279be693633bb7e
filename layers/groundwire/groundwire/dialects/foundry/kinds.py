"""Kinds of search: signals, names and schemas of the five search tools."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from groundwire.dialects.foundry.schemas import (
    IMAGE_INPUT,
    IMAGE_OUTPUT,
    MULTIMODAL_INPUT,
    MULTIMODAL_OUTPUT,
    SEARCH_INPUT,
    SEARCH_OUTPUT,
)
from groundwire.domain.search.request import SearchMode


class SearchKind(NamedTuple):
    """Kind of search of one tool.

    Attributes:
        search_type: name in the answer's metadata.
        mode: signals by which passages are searched; None: the tool finds no passages.
        vector_type: kind of vector named beside each passage.
        has_images: whether the tool finds images.
    """

    title: str
    description: str
    search_type: str
    mode: SearchMode | None
    vector_type: str
    has_images: bool
    input_schema: Mapping[str, object] = SEARCH_INPUT
    output_schema: Mapping[str, object] = SEARCH_OUTPUT

    @property
    def is_multimodal(self) -> bool:
        """Return whether the tool finds both passages and images, in lists of their own."""
        return self.mode is not None and self.has_images


_ONLY_READABLE: Final = "Returns only what the current user may read, by collection."
KINDS: Final[Mapping[str, SearchKind]] = {
    "search_hybrid": SearchKind(
        "Hybrid search",
        "Searches collections by meaning and by keywords together. The recommended search for most questions. "
        + _ONLY_READABLE,
        "hybrid_search",
        SearchMode.HYBRID,
        "dense",
        has_images=False,
    ),
    "search_vector": SearchKind(
        "Semantic search",
        "Searches collections by meaning alone. Use it if the question has other words than the documents. "
        + _ONLY_READABLE,
        "vector_search",
        SearchMode.SEMANTIC,
        "dense",
        has_images=False,
    ),
    "search_text": SearchKind(
        "Keyword search",
        "Searches collections by keywords alone. Use it for exact terms, codes and product names. " + _ONLY_READABLE,
        "full_text_search",
        SearchMode.LEXICAL,
        # The reference does not name the vectors of this tool, which compares words alone.
        "sparse",
        has_images=False,
    ),
    "search_image": SearchKind(
        "Image search",
        "Searches the images of documents by a description in words. " + _ONLY_READABLE,
        "image_search",
        None,
        "image",
        has_images=True,
        input_schema=IMAGE_INPUT,
        output_schema=IMAGE_OUTPUT,
    ),
    "search_multimodal": SearchKind(
        "Text and image search",
        "Searches passages, by meaning and keywords, and images of documents. Use it if an answer needs both. "
        + _ONLY_READABLE,
        "multimodal_search",
        SearchMode.HYBRID,
        "dense",
        has_images=True,
        input_schema=MULTIMODAL_INPUT,
        output_schema=MULTIMODAL_OUTPUT,
    ),
}
"""The kinds by the names of their tools."""
