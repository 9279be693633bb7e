"""Patterns of names: `*` matches any characters, and no other character has a meaning."""

from typing import Final

from groundwire.dialects.opensearch.errors import illegal_argument

ANY: Final = "*"
MAX_PATTERN_CHARACTERS: Final = 255


def is_match(pattern: str, name: str) -> bool:
    """Return whether the whole name matches; the time grows with the length of both, whatever the pattern."""
    first, *others = pattern.split(ANY)
    if not others:
        return pattern == name
    if not name.startswith(first):
        return False
    # The first place of each part is enough, so that no part is tried twice.
    *middle, last = others
    at = len(first)
    for part in middle:
        found = name.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(name) - len(last) >= at and name.endswith(last)


def check_pattern(pattern: str) -> str:
    """Return a pattern of a length that names have.

    Raises:
        OpenSearchError: it is longer.
    """
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        raise illegal_argument(f"A name or pattern can have at most {MAX_PATTERN_CHARACTERS} characters.")
    return pattern
