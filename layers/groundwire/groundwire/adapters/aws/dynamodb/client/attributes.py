"""Attribute values of DynamoDB: numbers are sent as text, so that none is rounded; None has no attribute."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    Item = Mapping[str, AttributeValueTypeDef]


def text(value: str) -> "AttributeValueTypeDef":
    """Write a string, which may be empty."""
    return {"S": value}


def number(value: float) -> "AttributeValueTypeDef":
    """Write a number that `read_number` returns exactly."""
    return {"N": repr(value)}


def flag(value: bool) -> "AttributeValueTypeDef":  # noqa: FBT001
    """Write a boolean."""
    return {"BOOL": value}


def blob(value: bytes) -> "AttributeValueTypeDef":
    """Write bytes."""
    return {"B": value}


def texts(values: Iterable[str]) -> "AttributeValueTypeDef":
    """Write strings in the order given; a list, because a set of DynamoDB cannot be empty."""
    return {"L": [{"S": value} for value in values]}


def read_text(item: "Item", name: str) -> str:
    """Read what `text` wrote."""
    return item[name].get("S", "")


def read_number(item: "Item", name: str) -> float:
    """Read what `number` wrote, as a float."""
    return float(item[name].get("N", ""))


def read_integer(item: "Item", name: str) -> int:
    """Read what `number` wrote, as an integer."""
    return int(item[name].get("N", ""))


def read_flag(item: "Item", name: str) -> bool:
    """Read what `flag` wrote."""
    return item[name].get("BOOL") is True


def read_blob(item: "Item", name: str) -> bytes:
    """Read what `blob` wrote; empty when the attribute is missing."""
    return bytes(item.get(name, {}).get("B", b""))


def read_texts(item: "Item", name: str) -> list[str]:
    """Read what `texts` wrote."""
    return [value["S"] for value in item[name].get("L", [])]


def optional_text(item: "Item", name: str) -> str | None:
    """Read what `text` wrote; None when the attribute is missing."""
    return read_text(item, name) if name in item else None


def optional_number(item: "Item", name: str) -> float | None:
    """Read what `number` wrote; None when the attribute is missing."""
    return read_number(item, name) if name in item else None
