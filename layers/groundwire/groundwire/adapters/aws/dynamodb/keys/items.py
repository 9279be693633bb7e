"""Key as an item of its table, without its digests and its rate."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.stored_items import ItemCodec
from groundwire.adapters.aws.dynamodb.keys.row_keys import key_row
from groundwire.domain.keys.api_key import STORED_KEY, ApiKey

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

_ITEMS: Final = ItemCodec(STORED_KEY)
from_item: Final = _ITEMS.from_item


def to_item(key: ApiKey) -> "dict[str, AttributeValueTypeDef]":
    """Return the key's row."""
    return {**key_row(key.kid), **_ITEMS.to_item(key)}
