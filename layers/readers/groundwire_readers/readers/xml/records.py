"""Conversion of data-like XML to JSON values, and of repeated elements to table rows."""

from collections import Counter
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.parsed import Block
from groundwire_readers.contents.tables import table_blocks
from groundwire_readers.readers.text.json_records import rows_of_records
from groundwire_readers.readers.xml.inline_text import has_words

_MIN_ROWS: Final = 3
"""Minimum number of elements of one name that are table rows: two are a pair."""


def value_of(element: Element) -> object:
    """Return the element as a JSON value: attributes and children by name, repeated children as a list."""
    text = (element.text or "").strip()
    if not len(element) and not element.attrib:
        return text
    members: dict[str, object] = {_local(name): value for name, value in element.attrib.items()}
    repeated = Counter(_local(child.tag) for child in element)
    if len(repeated) == 1 and len(element) > 1 and not members:
        return [value_of(child) for child in element]
    lists: dict[str, list[object]] = {}
    for child in element:
        name = _local(child.tag)
        if repeated[name] > 1:
            lists.setdefault(name, []).append(value_of(child))
        elif len(child):
            members.setdefault(name, value_of(child))
        else:
            _add_leaf(members, name, child)
    return members | lists | ({_local(element.tag): text} if text else {})


def _add_leaf(members: dict[str, object], name: str, leaf: Element) -> None:
    """Add the text of a leaf by its name, and its attributes by both names, such as "price" and "price currency"."""
    text = (leaf.text or "").strip()
    if text or not leaf.attrib:
        members.setdefault(name, text)
    for key, value in leaf.attrib.items():
        members.setdefault(f"{name} {_local(key)}", value)


def record_rows(element: Element) -> Iterator[Block]:
    """Yield the element's children as a table, if they are records: of one name, with the same simple leaves."""
    names = {child.tag for child in element}
    if len(names) == 1 and len(element) >= _MIN_ROWS and all(map(_is_record, element)):
        rows = rows_of_records([value_of(child) for child in element])
        yield from table_blocks(rows, None) if rows is not None else ()


def _is_record(element: Element) -> bool:
    has_fields = len(element) > 1 or len(element.attrib) > 1
    return has_fields and not any(len(child) for child in element) and not has_words(element)


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
