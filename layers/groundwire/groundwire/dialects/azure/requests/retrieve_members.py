"""Members of a retrieve request, by version: one table for agents and knowledge bases."""

from typing import Final

from groundwire.dialects.azure.requests.members import MemberType, ObjectType, VersionedMember
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
_IMAGE: Final = ObjectType((VersionedMember("url", MemberType.TEXT),))
_CONTENT: Final = ObjectType(
    (
        VersionedMember("type", MemberType.TEXT, required=ALL),
        VersionedMember("text", MemberType.TEXT),
        VersionedMember("image", _IMAGE),
    )
)
_MESSAGE: Final = ObjectType(
    (
        VersionedMember("role", MemberType.TEXT, required=_MAY_2025),
        VersionedMember("content", _CONTENT, required=ALL, is_list=True),
    )
)
_THRESHOLD: Final = VersionedMember("rerankerThreshold", MemberType.NUMBER)
_SOURCE_DATA: Final = VersionedMember(
    "includeReferenceSourceData", MemberType.BOOLEAN, aliases=("IncludeReferenceSourceData",)
)
_FILTER: Final = VersionedMember("filterAddOn", MemberType.TEXT)
_TARGET_INDEX: Final = ObjectType(
    (
        VersionedMember("indexName", MemberType.TEXT),
        _FILTER,
        VersionedMember("maxDocsForReranker", MemberType.INTEGER),
        _THRESHOLD,
        _SOURCE_DATA,
    )
)
_KNOWLEDGE_SOURCE: Final = ObjectType(
    (
        VersionedMember("knowledgeSourceName", MemberType.TEXT, required=ALL),
        VersionedMember("kind", MemberType.TEXT, required=ALL),
        VersionedMember("includeReferences", MemberType.BOOLEAN),
        _SOURCE_DATA,
        VersionedMember("alwaysQuerySource", MemberType.BOOLEAN, KNOWLEDGE_SOURCES - {ApiVersion.APRIL_2026}),
        _THRESHOLD,
        _FILTER,
        VersionedMember("enableImageServing", MemberType.BOOLEAN, FROM_MAY_2026),
        VersionedMember("failOnError", MemberType.BOOLEAN, FROM_MAY_2026),
        VersionedMember("maxOutputDocuments", MemberType.INTEGER, FROM_MAY_2026),
        VersionedMember("neverQuerySource", MemberType.BOOLEAN, _AUGUST_2026),
    )
)
_INTENT: Final = ObjectType(
    (VersionedMember("type", MemberType.TEXT, required=ALL), VersionedMember("search", MemberType.TEXT, required=ALL))
)
RETRIEVE_REQUEST: Final = ObjectType(
    (
        VersionedMember("messages", _MESSAGE, ALL - {ApiVersion.APRIL_2026}, required=AGENTS, is_list=True),
        VersionedMember("targetIndexParams", _TARGET_INDEX, _MAY_2025, is_list=True),
        VersionedMember("knowledgeSourceParams", _KNOWLEDGE_SOURCE, KNOWLEDGE_SOURCES, is_list=True),
        VersionedMember("intents", _INTENT, KNOWLEDGE_BASES, is_list=True),
        VersionedMember("maxRuntimeInSeconds", MemberType.INTEGER, KNOWLEDGE_BASES),
        VersionedMember("maxOutputSize", MemberType.INTEGER, NOVEMBER_PREVIEWS),
        VersionedMember("maxOutputSizeInTokens", MemberType.INTEGER, FROM_MAY_2026 | {ApiVersion.APRIL_2026}),
        VersionedMember("includeActivity", MemberType.BOOLEAN, KNOWLEDGE_BASES),
        VersionedMember(
            "retrievalReasoningEffort",
            ObjectType((VersionedMember("kind", MemberType.TEXT, required=ALL),)),
            NOVEMBER_PREVIEWS,
        ),
        VersionedMember("outputMode", MemberType.TEXT, NOVEMBER_PREVIEWS),
        VersionedMember("maxOutputDocuments", MemberType.INTEGER, FROM_MAY_2026),
    )
)
