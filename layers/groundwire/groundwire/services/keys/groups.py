"""Administration of a tenant's mapping of its identity provider's groups to tags."""

from collections.abc import Callable, Iterable
from typing import Final

from groundwire.domain.access.groups import GroupTags, parse_group, parse_group_tags, parse_tags_of_group
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.limits import MAX_GROUP_MAPPING_BYTES
from groundwire.ports import Groups
from groundwire.retry import RetryPolicy, retry_on

_RETRY: Final = RetryPolicy(attempts=5)


class GroupAdmin:
    """Changes of a mapping, in force on the next call with a token."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups

    def all(self, tenant: str) -> GroupTags:
        """Return the mapping by group."""
        return dict(sorted(self._groups.read(tenant).items()))

    def set(self, tenant: str, group: str, tags: Iterable[str]) -> tuple[str, frozenset[str]]:
        """Map a group to exactly these tags, possibly none; return both as they are stored.

        Raises:
            InvalidInput: the group or a tag is not valid, or there would be too many groups.
        """
        name, parsed = parse_group(group), parse_tags_of_group(tags)
        self.change(tenant, lambda mapping: {**mapping, name: parsed})
        return name, parsed

    def delete(self, tenant: str, group: str) -> str:
        """Delete the mapping of a group, whose own text is its tag again; return the group as it was stored.

        Raises:
            NotFound: no mapping names the group.
        """
        name = parse_group(group)

        def without(mapping: GroupTags) -> GroupTags:
            if name not in mapping:
                raise NotFound(f"No mapping names the group {name!r}.")
            return {each: tags for each, tags in mapping.items() if each != name}

        self.change(tenant, without)
        return name

    def change(self, tenant: str, change: Callable[[GroupTags], GroupTags]) -> None:
        """Change the whole mapping; after a concurrent change the stored one is changed again.

        Raises:
            InvalidInput: the mapping would be too large.
        """

        def attempt() -> None:
            stored = self._groups.read(tenant)
            mapping = parse_group_tags(change(stored).items())
            _check_size(mapping)
            if mapping != stored:
                self._groups.replace(tenant, mapping, stored)

        retry_on(Conflict, attempt, _RETRY)


def _check_size(mapping: GroupTags) -> None:
    texts = (text for group, tags in mapping.items() for text in (group, *tags))
    if sum(len(text.encode()) for text in texts) > MAX_GROUP_MAPPING_BYTES:
        raise InvalidInput(
            f"The groups and tags of a mapping have at most {MAX_GROUP_MAPPING_BYTES:,} bytes: use shorter tags."
        )
