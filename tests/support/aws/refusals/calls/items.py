"""Sizes of DynamoDB's items, as its page "DynamoDB item sizes and formats" counts them."""

import base64
from collections.abc import Mapping
from typing import Any, Final

_CONTAINER: Final = 3
_ELEMENT: Final = 1


def item_size(item: Mapping[str, Any]) -> int:
    """Return the bytes of an item: names and values of its attributes."""
    return sum(len(name.encode()) + value_size(value) for name, value in item.items())


def value_size(value: Mapping[str, Any]) -> int:
    """Return the bytes of a value with its type, such as `{"S": "text"}`."""
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "N":
            return _number_size(content)
        case "B":
            return len(base64.b64decode(content))
        case "BOOL" | "NULL":
            return 1
        case _:
            return _container_size(kind, content)


def _container_size(kind: str, content: Any) -> int:
    match kind:
        case "L":
            return _CONTAINER + sum(_ELEMENT + value_size(each) for each in content)
        case "M":
            return _CONTAINER + _ELEMENT * len(content) + item_size(content)
        case _:
            return sum(value_size({kind[0]: each}) for each in content)


def _number_size(number: str) -> int:
    """Return the bytes of a number: one for two significant digits, one more, and one for a sign."""
    digits = number.lstrip("-").lower().partition("e")[0].replace(".", "").strip("0")
    return (len(digits) + 1) // 2 + 1 + number.startswith("-")
