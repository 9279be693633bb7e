"""Groups of an identity provider, and the tags that they give: a mapping of names, paths or ids to tags.

A group that no mapping names gives the tag of its own text. A mapping replaces that: the group then gives the mapped
tags alone, and none where it is mapped to nothing.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from groundwire.domain.access.tags import is_tag_covered, parse_tag
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_GROUP_CHARACTERS, MAX_GROUPS, MAX_TAGS_PER_GROUP

GroupTags = Mapping[str, frozenset[str]]
"""Tags by group, in the form of `parse_group`."""
NO_GROUPS: Final[GroupTags] = {}

_GUID: Final = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


class MappingOrigin(StrEnum):
    """Origin of a group's mapping: an entry of the tenant, or the file of the server."""

    TENANT = "tenant"
    FILE = "file"


class TagOutcome(StrEnum):
    """Outcome of a group of a token.

    `KEPT`: the tag counts. `OUTSIDE_KEY`: the key does not cover it. `NO_TAG`: the group has no mapping, and its text
    cannot be a tag. `MAPPED_TO_NOTHING`: its mapping has no tag.
    """

    KEPT = "kept"
    OUTSIDE_KEY = "outside_key"
    NO_TAG = "no_tag"
    MAPPED_TO_NOTHING = "mapped_to_nothing"


class GroupMapping(NamedTuple):
    """Mappings that apply to a tenant; an entry of the tenant replaces that of the file."""

    tenant: GroupTags
    file: GroupTags

    def find(self, group: str) -> tuple[frozenset[str], MappingOrigin] | None:
        """Return the tags of a group and the origin of its mapping; None where no mapping names it."""
        name = _comparable(group)
        if (tags := self.tenant.get(name)) is not None:
            return tags, MappingOrigin.TENANT
        return None if (tags := self.file.get(name)) is None else (tags, MappingOrigin.FILE)


class GroupDecision(NamedTuple):
    """Decision about one tag of one group.

    Attributes:
        tag: None where the group gives none.
        mapped_by: None where the group's own text is the tag.
    """

    group: str
    tag: str | None
    mapped_by: MappingOrigin | None
    outcome: TagOutcome


class TokenTags(NamedTuple):
    """Decisions about all groups of a token."""

    decisions: Sequence[GroupDecision]

    @property
    def kept(self) -> frozenset[str]:
        """Tags that count."""
        return frozenset(each.tag for each in self.decisions if each.tag and each.outcome is TagOutcome.KEPT)

    @property
    def ignored(self) -> int:
        """Number of groups and tags that gave no right although they are not mapped to nothing."""
        lost = {TagOutcome.OUTSIDE_KEY, TagOutcome.NO_TAG}
        return len({each.tag or each.group for each in self.decisions if each.outcome in lost})


def decide_groups(groups: Iterable[str], mapping: GroupMapping, max_tags: Iterable[str]) -> TokenTags:
    """Return which tags the groups give within the bound of a key, and the result for each group."""
    bound = tuple(max_tags)
    return TokenTags([each for group in dict.fromkeys(groups) for each in _decide_group(group, mapping, bound)])


def parse_group(text: str) -> str:
    """Return the name, path or id of a group in the form that is compared: NFC, a GUID in lower case.

    Raises:
        InvalidInput: the text is empty or too long, or has characters that cannot be printed.
    """
    group = _comparable(text)
    if not group or len(group) > MAX_GROUP_CHARACTERS or not group.isprintable():
        raise InvalidInput(f"A group is a printable text of 1 to {MAX_GROUP_CHARACTERS} characters.")
    return group


def parse_group_tags(entries: Iterable[tuple[str, Iterable[str]]]) -> dict[str, frozenset[str]]:
    """Return a mapping in the form that is compared.

    Raises:
        InvalidInput: a group or a tag is not valid, two groups are equal, or there are too many of them.
    """
    mapping = dict[str, frozenset[str]]()
    for name, tags in entries:
        group = parse_group(name)
        if group in mapping:
            raise InvalidInput(f"The group {group!r} occurs twice: name each group once.")
        mapping[group] = parse_tags_of_group(tags)
    if len(mapping) > MAX_GROUPS:
        raise InvalidInput(f"A mapping has at most {MAX_GROUPS} groups; this one has {len(mapping)}.")
    return mapping


def parse_tags_of_group(tags: Iterable[str]) -> frozenset[str]:
    """Return the tags of one group.

    Raises:
        InvalidInput: a tag is not valid, or there are too many.
    """
    parsed = frozenset(map(parse_tag, tags))
    if len(parsed) > MAX_TAGS_PER_GROUP:
        raise InvalidInput(f"A group gives at most {MAX_TAGS_PER_GROUP} tags.")
    return parsed


def _decide_group(group: str, mapping: GroupMapping, max_tags: Sequence[str]) -> Iterable[GroupDecision]:
    mapped = mapping.find(group)
    if mapped is None:
        yield _decide_tag(group, _tag_or_none(group), None, max_tags)
        return
    tags, origin = mapped
    if not tags:
        yield GroupDecision(group, None, origin, TagOutcome.MAPPED_TO_NOTHING)
    for tag in sorted(tags):
        yield _decide_tag(group, tag, origin, max_tags)


def _decide_tag(group: str, tag: str | None, origin: MappingOrigin | None, max_tags: Sequence[str]) -> GroupDecision:
    if tag is None:
        return GroupDecision(group, None, origin, TagOutcome.NO_TAG)
    is_covered = is_tag_covered(max_tags, tag)
    return GroupDecision(group, tag, origin, TagOutcome.KEPT if is_covered else TagOutcome.OUTSIDE_KEY)


def _tag_or_none(text: str) -> str | None:
    try:
        return parse_tag(text)
    except InvalidInput:
        return None


def _comparable(text: str) -> str:
    group = unicodedata.normalize("NFC", text).strip()
    # Providers write GUIDs in lower case, and people copy them from pages that do not.
    return group.lower() if _GUID.fullmatch(group) else group
