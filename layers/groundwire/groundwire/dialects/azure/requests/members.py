"""Members of JSON objects by version of the API: one table for all versions, read by one function."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, cast

from groundwire.dialects.azure.errors import AzureError, invalid_parameter
from groundwire.dialects.azure.versions import ALL, ApiVersion, Versions
from groundwire.domain.text.json_values import require_mapping

_INT32: Final = 2**31
_QUOTED_CHARACTERS: Final = 80


class MemberType(StrEnum):
    """Type of a single value, as errors name it."""

    TEXT = "a text"
    INTEGER = "an integer"
    NUMBER = "a number"
    BOOLEAN = "true or false"
    ANY = "a value"


@dataclass(frozen=True, slots=True)
class VersionedMember:
    """Member of an object in some versions of the API.

    Attributes:
        type: of its value, or of the items of its list.
        versions: that have the member.
        required: versions in which it must be there.
        aliases: other spellings that count where the name is absent.
    """

    name: str
    type: "MemberType | ObjectType"
    versions: Versions = ALL
    required: Versions = frozenset()
    is_list: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectType:
    """Type of an object; annotations of OData, which begin with `@`, may be in every object and are not read."""

    members: tuple[VersionedMember, ...]


Members = Mapping[str, object]
"""Members that were read, by name; absent and null ones are left out."""


def read_object(value: object, expected: ObjectType, version: ApiVersion, path: str = "") -> Members:
    """Return the members of an object.

    Args:
        value: as JSON.
        expected: type of the object.
        version: of the call.
        path: of the object within the request, for errors.

    Raises:
        AzureError: a member is unknown, of another version, missing or of another type.
    """
    given = require_mapping(value, _wrong(path or "The request", "an object"))
    known = {name: member for member in expected.members for name in (member.name, *member.aliases)}
    _check_names(given, known, version, path)
    found: dict[str, object] = {}
    for member in expected.members:
        name = next((each for each in (member.name, *member.aliases) if given.get(each) is not None), None)
        if name is not None:
            found[member.name] = _read_member(given[name], member, version, f"{path}{name}")
        elif version in member.required:
            raise invalid_parameter(f"{path}{member.name} is missing.")
    return found


def _check_names(
    given: Mapping[str, object], known: Mapping[str, VersionedMember], version: ApiVersion, path: str
) -> None:
    named = [name for name in given if not name.startswith("@")]
    if unknown := [f"{path}{name}"[:_QUOTED_CHARACTERS] for name in named if name not in known]:
        raise invalid_parameter(f"The api-version {version} has no member {', '.join(unknown[:5])}: leave it out.")
    if others := [name for name in named if version not in known[name].versions]:
        there_are = ", ".join(each for each in ApiVersion if each in known[others[0]].versions)
        names = ", ".join(f"{path}{name}" for name in others[:5])
        raise invalid_parameter(
            f"The api-version {version} has no member {names}: leave it out, or use one of {there_are}."
        )


def _read_member(value: object, member: VersionedMember, version: ApiVersion, path: str) -> object:
    if not member.is_list:
        return _read_value(value, member.type, version, path)
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise _wrong(path, "a list")
    items = cast("Sequence[object]", value)
    return [_read_value(each, member.type, version, f"{path}[{at}]") for at, each in enumerate(items)]


def _read_value(value: object, expected: MemberType | ObjectType, version: ApiVersion, path: str) -> object:
    if isinstance(expected, ObjectType):
        return read_object(value, expected, version, f"{path}.")
    if not _has_type(value, expected):
        raise _wrong(path, expected)
    return value


def _has_type(value: object, expected: MemberType) -> bool:
    if expected is MemberType.TEXT:
        return isinstance(value, str)
    if expected is MemberType.BOOLEAN:
        return isinstance(value, bool)
    if isinstance(value, bool):
        return expected is MemberType.ANY
    if expected is MemberType.INTEGER:
        return isinstance(value, int) and -_INT32 <= value < _INT32
    if expected is MemberType.NUMBER:
        return isinstance(value, (int, float)) and math.isfinite(value)
    return True


def _wrong(path: str, expected: str) -> AzureError:
    return invalid_parameter(f"{path.rstrip('.')} must be {expected}.")
