"""The function that an event is for, derived from the event as AWS delivers it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import is_list, load_mapping, mapping_or_empty
from groundwire.entry.gateway.dispatch import RouteTable
from groundwire.entry.gateway.template import read_routes
from groundwire.ports.account import PARSER_FUNCTION

_BY_MEMBER: Final[Mapping[str, str]] = {
    "nonce": PARSER_FUNCTION,
    "probe": PARSER_FUNCTION,
    "routeArn": "AuthorizerFunction",
    "action": "OperatorFunction",
    "sweep": "IngestionFunction",
    "task": "IngestionFunction",
    "texts": "EmbeddingFunction",
    "thumbnails": "EmbeddingFunction",
    "call": "SourcesFunction",
    "groundwire": "McpFunction",
}
"""Logical ids of the functions by a member that only their events have; the first that is present decides."""


def function_of(event: Mapping[str, object], template: Path) -> str:
    """Return the logical id of the function in the template that this event is for.

    Raises:
        InvalidInput: no function of the template takes such an event.
    """
    if "Records" in event:
        return _function_of_message(event["Records"])
    name = next((function for member, function in _BY_MEMBER.items() if member in event), None)
    if name is None:
        return _function_of_call(event, template)
    return name


def _function_of_call(event: Mapping[str, object], template: Path) -> str:
    http = mapping_or_empty(mapping_or_empty(event.get("requestContext")).get("http"))
    method, path = http.get("method"), event.get("rawPath")
    routes = read_routes(template)
    # The key comes first, because it is what API Gateway decided.
    for route in routes:
        if route.key == event.get("routeKey"):
            return route.function.name
    match = RouteTable(routes).match(method, path) if isinstance(method, str) and isinstance(path, str) else None
    if match is None:
        raise InvalidInput(
            "This is no event of a function: it has no route of the template, no Records and no member such as action. "
            "The files in events/ show the forms. --function names a function."
        )
    return match.route.function.name


def _function_of_message(records: object) -> str:
    """Return the reader of a queue: both queues deliver one form, and only orders to the operator have an action."""
    first: Mapping[str, object] = mapping_or_empty(records[0]) if is_list(records) and records else {}
    body = load_mapping(str(first.get("body", ""))) or {}
    return "OperatorFunction" if "action" in body else "IngestionFunction"
