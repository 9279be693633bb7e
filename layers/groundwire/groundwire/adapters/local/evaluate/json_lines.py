"""Reading of text files line by line; what is wrong is an InvalidInput that names file and line."""

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import is_text_list, require_mapping, text_member


def json_objects(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the JSON object of each line that is not empty, with the location for an error message."""
    for number, line in text_lines(path):
        location = f"{path}, line {number}"
        try:
            value: object = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"{location}: the line is not JSON.") from error
        yield location, require_mapping(value, InvalidInput(f"{location}: every line must be a JSON object."))


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers."""
    with translate_read_errors(path), path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line.strip("\r\n")


@contextmanager
def translate_read_errors(path: Path) -> Generator[None]:
    """Raise InvalidInput instead of an operating system's error, and for a text that is not UTF-8."""
    try:
        yield
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not UTF-8 text.") from error


def text_field(location: str, fields: Mapping[str, object], name: str) -> str:
    """Return the string of a field."""
    text = text_member(fields, name)
    if text is None:
        raise InvalidInput(f"{location}: `{name}` must be a string.")
    return text


def user_and_tags(location: str, fields: Mapping[str, object]) -> tuple[str | None, frozenset[str]]:
    """Return the fields `user` and `tags`: no user and no tags where they are absent."""
    user, tags = fields.get("user"), fields.get("tags", [])
    if not isinstance(user, str | None) or not is_text_list(tags):
        raise InvalidInput(f"{location}: `user` must be a string and `tags` an array of strings.")
    return user, frozenset(tags)
