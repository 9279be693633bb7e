"""Members of definitions by version: one table for each kind, for bodies and for answers."""

from typing import Final

from groundwire.dialects.azure.requests.members import MemberType, ObjectType, VersionedMember
from groundwire.dialects.azure.requests.resource_paths import ResourceKind
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
        VersionedMember("kind", MemberType.TEXT, required=ALL),
        VersionedMember(
            MODEL_PARAMETERS,
            ObjectType(
                (
                    VersionedMember("resourceUri", MemberType.TEXT, required=ALL),
                    VersionedMember("deploymentId", MemberType.TEXT, required=ALL),
                    VersionedMember("apiKey", MemberType.TEXT),
                    VersionedMember("modelName", MemberType.TEXT),
                    VersionedMember("authIdentity", MemberType.ANY),
                )
            ),
            required=ALL,
        ),
    )
)
_TARGET_INDEX: Final = ObjectType(
    (
        VersionedMember("indexName", MemberType.TEXT, required=ALL),
        VersionedMember("defaultRerankerThreshold", MemberType.NUMBER),
        VersionedMember("defaultIncludeReferenceSourceData", MemberType.BOOLEAN),
        VersionedMember("defaultMaxDocsForReranker", MemberType.INTEGER),
    )
)
_AGENT_SOURCE: Final = ObjectType(
    (
        VersionedMember("name", MemberType.TEXT, required=ALL),
        VersionedMember("includeReferences", MemberType.BOOLEAN),
        VersionedMember("includeReferenceSourceData", MemberType.BOOLEAN),
        VersionedMember("alwaysQuerySource", MemberType.BOOLEAN),
        VersionedMember("maxSubQueries", MemberType.INTEGER),
        VersionedMember("rerankerThreshold", MemberType.NUMBER),
    )
)
_REQUEST_LIMITS: Final = ObjectType(
    (VersionedMember("maxRuntimeInSeconds", MemberType.INTEGER), VersionedMember("maxOutputSize", MemberType.INTEGER))
)
_OUTPUT: Final = ObjectType(
    (
        VersionedMember("modality", MemberType.TEXT),
        VersionedMember("answerInstructions", MemberType.TEXT),
        VersionedMember("attemptFastPath", MemberType.BOOLEAN),
        VersionedMember("includeActivity", MemberType.BOOLEAN),
    )
)
_NAME: Final = VersionedMember("name", MemberType.TEXT, required=ALL)
_DESCRIPTION: Final = VersionedMember("description", MemberType.TEXT)
_ENCRYPTION_KEY: Final = VersionedMember("encryptionKey", MemberType.ANY)
_AGENT: Final = ObjectType(
    (
        _NAME,
        _DESCRIPTION,
        VersionedMember("models", _MODEL, required=ALL, is_list=True),
        VersionedMember(TARGET_INDEXES, _TARGET_INDEX, _MAY_2025, required=_MAY_2025, is_list=True),
        VersionedMember(SOURCES, _AGENT_SOURCE, _AUGUST_2025, required=_AUGUST_2025, is_list=True),
        VersionedMember("outputConfiguration", _OUTPUT, _AUGUST_2025),
        VersionedMember("requestLimits", _REQUEST_LIMITS),
        VersionedMember("retrievalInstructions", MemberType.TEXT, _AUGUST_2025),
        _ENCRYPTION_KEY,
    )
)
_KNOWLEDGE_BASE: Final = ObjectType(
    (
        _NAME,
        _DESCRIPTION,
        VersionedMember(SOURCES, ObjectType((_NAME,)), required=ALL, is_list=True),
        VersionedMember("models", _MODEL, is_list=True),
        VersionedMember(
            "retrievalReasoningEffort",
            ObjectType((VersionedMember("kind", MemberType.TEXT, required=ALL),)),
            NOVEMBER_PREVIEWS,
        ),
        VersionedMember("outputMode", MemberType.TEXT, NOVEMBER_PREVIEWS),
        VersionedMember("retrievalInstructions", MemberType.TEXT, NOVEMBER_PREVIEWS),
        VersionedMember("answerInstructions", MemberType.TEXT, NOVEMBER_PREVIEWS),
        _ENCRYPTION_KEY,
    )
)
_FIELD: Final = ObjectType((_NAME,))
_KNOWLEDGE_SOURCE: Final = ObjectType(
    (
        _NAME,
        VersionedMember("kind", MemberType.TEXT, required=ALL),
        _DESCRIPTION,
        VersionedMember(
            INDEX_PARAMETERS,
            ObjectType(
                (
                    VersionedMember("searchIndexName", MemberType.TEXT, required=ALL),
                    VersionedMember("sourceDataSelect", MemberType.TEXT, _AUGUST_2025),
                    VersionedMember("sourceDataFields", _FIELD, KNOWLEDGE_BASES, is_list=True),
                    VersionedMember("searchFields", _FIELD, KNOWLEDGE_BASES, is_list=True),
                    VersionedMember("semanticConfigurationName", MemberType.TEXT, KNOWLEDGE_BASES),
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
