"""File of the setting OAUTH_GROUPS: tags by group of the identity provider.

JSON: an object whose names are groups, each with a list of tags. A group is a name, a path or an id, as tokens have it.
"""

import json
from pathlib import Path
from typing import Final, cast

from groundwire.domain.access.groups import GroupTags, parse_group_tags
from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import is_text_list

_MAX_BYTES: Final = 1_000_000


def read_group_file(setting: str, path: Path) -> GroupTags:
    """Return the mapping of the file.

    Raises:
        InvalidInput: the file cannot be read or has another form; the message names the setting and the file.
    """
    try:
        entries = _entries(json.loads(_text(path), object_pairs_hook=tuple))
    except OSError as error:
        raise InvalidInput(f"{setting}: {path} cannot be read ({error.strerror}).") from error
    # Python's decoder raises RecursionError for deeply nested JSON.
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f'{setting}: {path} must be a JSON object such as {{"/department/sales": ["department:sales"]}}, '
            f"of at most {_MAX_BYTES:,} bytes."
        ) from error
    try:
        return parse_group_tags(entries)
    except InvalidInput as error:
        raise InvalidInput(f"{setting}: {path}: {error}") from error


def _text(path: Path) -> str:
    with path.open("rb") as file:
        # A byte more than allowed makes the JSON incomplete or the check below fail.
        content = file.read(_MAX_BYTES + 1)
    if len(content) > _MAX_BYTES:
        raise ValueError(path)
    return content.decode()


def _entries(pairs: object) -> list[tuple[str, list[str]]]:
    """Return groups with their tags; pairs and not a mapping, so that a group that occurs twice is seen.

    Raises:
        ValueError: the value has another form.
    """
    if not isinstance(pairs, tuple):
        # The decoder makes a tuple of the pairs of an object, and a list of an array.
        raise ValueError(pairs)  # noqa: TRY004 - the error of a text that is no JSON, too
    return [_entry(cast("tuple[str, object]", pair)) for pair in cast("tuple[object, ...]", pairs)]


def _entry(pair: tuple[str, object]) -> tuple[str, list[str]]:
    group, tags = pair
    if not is_text_list(tags):
        raise ValueError(tags)
    return group, tags
