"""Entity tags and conditions of writes: stored version tags in Azure's form, `"0x…"`."""

import re
from collections.abc import Mapping
from typing import Final

from groundwire.dialects.azure.errors import invalid_parameter
from groundwire.ports.definitions import Precondition, Presence

_ANY: Final = "*"
_TAG: Final = re.compile(r"(?:W/)?(?P<quote>\"?)(?P<value>[!#-+\--~]*)(?P=quote)")
_PREFIX: Final = "0x"
_NO_TAG: Final = ""
"""Version tag that no stored definition has."""


def entity_tag(tag: str) -> str:
    """Return the entity tag of a stored version, with its quotes; version tags are hexadecimal digits."""
    return f'"{_PREFIX}{tag.upper()}"'


def read_condition(headers: Mapping[str, str]) -> Precondition:
    """Return the condition of a write: `If-Match` with a tag or `*`, or `If-None-Match: *`.

    A tag may be weak or without quotes. One that no definition ever had is a condition that does not hold.

    Raises:
        AzureError: there are both conditions, several tags, or a tag after `If-None-Match`.
    """
    match, none_match = (_text(headers, name) for name in ("if-match", "if-none-match"))
    if match is not None and none_match is not None:
        raise invalid_parameter("Send either If-Match or If-None-Match, not both.")
    if none_match is not None:
        if none_match.strip('"') != _ANY:
            raise invalid_parameter("If-None-Match can only be *, which creates a definition that does not exist yet.")
        return Presence.ABSENT
    if match is None:
        return Presence.ANY
    return Presence.PRESENT if match.strip('"') == _ANY else _version_tag(match)


def _text(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(name, "").strip()
    return value or None


def _version_tag(text: str) -> str:
    found = _TAG.fullmatch(text)
    if found is None:
        raise invalid_parameter('If-Match must be one entity tag, such as "0x8D0A1B2C3D4E5F60", or *.')
    value = found["value"].lower()
    return value.removeprefix(_PREFIX) if value.startswith(_PREFIX) else _NO_TAG
