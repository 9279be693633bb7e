"""Texts as the JSON of a list, for stores that have no lists."""

import json
from collections.abc import Iterable
from typing import cast

from groundwire.stored.kinds import UnreadableValue


def to_json(texts: Iterable[str]) -> str:
    """Write the texts in their order."""
    return json.dumps([*texts], ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> tuple[str, ...]:
    """Read what `to_json` wrote.

    Raises:
        UnreadableValue: it is not the JSON of a list of texts.
    """
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableValue(f"Not the JSON of a list: {text!r:.64}") from error
    # None is no text, so the check below refuses what is no list.
    items: list[object] = cast("list[object]", found) if isinstance(found, list) else [None]
    texts = tuple(item for item in items if isinstance(item, str))
    if len(texts) < len(items):
        raise UnreadableValue(f"Not a list of texts: {text!r:.64}")
    return texts
