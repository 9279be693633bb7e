"""Parser of policy files and metadata files, wherever they are stored."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, cast

import yaml

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.domain.documents.metadata import MetadataOverrides, metadata_from_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_SIDECAR_YAML_EVENTS
from groundwire_readers.text.written_yaml import WrittenLoader

_STRING_TAG: Final = "tag:yaml.org,2002:str"
_LONG_NUMBER: Final = re.compile(r"[-+.:_0-9eE]{401,}")
"""Long numbers are refused: PyYAML reads `1:1:1` in base 60, in time quadratic in the length."""
_REMEDIES: Final[Mapping[str, str]] = {
    "while parsing a flow sequence": "the list that starts here needs a comma between values and `]` at its end",
    "while parsing a flow mapping": "the fields that start here need a comma between them and `}` at their end",
    "while scanning a quoted scalar": "the text that starts here needs a closing quote",
}
"""Remedy at the place where an error begins, by PyYAML's context of the error."""
_GENERAL_REMEDY: Final = "check the colons, quotes, brackets and spaces here, and put text with signs in quotes"


def check_events(text: str) -> None:
    """Refuse YAML that is more than one mapping of scalars and of lists of scalars, each field once.

    Raises:
        yaml.YAMLError: the text is no YAML, or not of this form; the message names what to change.
    """
    shape = _MappingShape()
    for number, event in enumerate(_parse_events(text), start=1):
        if number > MAX_SIDECAR_YAML_EVENTS:
            raise yaml.YAMLError(f"it has more than {MAX_SIDECAR_YAML_EVENTS} parts")
        shape.check(event)


class _MappingShape:
    """Position in the document after the events so far."""

    def __init__(self) -> None:
        self._open_nodes: list[type[yaml.Event]] = []
        self._children = 0
        self._documents = 0
        self._fields: set[str] = set()

    def check(self, event: yaml.Event) -> None:
        """Check one event.

        Raises:
            yaml.YAMLError: the event does not fit the form.
        """
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise yaml.YAMLError("it holds more than one document")
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open_nodes.pop()
        elif isinstance(event, yaml.NodeEvent):
            _reject_references(event)
            self._node(event)

    def _node(self, event: yaml.NodeEvent) -> None:
        is_key = self._is_at_key()
        if self._open_nodes == [yaml.MappingStartEvent]:
            self._children += 1
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, is_key=is_key)
            return
        if is_key:
            raise yaml.YAMLError("a field's name must be text")
        if self._open_nodes and (
            self._open_nodes != [yaml.MappingStartEvent] or isinstance(event, yaml.MappingStartEvent)
        ):
            raise yaml.YAMLError("it is nested too deeply: a field holds one value, or a list of values")
        self._open_nodes.append(type(event))

    def _is_at_key(self) -> bool:
        return self._open_nodes == [yaml.MappingStartEvent] and self._children % 2 == 0

    def _scalar(self, event: yaml.ScalarEvent, *, is_key: bool) -> None:
        value = cast("str", event.value)
        if _LONG_NUMBER.fullmatch(value) and event.style is None:
            raise yaml.YAMLError("a number is too long: put it in quotes")
        if not is_key:
            return
        # PyYAML merges another mapping by this key, also in `safe_load`.
        if value == "<<":
            raise yaml.YAMLError("`<<` is not supported: write the fields out")
        if value in self._fields:
            raise yaml.YAMLError(f"the field {value} occurs twice: keep one")
        self._fields.add(value)


def _reject_references(event: yaml.NodeEvent) -> None:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise yaml.YAMLError("anchors (`&`) and aliases (`*`) are not supported: write the value out, or quote it")
    tag = cast("str | None", getattr(event, "tag", None))
    if tag is not None and tag != _STRING_TAG:
        raise yaml.YAMLError("tags (`!`) are not supported: leave them out, or quote the value")


def _parse_events(text: str) -> Iterator[yaml.Event]:
    return cast("Iterator[yaml.Event]", yaml.parse(text, yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType] - untyped in PyYAML's stubs


class YamlSidecarParser:
    """Implements `ports.SidecarParser`."""

    def parse_policy(self, text: str, source_name: str) -> Policy:
        """Parse a policy file, see `parse_policy`."""
        return parse_policy(text, source_name)

    def parse_metadata(self, text: str, source_name: str) -> MetadataOverrides:
        """Parse a metadata file, see `parse_metadata`."""
        return parse_metadata(text, source_name)


def parse_policy(text: str, source_name: str) -> Policy:
    """Return the policy of a policy file; `source_name` names it in messages.

    Raises:
        InvalidInput: the text is no policy.
    """
    return policy_from_mapping(load_yaml(text, source_name), source_name)


def parse_metadata(text: str, source_name: str) -> MetadataOverrides:
    """Return the fields of a metadata file, see `written_value`; None removes a field.

    Raises:
        InvalidInput: the text is no metadata.
    """
    loaded = _loaded(text, source_name, WrittenLoader)
    if loaded is None:
        return {}
    if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in cast("dict[object, object]", loaded)):
        raise InvalidInput(f"{source_name} must have a field and its value on each line, such as `year: 2024`.")
    fields = cast("dict[str, object]", loaded)
    try:
        metadata = metadata_from_mapping({name: value for name, value in fields.items() if value is not None})
    except InvalidInput as error:
        raise InvalidInput(f"{source_name}: {error}") from error
    return {name: metadata.get(name) for name in fields}


def load_yaml(text: str, source_name: str) -> object:
    """Return the value of the YAML text; None for an empty one.

    Raises:
        InvalidInput: the text is no YAML of the allowed form.
    """
    return _loaded(text, source_name, yaml.SafeLoader)


def _loaded(text: str, source_name: str, loader: type[yaml.SafeLoader]) -> object:
    try:
        check_events(text)
        return yaml.load(text, loader)  # noqa: S506 - both are loaders of plain values
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # an impossible date or number raises no YAMLError
        raise _unreadable(source_name, error) from error


def _unreadable(source_name: str, error: Exception) -> InvalidInput:
    place, remedy = "", str(error)
    if isinstance(error, yaml.MarkedYAMLError):
        known = _REMEDIES.get(error.context or "")
        mark, remedy = error.context_mark if known else error.problem_mark, known or _GENERAL_REMEDY
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    elif isinstance(error, yaml.reader.ReaderError):
        remedy = f"remove the control character at position {error.position}"
    elif not isinstance(error, yaml.YAMLError):
        remedy = f"correct the date or number, or put it in quotes ({error})"
    return InvalidInput(f"{source_name} cannot be read{place}: {remedy}.")
