"""Reader of messages in the JSON form of proto3: members in either spelling, numbers as text, null as absent."""

import json
import math
import re
from collections.abc import Mapping
from typing import Final, TypeAlias, cast

from groundwire.dialects.vertex.errors import FieldViolation, GoogleError, GoogleStatus
from groundwire.dialects.vertex.members import Member, MessageType, ScalarType
from groundwire.domain.text.json_values import is_list, is_mapping

Value: TypeAlias = "str | int | float | Message | list[Value]"
Message: TypeAlias = "dict[str, Value]"
"""Members that are set, by their names in snake_case."""

_INTEGER_TEXT: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,9})")
_NUMBER_TEXT: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# The JSON form of proto3 has these numbers as texts.
_NAMED_NUMBERS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_INT32_LIMIT: Final = 2**31
_MAX_QUOTED_CHARACTERS: Final = 100
_MAX_NUMBER_CHARACTERS: Final = 64
# An answer must not grow with a body of many unknown members.
_MAX_VIOLATIONS: Final = 20
# Google's APIs send texts of this form.
_UNKNOWN: Final = "Invalid JSON payload received. Unknown name {name}{place}: Cannot find field."
_INVALID: Final = "Invalid value at '{path}' ({type}), {value}"
_TWICE: Final = "Invalid JSON payload received. '{first}' and '{second}'{place} are one member: send one of them."
_SECOND: Final = (
    "Invalid value at '{path}' (oneof), oneof field '{union}' is already set. Cannot set '{name}': send one of them."
)


def read_message(value: object, message_type: MessageType) -> Message:
    """Return the members that are set; null is absent, an empty message is set.

    Raises:
        GoogleError: members are unknown, of another type, given twice, or of one union.
    """
    reader = _MessageReader()
    message = reader.message(value, message_type, "")
    if reader.violations:
        text = "\n".join(each.description for each in reader.violations)
        raise GoogleError(GoogleStatus.INVALID_ARGUMENT, text, reader.violations)
    return message


class _MessageReader:
    """Reader of one message; it continues after an error, so that one answer names all of them."""

    def __init__(self) -> None:
        self.violations: list[FieldViolation] = []

    def message(self, value: object, message_type: MessageType, path: str) -> Message:
        """Return the members of an object."""
        if not is_mapping(value):
            self._refuse(path, message_type, value)
            return {}
        message: Message = {}
        unions: set[str] = set()
        for member in message_type.members:
            sent = self._sent(value, member, path)
            if sent is None:
                continue
            if member.union is not None:
                self._check_union(member.union, member, unions, path)
                unions.add(member.union)
            message[member.name] = self._member(sent, member, _joined(path, member.name))
        self._refuse_unknown(value, message_type, path)
        return message

    def _sent(self, given: Mapping[str, object], member: Member, path: str) -> object:
        """Return what was sent for a member, in whichever spelling; None where it is absent or null."""
        # `agentplatform` mixes both spellings in one body.
        names = [name for name in dict.fromkeys((member.json_name, member.name)) if name in given]
        if len(names) > 1:
            text = _TWICE.format(first=names[0], second=names[1], place=_place(path))
            self._add(FieldViolation(_joined(path, member.name), text))
        return given[names[0]] if names else None

    def _check_union(self, union: str, member: Member, unions: set[str], path: str) -> None:
        if union in unions:
            self._add(FieldViolation(path, _SECOND.format(path=path, union=union, name=member.json_name)))

    def _member(self, value: object, member: Member, path: str) -> Value:
        if not member.is_repeated:
            return self._single(value, member.type, path)
        if member.is_single_accepted and is_mapping(value):
            return [self._single(value, member.type, f"{path}[0]")]
        if not is_list(value):
            self._refuse(path, member.type, value)
            return []
        return [self._single(item, member.type, f"{path}[{number}]") for number, item in enumerate(value)]

    def _single(self, value: object, kind: ScalarType | MessageType, path: str) -> Value:
        if isinstance(kind, MessageType):
            return self.message(value, kind, path)
        read = _READERS[kind](value)
        if read is None:
            self._refuse(path, kind, value)
            return ""
        return read

    def _refuse_unknown(self, given: Mapping[str, object], message_type: MessageType, path: str) -> None:
        known = {name for member in message_type.members for name in (member.name, member.json_name)}
        for name in given:
            if name not in known:
                # Google names the path of the parent, not that of the member.
                self._add(FieldViolation(path, _UNKNOWN.format(name=_quoted(name), place=_place(path))))

    def _refuse(self, path: str, kind: ScalarType | MessageType, value: object) -> None:
        name = kind.type_url if isinstance(kind, MessageType) else kind.value
        text = _INVALID.format(path=path, type=name, value=_quoted(value))
        if isinstance(kind, MessageType):
            text += f": send an object with {', '.join(member.json_name for member in kind.members)}"
        self._add(FieldViolation(path, text))

    def _add(self, violation: FieldViolation) -> None:
        if len(self.violations) < _MAX_VIOLATIONS:
            self.violations.append(violation)


def _read_string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _read_int32(value: object) -> int | None:
    """Return the integer; 2.0 and "2" are 2, a boolean is no number."""
    if isinstance(value, bool):
        return None
    is_whole = value.is_integer() if isinstance(value, float) else isinstance(value, str) and _is_integer_text(value)
    if is_whole:
        value = int(cast("float | str", value))
    if not isinstance(value, int) or not -_INT32_LIMIT <= value < _INT32_LIMIT:
        return None
    return value


def _is_integer_text(text: str) -> bool:
    return _INTEGER_TEXT.fullmatch(text) is not None


def _read_double(value: object) -> float | None:
    """Return the number; "0.5", "NaN", "Infinity" and "-Infinity" are numbers, a boolean is not."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str) or len(value) > _MAX_NUMBER_CHARACTERS:
        return None
    if value in _NAMED_NUMBERS:
        return _NAMED_NUMBERS[value]
    number = float(value) if _NUMBER_TEXT.fullmatch(value) else math.inf
    return number if math.isfinite(number) else None


_READERS: Final = {
    ScalarType.STRING: _read_string,
    ScalarType.INT32: _read_int32,
    ScalarType.FLOAT: _read_double,
    ScalarType.DOUBLE: _read_double,
}


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _place(path: str) -> str:
    return f" at '{path}'" if path else ""


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MAX_QUOTED_CHARACTERS else f"{text[:_MAX_QUOTED_CHARACTERS]}…"
