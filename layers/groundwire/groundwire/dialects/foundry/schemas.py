"""JSON Schemas of the six tools."""

from collections.abc import Mapping
from typing import Final

from groundwire.dialects.foundry.strictness import DEFAULT_STRICTNESS, MAX_STRICTNESS
from groundwire.dialects.shared.schemas import NOTICE_SCHEMA
from groundwire.domain.limits import MAX_COLLECTIONS_PER_CALL, MAX_PICTURES_PER_CALL, MAX_TOP_N_PER_COLLECTION

DEFAULT_COLLECTION: Final = "edgeragapp"
"""Name of the collections that the key covers, unless a collection has this name."""
# The reference has this default.
DEFAULT_TOP_N: Final = 5
_STRING: Final = {"type": "string"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_STRICTNESS: Final = {"type": "integer", "minimum": 0, "maximum": MAX_STRICTNESS}
_DEFAULT: Final = {"default": DEFAULT_STRICTNESS}
_COMMON_ARGUMENTS: Final = {
    "query": {"type": "string", "description": "What to search for"},
    "collection_names": {
        "type": "array",
        "items": _STRING,
        "default": [DEFAULT_COLLECTION],
        "maxItems": MAX_COLLECTIONS_PER_CALL,
        "description": "Collections to search; get_available_collections names them",
    },
    "top_n": {
        "type": "integer",
        "default": DEFAULT_TOP_N,
        "minimum": 1,
        "maximum": MAX_TOP_N_PER_COLLECTION,
        "description": "Number of results for each collection",
    },
}
_FILTERS: Final = {
    "filters": {
        "anyOf": [_STRING, {"type": "null"}],
        "default": None,
        "description": 'Milvus boolean expression over metadata, such as: file_path like "%manual%"',
    }
}


def _input(arguments: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {**_COMMON_ARGUMENTS, **arguments, **_FILTERS},
        "required": ["query"],
        "additionalProperties": False,
    }


_ONE_STRICTNESS: Final = {
    "strictness": {
        **_STRICTNESS,
        **_DEFAULT,
        "description": "0 returns all results; higher values leave out less relevant ones",
    }
}
_INCLUDE_IMAGES: Final = {
    "include_images": {
        "type": "boolean",
        "default": False,
        "description": f"Return the pictures of the best images too, {MAX_PICTURES_PER_CALL} at most",
    }
}
SEARCH_INPUT: Final = _input(_ONE_STRICTNESS)
IMAGE_INPUT: Final = _input({**_ONE_STRICTNESS, **_INCLUDE_IMAGES})
MULTIMODAL_INPUT: Final = _input(
    {
        "text_strictness": {**_STRICTNESS, **_DEFAULT, "description": "Strictness for passages; 0 returns all"},
        "image_strictness": {**_STRICTNESS, **_DEFAULT, "description": "Strictness for images; 0 returns all"},
        "strictness": {**_STRICTNESS, "description": "Strictness for both; a strictness of their own has precedence"},
        **_INCLUDE_IMAGES,
    }
)


def _results(
    *vector_types: str, optional: Mapping[str, object] | None = None, **own: Mapping[str, object]
) -> dict[str, object]:
    required = {
        "content": _STRING,
        "file_path": _STRING,
        "chunk_id": _STRING,
        **own,
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "page_numbers": {"type": "array", "items": {"type": "integer"}},
        "vector_type": {"enum": list(vector_types)},
    }
    items = {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": [*required],
        "additionalProperties": False,
    }
    return {"type": "array", "items": items}


_PASSAGES: Final = _results("dense", "sparse")
_PICTURE: Final = {
    "picture": {
        "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}],
        "description": "With include_images: number of its picture among those after this text; null without one",
    }
}
_IMAGES: Final = _results(
    "image", optional=_PICTURE, image_id={**_STRING, "description": "Id by which `fetch` returns the image"}
)
_METADATA: Final = {
    "type": "object",
    "properties": {
        "results_number": _COUNT,
        "search_type": _STRING,
        "collection": _STRING,
        "notice": NOTICE_SCHEMA,
    },
    "required": ["results_number", "search_type", "collection"],
    "additionalProperties": False,
}


def _output(**lists: Mapping[str, object]) -> dict[str, object]:
    entry = {
        "type": "object",
        "properties": {**lists, "metadata": _METADATA},
        "required": [*lists, "metadata"],
        "additionalProperties": False,
    }
    return {"type": "object", "additionalProperties": entry}


SEARCH_OUTPUT: Final = _output(results=_PASSAGES)
IMAGE_OUTPUT: Final = _output(results=_IMAGES)
MULTIMODAL_OUTPUT: Final = _output(text_chunks=_PASSAGES, image_chunks=_IMAGES)
_NO_PROPERTIES: Final[Mapping[str, object]] = {}
COLLECTIONS_INPUT: Final = {"type": "object", "properties": _NO_PROPERTIES, "additionalProperties": False}
_TEXT_OR_NULL: Final = {"anyOf": [_STRING, {"type": "null"}]}
COLLECTIONS_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "collections": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": _STRING,
                    "description": _TEXT_OR_NULL,
                    "status": {"const": "active"},
                    "created_at": {**_TEXT_OR_NULL, "description": "ISO 8601; null where it is unknown"},
                },
                "required": ["name", "description", "status", "created_at"],
                "additionalProperties": False,
            },
        },
        "total_count": _COUNT,
    },
    "required": ["collections", "total_count"],
    "additionalProperties": False,
}
