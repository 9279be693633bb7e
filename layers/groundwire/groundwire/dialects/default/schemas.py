"""JSON Schemas of the tools of the `default` dialect."""

from collections.abc import Mapping
from typing import Final

from groundwire.dialects.shared.schemas import NOTICE_SCHEMA
from groundwire.domain import limits

_STRING: Final = {"type": "string"}
_PAGES: Final = {
    "type": "array",
    "items": {"type": "integer", "minimum": 1},
    "description": "First and last page in the source; empty where it has none",
}
_MAX_TOKENS: Final = {
    "type": "integer",
    "minimum": limits.MIN_ANSWER_TOKENS,
    "maximum": limits.MAX_ANSWER_TOKENS,
    "description": "Size of the answer",
}

SEARCH_INPUT: Final = {
    "type": "object",
    "properties": {
        "search_phrases": {
            "type": "array",
            "items": _STRING,
            "description": "1-5 search phrases; the first is the user's own words",
            "minItems": 1,
            "maxItems": limits.MAX_PHRASES,
        },
        "collections": {
            "type": "array",
            "items": _STRING,
            "description": "Search these collections only; list_collections names them",
        },
        "top_n": {
            "type": "integer",
            "minimum": 1,
            "maximum": limits.MAX_TOP_N,
            "description": "Number of passages in the answer",
        },
        "filter": {
            "type": "string",
            "description": "Condition on metadata, such as: year >= 2024 and department in (sales, legal)",
        },
        "min_relevance": {
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "Leave out less relevant passages; 0 keeps all, and by default weak ones are left out",
        },
        "max_tokens": _MAX_TOKENS,
    },
    "required": ["search_phrases"],
    "additionalProperties": False,
}
SEARCH_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "note": {"type": "string", "description": "How to treat the passages"},
        "passages": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer", "minimum": 1},
                    "id": {"type": "string", "description": "What fetch takes"},
                    "text": _STRING,
                    "headings": {"type": "array", "items": _STRING},
                    "pages": _PAGES,
                    "relevance": {
                        "type": "number",
                        "minimum": 0,
                        "maximum": 1,
                        "description": "Chance that the passage answers; absent where it is unknown",
                    },
                    "also_in": {
                        "type": "array",
                        "items": _STRING,
                        "description": "Other files with nearly the same passage that the user may also read",
                    },
                },
                "required": ["number", "id", "text", "headings", "pages"],
                "additionalProperties": False,
            },
        },
        "sources": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "passages": {"type": "array", "items": {"type": "integer", "minimum": 1}},
                    "document_id": _STRING,
                    "file_name": _STRING,
                    "title": {"type": "string", "description": "Present if the document has one of its own"},
                    "collection": _STRING,
                    "url": {"type": "string", "description": "Address at which the user can open the document"},
                },
                "required": ["passages", "document_id", "file_name", "url"],
                "additionalProperties": False,
            },
        },
        "more": {
            "type": "integer",
            "minimum": 1,
            "description": "Number of further passages for which max_tokens has no room",
        },
        "notice": NOTICE_SCHEMA,
    },
    "required": ["note", "passages", "sources"],
    "additionalProperties": False,
}
FETCH_INPUT: Final = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "Id of a passage or of a document"},
        "page": {
            "type": "integer",
            "minimum": 1,
            "description": "Read this page of the document's text instead of the passage with its surrounding text",
        },
        "max_tokens": _MAX_TOKENS,
    },
    "required": ["id"],
    "additionalProperties": False,
}
FETCH_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "note": {"type": "string", "description": "How to treat the text"},
        "id": _STRING,
        "text": _STRING,
        "headings": {"type": "array", "items": _STRING},
        "pages": _PAGES,
        "document_id": _STRING,
        "title": _STRING,
        "file_name": _STRING,
        "url": {"type": "string", "description": "Address at which the user can open the document"},
        "page": {
            "type": "integer",
            "minimum": 1,
            "description": "Page of the document's text with this passage; absent for an image",
        },
        "page_count": {"type": "integer", "minimum": 1},
        "more": {
            "type": "integer",
            "minimum": 1,
            "description": "Number of further passages of the page for which max_tokens has no room",
        },
    },
    "required": [
        "note",
        "id",
        "text",
        "headings",
        "pages",
        "document_id",
        "title",
        "file_name",
        "url",
        "page_count",
    ],
    "additionalProperties": False,
}
_NO_PROPERTIES: Final[Mapping[str, object]] = {}
LIST_COLLECTIONS_INPUT: Final = {"type": "object", "properties": _NO_PROPERTIES, "additionalProperties": False}
LIST_COLLECTIONS_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "collections": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "description": {
                        "anyOf": [{"type": "string"}, {"type": "null"}],
                        "description": "The owner's description of the collection; null without one",
                    },
                },
                "required": ["name", "description"],
                "additionalProperties": False,
            },
        },
        "more": {
            "type": "integer",
            "minimum": 1,
            "description": "Number of further collections for which the answer has no room",
        },
    },
    "required": ["collections"],
    "additionalProperties": False,
}
