"""Members of definitions by version: one table for each kind, for bodies and for answers."""

from typing import Final

from groundwire.dialects.azure.requests.members import Member, MemberType, ObjectType
from groundwire.dialects.azure.resource_paths import ResourceKind
from groundwire.dialects.azure.versions import (
    ALL,
    KNOWLEDGE_BASES,
    NOVEMBER_PREVIEWS,
    ApiVersion,
)

TARGET_INDEXES: Final = "targetIndexes"
SOURCES: Final = "knowledgeSources"
INDEX_PARAMETERS: Final = "searchIndexParameters"
MODEL_PARAMETERS: Final = "azureOpenAIParameters"

_MAY_2025: Final = frozenset({ApiVersion.MAY_2025})
_AUGUST_2025: Final = frozenset({ApiVersion.AUGUST_2025})
_MODEL: Final = ObjectType(
    (
        Member("kind", MemberType.TEXT, required=ALL),
        Member(
            MODEL_PARAMETERS,
            ObjectType(
                (
                    Member("resourceUri", MemberType.TEXT, required=ALL),
                    Member("deploymentId", MemberType.TEXT, required=ALL),
                    Member("apiKey", MemberType.TEXT),
                    Member("modelName", MemberType.TEXT),
                    Member("authIdentity", MemberType.ANY),
                )
            ),
            required=ALL,
        ),
    )
)
_TARGET_INDEX: Final = ObjectType(
    (
        Member("indexName", MemberType.TEXT, required=ALL),
        Member("defaultRerankerThreshold", MemberType.NUMBER),
        Member("defaultIncludeReferenceSourceData", MemberType.BOOLEAN),
        Member("defaultMaxDocsForReranker", MemberType.INTEGER),
    )
)
_AGENT_SOURCE: Final = ObjectType(
    (
        Member("name", MemberType.TEXT, required=ALL),
        Member("includeReferences", MemberType.BOOLEAN),
        Member("includeReferenceSourceData", MemberType.BOOLEAN),
        Member("alwaysQuerySource", MemberType.BOOLEAN),
        Member("maxSubQueries", MemberType.INTEGER),
        Member("rerankerThreshold", MemberType.NUMBER),
    )
)
_REQUEST_LIMITS: Final = ObjectType(
    (Member("maxRuntimeInSeconds", MemberType.INTEGER), Member("maxOutputSize", MemberType.INTEGER))
)
_OUTPUT: Final = ObjectType(
    (
        Member("modality", MemberType.TEXT),
        Member("answerInstructions", MemberType.TEXT),
        Member("attemptFastPath", MemberType.BOOLEAN),
        Member("includeActivity", MemberType.BOOLEAN),
    )
)
_NAME: Final = Member("name", MemberType.TEXT, required=ALL)
_DESCRIPTION: Final = Member("description", MemberType.TEXT)
_ENCRYPTION_KEY: Final = Member("encryptionKey", MemberType.ANY)
_AGENT: Final = ObjectType(
    (
        _NAME,
        _DESCRIPTION,
        Member("models", _MODEL, required=ALL, is_list=True),
        Member(TARGET_INDEXES, _TARGET_INDEX, _MAY_2025, required=_MAY_2025, is_list=True),
        Member(SOURCES, _AGENT_SOURCE, _AUGUST_2025, required=_AUGUST_2025, is_list=True),
        Member("outputConfiguration", _OUTPUT, _AUGUST_2025),
        Member("requestLimits", _REQUEST_LIMITS),
        Member("retrievalInstructions", MemberType.TEXT, _AUGUST_2025),
        _ENCRYPTION_KEY,
    )
)
_KNOWLEDGE_BASE: Final = ObjectType(
    (
        _NAME,
        _DESCRIPTION,
        Member(SOURCES, ObjectType((_NAME,)), required=ALL, is_list=True),
        Member("models", _MODEL, is_list=True),
        Member(
            "retrievalReasoningEffort",
            ObjectType((Member("kind", MemberType.TEXT, required=ALL),)),
            NOVEMBER_PREVIEWS,
        ),
        Member("outputMode", MemberType.TEXT, NOVEMBER_PREVIEWS),
        Member("retrievalInstructions", MemberType.TEXT, NOVEMBER_PREVIEWS),
        Member("answerInstructions", MemberType.TEXT, NOVEMBER_PREVIEWS),
        _ENCRYPTION_KEY,
    )
)
_FIELD: Final = ObjectType((_NAME,))
_KNOWLEDGE_SOURCE: Final = ObjectType(
    (
        _NAME,
        Member("kind", MemberType.TEXT, required=ALL),
        _DESCRIPTION,
        Member(
            INDEX_PARAMETERS,
            ObjectType(
                (
                    Member("searchIndexName", MemberType.TEXT, required=ALL),
                    Member("sourceDataSelect", MemberType.TEXT, _AUGUST_2025),
                    Member("sourceDataFields", _FIELD, KNOWLEDGE_BASES, is_list=True),
                    Member("searchFields", _FIELD, KNOWLEDGE_BASES, is_list=True),
                    Member("semanticConfigurationName", MemberType.TEXT, KNOWLEDGE_BASES),
                )
            ),
            required=ALL,
        ),
        _ENCRYPTION_KEY,
    )
)

DEFINITIONS: Final = {
    ResourceKind.AGENT: _AGENT,
    ResourceKind.KNOWLEDGE_BASE: _KNOWLEDGE_BASE,
    ResourceKind.KNOWLEDGE_SOURCE: _KNOWLEDGE_SOURCE,
}
"""Type of the definitions of each kind."""
