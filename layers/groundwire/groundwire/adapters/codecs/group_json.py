"""JSON of a mapping of groups to tags: equal mappings are equal text."""

import json
from typing import cast

from groundwire.domain.access.groups import GroupTags


def to_json(mapping: GroupTags) -> str:
    """Encode the mapping in sorted order."""
    members = {group: sorted(tags) for group, tags in sorted(mapping.items())}
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> dict[str, frozenset[str]]:
    """Decode the text that `to_json` wrote."""
    members = cast("dict[str, list[str]]", json.loads(text))
    return {group: frozenset(tags) for group, tags in members.items()}
