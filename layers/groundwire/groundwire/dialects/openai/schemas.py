"""JSON Schemas of the two tools."""

from typing import Final

from groundwire.dialects.shared.schemas import NOTICE_SCHEMA

_STRING: Final = {"type": "string"}

SEARCH_INPUT: Final = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "Text to search for"},
    },
    "required": ["query"],
    "additionalProperties": False,
}
SEARCH_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "description": "What fetch takes"},
                    "title": _STRING,
                    "url": {"type": "string", "description": "For citation"},
                },
                "required": ["id", "title", "url"],
                "additionalProperties": False,
            },
        },
        "notice": NOTICE_SCHEMA,
    },
    "required": ["results"],
    "additionalProperties": False,
}
FETCH_INPUT: Final = {
    "type": "object",
    "properties": {
        "id": {
            "type": "string",
            "description": "An id that search returned, or that a fetched text names as its next page",
        },
    },
    "required": ["id"],
    "additionalProperties": False,
}
FETCH_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "id": _STRING,
        "title": _STRING,
        "text": _STRING,
        "url": {"type": "string", "description": "For citation"},
        "metadata": {"type": "object", "additionalProperties": _STRING},
    },
    "required": ["id", "title", "text", "url", "metadata"],
    "additionalProperties": False,
}
