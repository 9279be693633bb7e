"""JSON Schemas of the two tools: the contract's parameters, and the results that are published for them."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.limits import MAX_PHRASES

_STRING: Final = {"type": "string"}
NOTICE_SCHEMA: Final = {
    "type": "string",
    "description": "Present when the search was not as good as usual: what was left out, and what to do",
}
_NULL: Final = {"type": "null"}
# One type each, not a list of them: clients that generate code from schemas read no other form alike.
_PAGE: Final = {"anyOf": [{"type": "integer", "minimum": 1}, _NULL]}
_TEXT_OR_NULL: Final = {"anyOf": [_STRING, _NULL]}


def _allowing_unknown_arguments(schema: Mapping[str, object]) -> dict[str, object]:
    """Return the schema without `additionalProperties`, so that it allows further arguments."""
    return {name: value for name, value in schema.items() if name != "additionalProperties"}


SEARCH_INPUT: Final = {
    "type": "object",
    "properties": {
        "search_phrases": {
            "type": "array",
            "items": _STRING,
            "description": "1-5 search phrases for semantic retrieval; the first is the user's own words",
            "minItems": 1,
            "maxItems": MAX_PHRASES,
        }
    },
    "required": ["search_phrases"],
    "additionalProperties": False,
}
CONTRACT_SEARCH_INPUT: Final = _allowing_unknown_arguments(SEARCH_INPUT)
"""Shown to Mindset AI: an argument that its page adds later must not stop a search."""
_CONTRACT_FIELDS: Final = (
    "segment_uid",
    "source_file_name",
    "source_file_type",
    "headline",
    "segment_summary",
    "raw_text",
    "source_url",
)
SEARCH_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "status": {"const": "success"},
        "segments": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    **dict.fromkeys(_CONTRACT_FIELDS, _STRING),
                    "heading_path": {"type": "array", "items": _STRING},
                    "page_first": _PAGE,
                    "page_last": _PAGE,
                    "also_in": {
                        "type": "array",
                        "items": _STRING,
                        "description": "File names of nearly equal passages that the current user may also read",
                    },
                    "trust": {"const": "document"},
                },
                "required": [*_CONTRACT_FIELDS, "heading_path", "page_first", "page_last", "also_in", "trust"],
                "additionalProperties": False,
            },
        },
        "notice": NOTICE_SCHEMA,
    },
    "required": ["status", "segments"],
    "additionalProperties": False,
}
VERIFY_INPUT: Final = {
    "type": "object",
    "properties": {
        "segment_uid": {
            "type": "string",
            "description": "The segment_uid of a passage that rag_search returned, now or in an earlier conversation",
        }
    },
    "required": ["segment_uid"],
    "additionalProperties": False,
}
CONTRACT_VERIFY_INPUT: Final = _allowing_unknown_arguments(VERIFY_INPUT)
VERIFY_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "has_access": {"type": "boolean"},
        "refreshed_url": _TEXT_OR_NULL,
        "access_level": _TEXT_OR_NULL,
        "error": _TEXT_OR_NULL,
    },
    "required": ["has_access", "refreshed_url", "access_level", "error"],
    "additionalProperties": False,
}
