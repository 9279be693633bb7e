"""Members of the messages of `retrieveContexts`, by the names of Google's protocol files.

v1 and v1beta1 are one table: v1 takes the members of v1beta1, too.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ScalarType(StrEnum):
    """Type of a single value, as errors name it."""

    STRING = "TYPE_STRING"
    INT32 = "TYPE_INT32"
    FLOAT = "TYPE_FLOAT"
    DOUBLE = "TYPE_DOUBLE"


@dataclass(frozen=True, slots=True)
class MessageType:
    """Type of an object: its name, and its members by their names in snake_case."""

    name: str
    members: "tuple[Member, ...]"

    @property
    def type_url(self) -> str:
        """Name of the type, as errors have it."""
        return f"type.googleapis.com/google.cloud.aiplatform.v1.{self.name}"


@dataclass(frozen=True, slots=True)
class Member:
    """Named value in a message.

    Attributes:
        name: in snake_case; JSON has it in camelCase, too.
        union: name of the union of which it is one; of a union one member at most may be set.
        is_single_accepted: one object stands for a list of it.
    """

    name: str
    type: ScalarType | MessageType
    is_repeated: bool = False
    union: str | None = None
    is_single_accepted: bool = False

    @property
    def json_name(self) -> str:
        """Name in camelCase."""
        first, *others = self.name.split("_")
        return first + "".join(word.capitalize() for word in others)


_MODEL: Final = (Member("model_name", ScalarType.STRING),)
_ALPHA: Final = (Member("alpha", ScalarType.FLOAT),)
_FILTER: Final = MessageType(
    "RagRetrievalConfig.Filter",
    (
        Member("metadata_filter", ScalarType.STRING),
        Member("vector_distance_threshold", ScalarType.DOUBLE, union="vector_db_threshold"),
        Member("vector_similarity_threshold", ScalarType.DOUBLE, union="vector_db_threshold"),
    ),
)
_RANKING: Final = MessageType(
    "RagRetrievalConfig.Ranking",
    (
        Member("rank_service", MessageType("RagRetrievalConfig.Ranking.RankService", _MODEL), union="ranking_config"),
        Member("llm_ranker", MessageType("RagRetrievalConfig.Ranking.LlmRanker", _MODEL), union="ranking_config"),
    ),
)
_RETRIEVAL_CONFIG: Final = MessageType(
    "RagRetrievalConfig",
    (
        Member("top_k", ScalarType.INT32),
        Member("hybrid_search", MessageType("RagRetrievalConfig.HybridSearch", _ALPHA)),
        Member("filter", _FILTER),
        Member("ranking", _RANKING),
    ),
)
_QUERY: Final = MessageType(
    "RagQuery",
    (
        Member("text", ScalarType.STRING, union="query"),
        Member("rag_retrieval_config", _RETRIEVAL_CONFIG),
        # ADK and Google's quickstart send this old member.
        Member("similarity_top_k", ScalarType.INT32),
        Member("ranking", MessageType("RagQuery.Ranking", _ALPHA)),
    ),
)
_RESOURCE: Final = MessageType(
    "RetrieveContextsRequest.VertexRagStore.RagResource",
    (Member("rag_corpus", ScalarType.STRING), Member("rag_file_ids", ScalarType.STRING, is_repeated=True)),
)
_STORE: Final = MessageType(
    "RetrieveContextsRequest.VertexRagStore",
    (
        # Google's quickstart sends one object instead of a list.
        Member("rag_resources", _RESOURCE, is_repeated=True, is_single_accepted=True),
        # ADK sends either these or `rag_resources`.
        Member("rag_corpora", ScalarType.STRING, is_repeated=True),
        # ADK sends the threshold here, although the protocol files deprecate the member.
        Member("vector_distance_threshold", ScalarType.DOUBLE),
    ),
)
RETRIEVE_CONTEXTS_REQUEST: Final = MessageType(
    "RetrieveContextsRequest",
    (
        Member("parent", ScalarType.STRING),
        Member("query", _QUERY),
        Member("vertex_rag_store", _STORE, union="data_source"),
    ),
)
