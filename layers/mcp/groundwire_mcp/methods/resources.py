"""Methods `resources/list`, `resources/templates/list` and `resources/read`."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, Generic

from groundwire_mcp.definitions.resources import ResourceSource, ResourceTemplate
from groundwire_mcp.definitions.tools import CallerT, ToolError
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.messages import invalid_params, required_string
from groundwire_mcp.limits import MAX_RESOURCE_URI_CHARACTERS
from groundwire_mcp.methods import tool_errors
from groundwire_mcp.methods.pagination import Paginator
from groundwire_mcp.methods.scope_check import ScopeCheck
from groundwire_mcp.request_context import MethodResult, RequestContext

if TYPE_CHECKING:
    from groundwire_mcp.definitions.apps import App
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies

RESOURCES_READ: Final = "resources/read"
"""The method whose scope a caller needs to list, read and complete resources."""


class ResourceMethods(Generic[CallerT]):
    """Handlers of `resources/list`, `resources/templates/list` and `resources/read`."""

    def __init__(
        self,
        source: ResourceSource[CallerT],
        definition: "ServerDefinition[CallerT]",
        dependencies: "ServerDependencies[CallerT]",
        paginator: Paginator[CallerT],
    ) -> None:
        self._source = source
        self._templates = [_template_to_json(template) for template in definition.templates]
        self._apps, self._skills = definition.apps, definition.skills
        self._scope_check = ScopeCheck(dependencies.missing_scope)
        self._paginator = paginator

    def list_resources(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `resources/list`; the list is empty for a caller without the scope.

        Raises:
            ProtocolError: the cursor is invalid, or the source fails.
        """
        start = self._paginator.start_position(context)
        if not self._scope_check.is_allowed(context.caller, RESOURCES_READ):
            return MethodResult({"resources": []})
        try:
            page = self._source.page(context.caller, start)
        except ToolError as error:
            raise tool_errors.to_protocol_error(error) from error
        more = (
            {}
            if page.next_position is None
            else {"nextCursor": self._paginator.next_cursor(context, page.next_position)}
        )
        shown = [resource.to_json() for resource in page.resources]
        if start is None and self._apps is not None and context.shows_apps:
            shown = [*(app.listed() for app in self._app_by_uri.values()), *shown]
        return MethodResult({"resources": shown, **more})

    def list_templates(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `resources/templates/list`; the list is empty for a caller without the scope.

        Raises:
            ProtocolError: the cursor is invalid.
        """
        shown = self._templates if self._scope_check.is_allowed(context.caller, RESOURCES_READ) else []
        return MethodResult(self._paginator.page(context, shown, "resourceTemplates"))

    def read_resource(self, context: RequestContext[CallerT]) -> MethodResult:
        """Answer `resources/read`.

        Raises:
            ProtocolError: the scope is missing, the URI is too long or unknown, or the source fails.
        """
        self._scope_check.require(context, RESOURCES_READ)
        uri = required_string(context.params, "uri")
        if len(uri) > MAX_RESOURCE_URI_CHARACTERS:
            raise invalid_params(f"`uri` is over {MAX_RESOURCE_URI_CHARACTERS} characters")
        own = self._read_own(context, uri)
        if own is not None:
            return MethodResult({"contents": [own]})
        try:
            contents = self._source.read(context.caller, uri)
        except ToolError as error:
            raise tool_errors.to_protocol_error(error) from error
        if not contents:
            # 2026-07-28 moved a missing resource from -32002 to -32602.
            result_code = ResultCode.UNKNOWN_RESOURCE if context.is_stateless else ResultCode.MISSING_RESOURCE
            raise ProtocolError(
                result_code,
                "Resource not found: there is no resource of this URI, or you may not read it.",
                data={"uri": uri},
            )
        return MethodResult({"contents": [each.to_json() for each in contents]})

    def _read_own(self, context: RequestContext[CallerT], uri: str) -> Mapping[str, object] | None:
        """Return an app, for clients that show apps, or a file of a skill; None: the URI is neither's."""
        if self._apps is not None and uri.startswith("ui://"):
            app = self._app_by_uri.get(uri) if context.shows_apps else None
            return None if app is None else app.contents()
        if self._skills is not None and uri.startswith("skill://"):
            files = (file for skill in self._skills() for file in skill.files)
            return next((file.contents() for file in files if file.uri == uri), None)
        return None

    @cached_property
    def _app_by_uri(self) -> "Mapping[str, App]":
        return {} if self._apps is None else {app.uri: app for app in self._apps()}


def _template_to_json(template: ResourceTemplate[CallerT]) -> dict[str, object]:
    return {
        "uriTemplate": template.uri_template,
        "name": template.name,
        "title": template.title,
        "description": template.description,
        "mimeType": template.mime_type,
    }
