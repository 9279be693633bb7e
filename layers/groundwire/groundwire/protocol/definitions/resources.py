"""Resources as the protocol sees them: listed in pages, addressed by URI, read in parts."""

from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from groundwire.protocol.definitions.completions import Completer
from groundwire.protocol.definitions.content import Resource, ResourceContents
from groundwire.protocol.definitions.tools import CallerT

CallerT_contra = TypeVar("CallerT_contra", contravariant=True)


class ResourcePage(NamedTuple):
    """A part of the list.

    Attributes:
        next_position: where the next page begins, in the words of whoever made this one; None: this is the last.
    """

    resources: tuple[Resource, ...]
    next_position: str | None


class ResourceTemplate(NamedTuple, Generic[CallerT]):
    """A family of resources.

    Attributes:
        uri_template: RFC 6570, level 1.
        complete: proposals by variable.
    """

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str
    complete: Mapping[str, Completer[CallerT]] = {}


class ResourceSource(Protocol[CallerT_contra]):
    """Whatever has resources.

    Its methods raise `ToolFault` when they cannot answer.
    """

    def page(self, caller: CallerT_contra, start: str | None) -> ResourcePage:
        """The resources that this caller may see, from `start`: a page's `next`, which came back sealed."""
        ...

    def read(self, caller: CallerT_contra, uri: str) -> Sequence[ResourceContents] | None:
        """What it holds, never empty; None for whatever this caller may not read, be it there or not."""
        ...
