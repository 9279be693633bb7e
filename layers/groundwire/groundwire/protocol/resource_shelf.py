"""The resources: how they are listed, and how one is read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Generic

from groundwire.domain.limits import MAX_RESOURCE_URI_CHARACTERS
from groundwire.protocol import faults
from groundwire.protocol.asked import Asked, Reply
from groundwire.protocol.cursors import Cursors
from groundwire.protocol.gate import Gate
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.params import invalid, text
from groundwire.protocol.resources import ResourceSource, ResourceTemplate
from groundwire.protocol.tools import CallerT, ToolFault

if TYPE_CHECKING:
    from groundwire.protocol.offer import Rules

READ_METHOD: Final = "resources/read"
"""What a caller needs the scope of to see resources at all."""


class ResourceShelf(Generic[CallerT]):
    """All resources of the server."""

    def __init__(
        self,
        source: ResourceSource[CallerT],
        templates: Sequence[ResourceTemplate[CallerT]],
        rules: "Rules[CallerT]",
        cursors: Cursors[CallerT],
    ) -> None:
        self._source = source
        self._templates = [_description(template) for template in templates]
        self._gate = Gate(rules.authorize)
        self._cursors = cursors

    def describe(self, asked: Asked[CallerT]) -> Reply:
        """`resources/list`, empty for a caller that may read none."""
        start = self._cursors.start(asked)
        if not self._gate.is_open(asked.caller, READ_METHOD):
            return Reply({"resources": []})
        try:
            page = self._source.page(asked.caller, start)
        except ToolFault as fault:
            raise faults.error(fault) from fault
        more = {} if page.next is None else {"nextCursor": self._cursors.following(asked, page.next)}
        return Reply({"resources": [resource.wire() for resource in page.resources], **more})

    def describe_templates(self, asked: Asked[CallerT]) -> Reply:
        """`resources/templates/list`, likewise."""
        shown = self._templates if self._gate.is_open(asked.caller, READ_METHOD) else []
        return Reply(self._cursors.page(asked, shown, "resourceTemplates"))

    def read(self, asked: Asked[CallerT]) -> Reply:
        """`resources/read`."""
        self._gate.check(asked.caller, READ_METHOD)
        uri = text(asked.params, "uri")
        if len(uri) > MAX_RESOURCE_URI_CHARACTERS:
            raise invalid(f"`uri` is over {MAX_RESOURCE_URI_CHARACTERS} characters")
        try:
            contents = self._source.read(asked.caller, uri)
        except ToolFault as fault:
            raise faults.error(fault) from fault
        if not contents:
            outcome = Outcome.UNKNOWN_RESOURCE if asked.is_stateless else Outcome.MISSING_RESOURCE
            raise Refusal(outcome, "Resource not found: nothing that you may read has this URI.", data={"uri": uri})
        return Reply({"contents": [each.wire() for each in contents]})


def _description(template: ResourceTemplate[CallerT]) -> dict[str, object]:
    return {
        "uriTemplate": template.uri_template,
        "name": template.name,
        "title": template.title,
        "description": template.description,
        "mimeType": template.mime_type,
    }
