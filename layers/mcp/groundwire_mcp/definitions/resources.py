"""Resource definitions: listed in pages, addressed by URI, read in parts."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from groundwire_mcp.definitions.completions import Completer
from groundwire_mcp.definitions.tools import CallerT

if TYPE_CHECKING:
    from groundwire_mcp.definitions.content import Resource, ResourceContents

CallerT_contra = TypeVar("CallerT_contra", contravariant=True)


class ResourcePage(NamedTuple):
    """One page of the resource list.

    Attributes:
        next_position: start of the next page, in a format that the source defines; None on the last page.
    """

    resources: "tuple[Resource, ...]"
    next_position: str | None


class ResourceTemplate(NamedTuple, Generic[CallerT]):
    """A set of resources whose URIs follow one template.

    Attributes:
        uri_template: RFC 6570, level 1.
        complete: completers by variable name.
    """

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str
    complete: Mapping[str, Completer[CallerT]] = {}


class ResourceSource(Protocol[CallerT_contra]):
    """A provider of resources.

    Its methods raise `ToolError` when they cannot answer.
    """

    def page(self, caller: CallerT_contra, start: str | None) -> ResourcePage:
        """Return the resources that this caller may see, from `start`: a `next_position`; None for the first page."""
        ...

    def read(self, caller: CallerT_contra, uri: str) -> "Sequence[ResourceContents] | None":
        """Return the parts of the resource, never empty; None if it is missing or the caller may not read it."""
        ...
