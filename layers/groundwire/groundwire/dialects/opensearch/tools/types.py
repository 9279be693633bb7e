"""Types of tools: names, descriptions and schemas as `tools/list` of the plugin sends them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from groundwire.dialects.opensearch.tools.index_tools import describe_mappings, list_indexes
from groundwire.dialects.opensearch.tools.search_tools import count_documents, search_index, semantic_search

if TYPE_CHECKING:
    from groundwire.dialects.opensearch.engine import Engine
    from groundwire.dialects.opensearch.tools.presets import Presets
    from groundwire.services.call_context import CallContext

    RunTool = Callable[[Engine, CallContext, Mapping[str, object], Presets], str]


class ToolType(NamedTuple):
    """A type of tools.

    Attributes:
        description, input_schema: where a registration names none.
        run: returns the text of an answer.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: "RunTool"


_INDEX_NAMES: Final = 'OpenSearch index name list, separated by comma. for example: ["index1", "index2"]'
_QUERY: Final = (
    "OpenSearch search index query. You need to get index mapping to write correct search query. It must be a valid "
    'OpenSearch query. Valid value:\n{"query":{"match":{"population_description":"seattle 2023 population"}},"size":2,'
    '"_source":"population_description"}\nInvalid value: \n{"match":{"population_description":"seattle 2023 population'
    '"}}\nThe value is invalid because the match not wrapped by "query".'
)
# Name, text and schema are those of a node.
_LIST_INDEX: Final = ToolType(
    "ListIndexTool",
    "This tool returns information about indices in the OpenSearch cluster along with the index `health`, `status`, "
    "`index`, `uuid`, `pri`, `rep`, `docs.count`, `docs.deleted`, `store.size`, `pri.store. size `, `pri.store.size`, "
    "`pri.store`. Optional arguments: 1. `indices`, a comma-delimited list of one or more indices to get information "
    "from (default is an empty list meaning all indices). Use only valid index names. 2. `local`, whether to return "
    "information from the local node only instead of the cluster manager node (Default is false)",
    {
        "type": "object",
        "properties": {
            "indices": {
                "type": "array",
                "items": {"type": "string"},
                "description": f"{_INDEX_NAMES}, use empty array [] to list all indices in the cluster",
            }
        },
        "additionalProperties": False,
    },
    list_indexes,
)
_INDEX_MAPPING: Final = ToolType(
    "IndexMappingTool",
    "This tool returns index mappings and settings for specified indices. Required argument: 'index' - comma-delimited "
    "list of one or more indices (supports wildcards like 'my-index-*'). Optional argument: 'local' - if true, returns "
    "info from local node only instead of cluster manager (default: false). Response format: For each index, 'mappings'"
    " contains field definitions under 'properties' (each field has a 'type'), and 'settings' contains configuration as"
    " a flattened key-value map.",
    {
        "type": "object",
        "properties": {"index": {"type": "array", "description": _INDEX_NAMES, "items": {"type": "string"}}},
        "required": ["index"],
        "additionalProperties": False,
    },
    describe_mappings,
)
_SEARCH_INDEX: Final = ToolType(
    "SearchIndexTool",
    "Use this tool to search an index by providing two parameters: 'index' for the index name, and 'query' for the "
    "OpenSearch DSL formatted query. Only use this tool when both index name and DSL query is available. Returns "
    "documents matching the query in the provided index.",
    {
        "type": "object",
        "properties": {
            "index": {"type": "string", "description": "OpenSearch index name. for example: index1"},
            # A node of 3.5 sends the last member, so that strict clients may send only `{}`; 3.8 dropped it.
            "query": {"type": "object", "description": _QUERY, "additionalProperties": False},
        },
        "required": ["index", "query"],
        "additionalProperties": False,
    },
    search_index,
)
# The type comes from another plugin than the others, so that its text is this server's own.
_VECTOR_DB: Final = ToolType(
    "VectorDBTool",
    "This tool finds the passages that are nearest in meaning to a text. It takes 1 required argument named 'input', "
    "the text, and 1 optional argument named 'index', the name of the index to search. It returns a JSON object per "
    "line.",
    {
        "type": "object",
        "properties": {
            "input": {"type": "string", "description": "The text to search for, in natural language."},
            "index": {"type": "string", "description": "OpenSearch index name. for example: index1"},
        },
        "required": ["input"],
        "additionalProperties": False,
    },
    semantic_search,
)
_COUNT: Final = ToolType(
    "CountTool",
    "This tool returns how many documents match a query, as a JSON object with the member `count`. Optional arguments: "
    "1. `index`, the name of an index (default is all indices). 2. `query`, an OpenSearch DSL formatted query wrapped "
    "by `query` (default is all documents).",
    {
        "type": "object",
        "properties": {
            "index": {"type": "string", "description": "OpenSearch index name. for example: index1"},
            "query": {
                "type": "object",
                "description": 'OpenSearch count query. For example: {"query":{"term":{"language":"en"}}}',
            },
        },
        "additionalProperties": False,
    },
    count_documents,
)
TOOL_TYPES: Final[Mapping[str, ToolType]] = {
    each.name: each for each in (_LIST_INDEX, _INDEX_MAPPING, _SEARCH_INDEX, _VECTOR_DB, _COUNT)
}
"""Types by name."""
