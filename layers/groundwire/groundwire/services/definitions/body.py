"""JSON bodies of definitions: their stored text, and the paths of their secret members."""

import json
from collections.abc import Callable, Collection
from typing import NamedTuple, TypeAlias, cast

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_DEFINITION_BYTES

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonBody: TypeAlias = dict[str, JsonValue]
SecretPath: TypeAlias = tuple[str | int, ...]
"""Names and positions that lead from the body to a member."""


class BodyParts(NamedTuple):
    """Body whose secret members are None, and what replaces each of them: its value, or its sealed form."""

    body: JsonBody
    secrets: dict[SecretPath, JsonValue]


def split_secrets(body: JsonBody, names: Collection[str]) -> BodyParts:
    """Return a copy without the values of the members with these names, at any depth, and these values by path.

    Case is ignored, so that no other spelling of a name is stored in clear. A member that is None has no secret.
    """
    secret_names = {name.casefold() for name in names}
    secrets: dict[SecretPath, JsonValue] = {}

    def copy(value: JsonValue, path: SecretPath) -> JsonValue:
        if isinstance(value, list):
            return [copy(each, (*path, index)) for index, each in enumerate(value)]
        if isinstance(value, dict):
            return {name: member(name, each, (*path, name)) for name, each in value.items()}
        return value

    def member(name: str, value: JsonValue, path: SecretPath) -> JsonValue:
        if name.casefold() not in secret_names:
            return copy(value, path)
        if value is not None:
            secrets[path] = value
        return None

    return BodyParts(cast("JsonBody", copy(body, ())), secrets)


def join_secrets(parts: BodyParts, read: Callable[[JsonValue], JsonValue]) -> JsonBody:
    """Return a copy of the body in which each secret member has the value that `read` returns for its entry."""

    def copy(value: JsonValue, path: SecretPath) -> JsonValue:
        if path in parts.secrets:
            return read(parts.secrets[path])
        if isinstance(value, list):
            return [copy(each, (*path, index)) for index, each in enumerate(value)]
        if isinstance(value, dict):
            return {name: copy(each, (*path, name)) for name, each in value.items()}
        return value

    return cast("JsonBody", copy(parts.body, ()))


def to_text(parts: BodyParts) -> bytes:
    """Return the stored text.

    Raises:
        InvalidInput: it is larger than a store holds, or has what JSON text cannot have.
    """
    members = {"body": parts.body, "secrets": [[list(path), value] for path, value in parts.secrets.items()]}
    try:
        # Without escapes, since the limit counts bytes and an escaped letter has six.
        text = json.dumps(members, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            "The definition is not JSON: numbers must be finite, and texts must be valid Unicode."
        ) from error
    if len(text) > MAX_DEFINITION_BYTES:
        raise InvalidInput(
            f"The definition has {len(text)} bytes as stored; at most {MAX_DEFINITION_BYTES} are allowed: shorten it."
        )
    return text


def from_text(text: bytes) -> BodyParts:
    """Return what `to_text` wrote; members that a later release added are ignored."""
    members = json.loads(text)
    secrets = cast("list[tuple[list[str | int], JsonValue]]", members["secrets"])
    # JSON gives paths as lists, which cannot be keys.
    return BodyParts(members["body"], {tuple(path): value for path, value in secrets})
