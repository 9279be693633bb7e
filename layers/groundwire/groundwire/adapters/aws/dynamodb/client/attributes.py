"""Values as DynamoDB's attributes: numbers travel as text, so that none is rounded; what is None is left out."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    Item = Mapping[str, AttributeValueTypeDef]


def text(value: str) -> "AttributeValueTypeDef":
    """A string, empty ones included."""
    return {"S": value}


def number(value: float) -> "AttributeValueTypeDef":
    """A number that `read_number` gives back to the bit."""
    return {"N": repr(value)}


def flag(value: bool) -> "AttributeValueTypeDef":  # noqa: FBT001
    """True or false."""
    return {"BOOL": value}


def blob(value: bytes) -> "AttributeValueTypeDef":
    """Bytes."""
    return {"B": value}


def texts(values: Iterable[str]) -> "AttributeValueTypeDef":
    """Strings in the order given; a list, as a set of DynamoDB cannot be empty."""
    return {"L": [{"S": value} for value in values]}


def read_text(item: "Item", name: str) -> str:
    """What `text` stored."""
    return item[name].get("S", "")


def read_number(item: "Item", name: str) -> float:
    """What `number` stored, as a float."""
    return float(item[name].get("N", ""))


def read_integer(item: "Item", name: str) -> int:
    """What `number` stored, as a whole number."""
    return int(item[name].get("N", ""))


def read_flag(item: "Item", name: str) -> bool:
    """What `flag` stored."""
    return item[name].get("BOOL") is True


def read_blob(item: "Item", name: str) -> bytes:
    """What `blob` stored; nothing when it was left out."""
    return bytes(item.get(name, {}).get("B", b""))


def read_texts(item: "Item", name: str) -> list[str]:
    """What `texts` stored."""
    return [value["S"] for value in item[name].get("L", [])]


def optional_text(item: "Item", name: str) -> str | None:
    """What `text` stored; None when it was left out."""
    return read_text(item, name) if name in item else None


def optional_number(item: "Item", name: str) -> float | None:
    """What `number` stored; None when it was left out."""
    return read_number(item, name) if name in item else None
