"""Tags in the policies of MCP sources, read and renamed in their stored definitions; no secret is opened."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast

from groundwire.domain.errors import PreconditionFailed
from groundwire.domain.text.json_values import list_or_empty, mapping_or_empty
from groundwire.ports.definitions import DefinitionKind, Definitions, StoredDefinition
from groundwire.retry import RetryPolicy, retry_on
from groundwire.services.definitions.body import BodyParts, JsonBody, JsonValue, from_text, to_text

if TYPE_CHECKING:
    from groundwire.ports import Clock

_RETRY: Final = RetryPolicy(attempts=5)
_TAG_MEMBERS: Final = ("any_tags", "all_tags")


class SourceTags:
    """Tags of a tenant's MCP sources.

    Args:
        new_version: returns a version token that was never returned before.
    """

    def __init__(self, definitions: Definitions, new_version: Callable[[], str], clock: "Clock") -> None:
        self._definitions = definitions
        self._new_version = new_version
        self._clock = clock

    def all(self, tenant: str) -> Sequence[frozenset[str]]:
        """Return the tags of each source, in its own policy or those of its tools."""
        stored = self._definitions.list_all(tenant, DefinitionKind.MCP_SOURCE)
        return [frozenset(_tags(from_text(each.body).body)) for each in stored]

    def rename(self, tenant: str, old: str, new: str) -> int:
        """Replace a tag in the policies of all sources; return the number of changed sources."""
        stored = self._definitions.list_all(tenant, DefinitionKind.MCP_SOURCE)
        changed = [each.name for each in stored if old in _tags(from_text(each.body).body)]
        for name in changed:
            retry_on(PreconditionFailed, lambda name=name: self._rename_in(tenant, name, old, new), _RETRY)
        return len(changed)

    def _rename_in(self, tenant: str, name: str, old: str, new: str) -> None:
        stored = self._definitions.find(tenant, DefinitionKind.MCP_SOURCE, name)
        if stored is None:
            return
        parts = from_text(stored.body)
        for policy in _policies(parts.body):
            for member in _TAG_MEMBERS:
                texts = {str(each) for each in list_or_empty(policy[member])}
                if old in texts:
                    policy[member] = cast("JsonValue", sorted((texts - {old}) | {new}))
        now = self._clock()
        changed = StoredDefinition(
            stored.kind, name, to_text(BodyParts(parts.body, parts.secrets)), self._new_version(), now, now
        )
        self._definitions.put(tenant, changed, stored.tag)


def _policies(body: JsonBody) -> Iterator[JsonBody]:
    tools = [mapping_or_empty(each).get("policy") for each in list_or_empty(body.get("tools"))]
    for policy in (body.get("policy"), *tools):
        if isinstance(policy, dict):
            yield cast("JsonBody", policy)


def _tags(body: JsonBody) -> set[str]:
    return {
        str(tag) for policy in _policies(body) for member in _TAG_MEMBERS for tag in list_or_empty(policy.get(member))
    }
