"""Resources that the suite reads, in one page, and a family of them that is not listed."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.content import Resource, ResourceContents
from groundwire_mcp.definitions.resources import ResourcePage, ResourceTemplate
from groundwire_mcp.jsonrpc.json_codec import JsonObject
from tests.support.entry.conformance_fixtures.media import PNG
from tests.support.entry.conformance_fixtures.skills import SKILL_RESOURCE

_STATIC: Final = (
    ResourceContents("test://static-text", "This is the content of the static text resource.", "text/plain"),
    ResourceContents("test://static-binary", PNG.data, "image/png"),
    ResourceContents("test://watched-resource", "Nobody is told when this changes.", "text/plain"),
)
_ITEM_TEMPLATE: Final = re.compile(r"test://template/([^/]+)/data")


class FixtureResources:
    """The three of them, and whatever the template makes."""

    def page(self, caller: CallContext, start: str | None) -> ResourcePage:
        """All at once."""
        listed = (
            Resource(each.uri, name=each.uri, description="A test resource", mime_type=each.mime_type)
            for each in _STATIC
        )
        return ResourcePage((*listed, SKILL_RESOURCE), None)

    def read(self, caller: CallContext, uri: str) -> Sequence[ResourceContents] | None:
        """The contents; None for what is not there."""
        if made := _ITEM_TEMPLATE.fullmatch(uri):
            contents = {"id": made[1], "templateTest": True, "data": f"Data for ID: {made[1]}"}
            return (ResourceContents(uri, json.dumps(contents), "application/json"),)
        return tuple(each for each in _STATIC if each.uri == uri) or None


TEMPLATES: Final[tuple[ResourceTemplate[CallContext], ...]] = (
    ResourceTemplate("test://template/{id}/data", "data", "Data", "What is known of an id", "application/json"),
)


def subscribed(_params: JsonObject, _caller: CallContext) -> Mapping[str, object]:
    """Return an empty result to the suite's subscription: the server neither sends nor promises notifications."""
    return {}
