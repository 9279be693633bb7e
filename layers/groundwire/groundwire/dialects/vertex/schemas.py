"""JSON Schemas of `retrieve_contexts`.

Members stand in camelCase; the tool takes them in snake_case, too, so that no schema forbids further members. The
output schema requires nothing: an answer without contexts, and an error, fit it.
"""

from typing import Final

_TEXT: Final = {"type": "string"}
_MODEL: Final = {"type": "object", "properties": {"modelName": {"type": "string", "description": "Any name"}}}
_ALPHA: Final = {
    "type": "number",
    "minimum": 0,
    "maximum": 1,
    "description": "0: by words alone; 1: by meaning alone; between: both",
}
_FILTER: Final = {
    "type": "object",
    "description": "At most one of the two thresholds",
    "properties": {
        "metadataFilter": {
            "type": "string",
            "description": 'CEL over the metadata of documents, such as: year == 2024 && month == "May"',
        },
        "vectorDistanceThreshold": {
            "type": "number",
            "description": "Only contexts with a smaller distance, from 0 (the same) to 2",
        },
        "vectorSimilarityThreshold": {
            "type": "number",
            "description": "Only contexts with a larger similarity, which is 1 minus the distance",
        },
    },
}
_CONFIG: Final = {
    "type": "object",
    "properties": {
        "topK": {"type": "integer", "description": "Number of contexts, at most 100; the default is 10"},
        "hybridSearch": {"type": "object", "properties": {"alpha": _ALPHA}},
        "filter": _FILTER,
        "ranking": {
            "type": "object",
            "description": "Request the configured reranker",
            "properties": {"rankService": _MODEL, "llmRanker": _MODEL},
        },
    },
}
_RESOURCE: Final = {
    "type": "object",
    "properties": {
        "ragCorpus": {
            "type": "string",
            "description": "projects/{project}/locations/{location}/ragCorpora/{rag_corpus}",
        },
        "ragFileIds": {"type": "array", "items": _TEXT, "description": "Files of that corpus"},
    },
}
RETRIEVE_CONTEXTS_INPUT: Final = {
    "type": "object",
    "properties": {
        "parent": {"type": "string", "description": "projects/{project}/locations/{location}"},
        "query": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "Text to search for"},
                "ragRetrievalConfig": _CONFIG,
                "similarityTopK": {"type": "integer", "deprecated": True, "description": "Use topK"},
                "ranking": {"type": "object", "deprecated": True, "properties": {"alpha": _ALPHA}},
            },
            "required": ["text"],
        },
        "vertexRagStore": {
            "type": "object",
            "properties": {
                "ragResources": {
                    "type": "array",
                    "items": _RESOURCE,
                    "description": "One corpus, or files of one corpus",
                },
                "ragCorpora": {"type": "array", "items": _TEXT, "deprecated": True, "description": "Use ragResources"},
                "vectorDistanceThreshold": {
                    "type": "number",
                    "deprecated": True,
                    "description": "Use the one of the filter",
                },
            },
        },
    },
    "required": ["parent", "query"],
}
_CHUNK: Final = {
    "type": "object",
    "properties": {
        "text": _TEXT,
        "pageSpan": {
            "type": "object",
            "properties": {"firstPage": {"type": "integer"}, "lastPage": {"type": "integer"}},
        },
    },
}
_CONTEXT: Final = {
    "type": "object",
    "properties": {
        "sourceUri": {"type": "string", "description": "Address at which the document can be opened"},
        "sourceDisplayName": _TEXT,
        "text": _TEXT,
        "chunk": _CHUNK,
        "score": {"type": "number", "description": "Cosine distance: 0 is nearest, 2 farthest"},
    },
}
RETRIEVE_CONTEXTS_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "contexts": {
            "type": "object",
            "properties": {"contexts": {"type": "array", "items": _CONTEXT}},
        },
    },
}
