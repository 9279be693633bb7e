"""Members of a retrieve request, by version: one table for agents and knowledge bases."""

from typing import Final

from groundwire.dialects.azure.requests.members import Member, MemberType, ObjectType
from groundwire.dialects.azure.versions import (
    AGENTS,
    ALL,
    FROM_MAY_2026,
    KNOWLEDGE_BASES,
    KNOWLEDGE_SOURCES,
    NOVEMBER_PREVIEWS,
    ApiVersion,
)

_MAY_2025: Final = frozenset({ApiVersion.MAY_2025})
_AUGUST_2026: Final = frozenset({ApiVersion.AUGUST_2026})
_IMAGE: Final = ObjectType((Member("url", MemberType.TEXT),))
_CONTENT: Final = ObjectType(
    (
        Member("type", MemberType.TEXT, required=ALL),
        Member("text", MemberType.TEXT),
        Member("image", _IMAGE),
    )
)
_MESSAGE: Final = ObjectType(
    (
        Member("role", MemberType.TEXT, required=_MAY_2025),
        Member("content", _CONTENT, required=ALL, is_list=True),
    )
)
_THRESHOLD: Final = Member("rerankerThreshold", MemberType.NUMBER)
_SOURCE_DATA: Final = Member("includeReferenceSourceData", MemberType.BOOLEAN, aliases=("IncludeReferenceSourceData",))
_FILTER: Final = Member("filterAddOn", MemberType.TEXT)
_TARGET_INDEX: Final = ObjectType(
    (
        Member("indexName", MemberType.TEXT),
        _FILTER,
        Member("maxDocsForReranker", MemberType.INTEGER),
        _THRESHOLD,
        _SOURCE_DATA,
    )
)
_KNOWLEDGE_SOURCE: Final = ObjectType(
    (
        Member("knowledgeSourceName", MemberType.TEXT, required=ALL),
        Member("kind", MemberType.TEXT, required=ALL),
        Member("includeReferences", MemberType.BOOLEAN),
        _SOURCE_DATA,
        Member("alwaysQuerySource", MemberType.BOOLEAN, KNOWLEDGE_SOURCES - {ApiVersion.APRIL_2026}),
        _THRESHOLD,
        _FILTER,
        Member("enableImageServing", MemberType.BOOLEAN, FROM_MAY_2026),
        Member("failOnError", MemberType.BOOLEAN, FROM_MAY_2026),
        Member("maxOutputDocuments", MemberType.INTEGER, FROM_MAY_2026),
        Member("neverQuerySource", MemberType.BOOLEAN, _AUGUST_2026),
    )
)
_INTENT: Final = ObjectType(
    (Member("type", MemberType.TEXT, required=ALL), Member("search", MemberType.TEXT, required=ALL))
)
RETRIEVE_REQUEST: Final = ObjectType(
    (
        Member("messages", _MESSAGE, ALL - {ApiVersion.APRIL_2026}, required=AGENTS, is_list=True),
        Member("targetIndexParams", _TARGET_INDEX, _MAY_2025, is_list=True),
        Member("knowledgeSourceParams", _KNOWLEDGE_SOURCE, KNOWLEDGE_SOURCES, is_list=True),
        Member("intents", _INTENT, KNOWLEDGE_BASES, is_list=True),
        Member("maxRuntimeInSeconds", MemberType.INTEGER, KNOWLEDGE_BASES),
        Member("maxOutputSize", MemberType.INTEGER, NOVEMBER_PREVIEWS),
        Member("maxOutputSizeInTokens", MemberType.INTEGER, FROM_MAY_2026 | {ApiVersion.APRIL_2026}),
        Member("includeActivity", MemberType.BOOLEAN, KNOWLEDGE_BASES),
        Member(
            "retrievalReasoningEffort",
            ObjectType((Member("kind", MemberType.TEXT, required=ALL),)),
            NOVEMBER_PREVIEWS,
        ),
        Member("outputMode", MemberType.TEXT, NOVEMBER_PREVIEWS),
        Member("maxOutputDocuments", MemberType.INTEGER, FROM_MAY_2026),
    )
)
