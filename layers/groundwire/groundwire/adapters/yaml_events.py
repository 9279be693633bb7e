"""Checks of a side file's YAML events, before a single value is constructed: the text may come from anybody."""

import re
from collections.abc import Iterator
from typing import Final, cast

import yaml

from groundwire.domain.limits import MAX_SIDE_FILE_EVENTS

_STRING_TAG: Final = "tag:yaml.org,2002:str"
_LONG_NUMBER: Final = re.compile(r"[-+.:_0-9eE]{401,}")
"""PyYAML reads `1:1:1` in base 60, in time that grows with the square of the length."""


def check_events(text: str) -> None:
    """Refuse YAML that is more than one mapping of scalars and of lists of scalars, each field once.

    Raises:
        yaml.YAMLError: the text is no YAML, or not of this form; the message names what to change.
    """
    form = _Form()
    for number, event in enumerate(_parsed(text), start=1):
        if number > MAX_SIDE_FILE_EVENTS:
            raise yaml.YAMLError(f"it has more than {MAX_SIDE_FILE_EVENTS} parts")
        form.take(event)


class _Form:
    """The place in the document that the events have reached so far."""

    def __init__(self) -> None:
        self._open: list[type[yaml.Event]] = []
        self._children = 0
        self._documents = 0
        self._fields: set[str] = set()

    def take(self, event: yaml.Event) -> None:
        """Follow one event; Raises yaml.YAMLError."""
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise yaml.YAMLError("it holds more than one document")
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.NodeEvent):
            _refuse_references(event)
            self._node(event)

    def _node(self, event: yaml.NodeEvent) -> None:
        is_key = self._is_at_key()
        if self._open == [yaml.MappingStartEvent]:
            self._children += 1
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, is_key=is_key)
            return
        if is_key:
            raise yaml.YAMLError("a field's name must be text")
        if self._open and (self._open != [yaml.MappingStartEvent] or isinstance(event, yaml.MappingStartEvent)):
            raise yaml.YAMLError("it is nested too deeply: a field holds one value, or a list of values")
        self._open.append(type(event))

    def _is_at_key(self) -> bool:
        return self._open == [yaml.MappingStartEvent] and self._children % 2 == 0

    def _scalar(self, event: yaml.ScalarEvent, *, is_key: bool) -> None:
        value = cast("str", event.value)
        if _LONG_NUMBER.fullmatch(value) and event.style is None:
            raise yaml.YAMLError("a number is too long: put it in quotes")
        if not is_key:
            return
        if value == "<<":
            raise yaml.YAMLError("`<<` is not followed: write the fields out")
        if value in self._fields:
            raise yaml.YAMLError(f"the field {value} is there twice: keep one")
        self._fields.add(value)


def _refuse_references(event: yaml.NodeEvent) -> None:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise yaml.YAMLError("anchors (`&`) and aliases (`*`) are not followed: write the value out, or quote it")
    tag = cast("str | None", getattr(event, "tag", None))
    if tag is not None and tag != _STRING_TAG:
        raise yaml.YAMLError("tags (`!`) are not followed: leave them out, or quote the value")


def _parsed(text: str) -> Iterator[yaml.Event]:
    return cast("Iterator[yaml.Event]", yaml.parse(text, yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType] - untyped in PyYAML's stubs
