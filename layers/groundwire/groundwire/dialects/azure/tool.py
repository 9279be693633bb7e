"""The MCP tool `knowledge_base_retrieve`."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from groundwire.dialects.azure.agentic_search import Retrieval
from groundwire.dialects.azure.errors import AzureError, error_body, invalid_parameter
from groundwire.dialects.azure.requests.members import MemberType, ObjectType, VersionedMember, read_object
from groundwire.dialects.azure.requests.resource_paths import parse_path
from groundwire.dialects.azure.requests.retrieve_request import MAX_INTENTS, RetrieveRequest
from groundwire.dialects.azure.targets import Targets
from groundwire.dialects.azure.versions import ApiVersion
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tools import Tool, ToolError, ToolResult

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import ToolHandler
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.definitions.tool_context import ToolContext

_INTENTS: Final = "knowledgeAgentIntents"
# The tool's answer has one form, whatever version the address names.
_VERSION: Final = ApiVersion.APRIL_2026
_REQUEST: Final = ObjectType((VersionedMember(_INTENTS, MemberType.TEXT, is_list=True),))
_INPUT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "request": {
            "type": "object",
            "properties": {
                _INTENTS: {
                    "type": ["array", "null"],
                    "items": {"type": "string"},
                    "maxItems": MAX_INTENTS,
                    "description": "Queries that can be understood by themselves, one for each part of the question.",
                }
            },
        }
    },
    "required": ["request"],
}


_OUTPUT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"response": {"type": "array"}, "references": {"type": "array"}, "error": {"type": "object"}},
}


def knowledge_base_retrieve_tool(handler: "ToolHandler") -> "Tool[CallContext]":
    """Return the description of `knowledge_base_retrieve`, carried out by `handler`."""
    return Tool(
        name="knowledge_base_retrieve",
        title="Retrieve from the knowledge base",
        description="Retrieves the passages of the knowledge base that answer the queries, limited to "
        "those that the current user may read. Give each part of a question as a query of "
        "its own.",
        input_schema=_INPUT_SCHEMA,
        output_schema=_OUTPUT_SCHEMA,
        is_read_only=True,
        call=handler,
        error_result=_error_result,
    )


class KnowledgeBaseRetrieve:
    """Handler of `knowledge_base_retrieve`."""

    def __init__(self, services: "DialectServices") -> None:
        self._targets = Targets(services)
        self._retrieve = Retrieval(services)

    def __call__(self, call: "CallContext", arguments: Mapping[str, object], context: "ToolContext") -> ToolResult:
        """Return the number of passages, and the passages as JSON."""
        path = parse_path(context.path)
        if path is None:
            raise invalid_parameter("The address names no knowledge base.")
        # Intents are searched as they are, which the system calls minimal effort.
        request = RetrieveRequest(_VERSION, (), _intents(arguments), "minimal", includes_activity=False)
        found = self._retrieve(call, self._targets.find(call, path, _VERSION), request)
        text = found.answer["response"][0]["content"][0]["text"]
        count = len(found.answer["references"])
        return ToolResult((TextContent(f"Retrieved {count} documents."), TextContent(text)), found.answer)


def _intents(arguments: Mapping[str, object]) -> tuple[str, ...]:
    request = read_object(arguments.get("request"), _REQUEST, _VERSION, "request.")
    intents = cast("Sequence[str]", request.get(_INTENTS, ()))
    queries = tuple(dict.fromkeys(text for text in intents if text.strip()))
    if not queries:
        raise invalid_parameter(f"request.{_INTENTS} is empty: send at least one query.")
    if len(queries) > MAX_INTENTS:
        raise invalid_parameter(f"request.{_INTENTS} has more than {MAX_INTENTS} queries: send fewer.")
    return queries


def _error_result(error: ToolError) -> ToolResult:
    details = error.details if isinstance(error, AzureError) else ()
    code = error.code if isinstance(error, AzureError) else ""
    body = error_body(str(error), code, details)
    return ToolResult((TextContent(json.dumps(body, ensure_ascii=False)),), body)
