"""Conditional update of a key's fields, as part of a transaction."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import flag, text
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys.items import to_item
from groundwire.adapters.aws.dynamodb.keys.rate import initial_rate
from groundwire.adapters.aws.dynamodb.keys.row_keys import key_row
from groundwire.adapters.aws.dynamodb.keys.tenant_rate import add_rate_request
from groundwire.domain.keys.api_key import CHANGEABLE_FIELDS, STORED_KEY, ApiKey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef, UpdateTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_CHANGEABLE: Final = tuple(field.attribute for field in STORED_KEY.fields if field.name in CHANGEABLE_FIELDS)


def change_requests(table: DynamoTable, before: ApiKey, after: ApiKey) -> "Iterator[UpdateTypeDef]":
    """Yield the update of the key and, where its rate changes, that of its tenant's sums."""
    was, will_be = to_item(before), to_item(after)
    # Names are placeholders, since `name` is a reserved word.
    names = {f"#{number}": attribute for number, attribute in enumerate(_CHANGEABLE)}
    values: dict[str, AttributeValueTypeDef] = {":tenant": text(before.tenant), ":false": flag(False)}
    conditions, assignments, removals = ["tenant = :tenant", "revoked = :false"], list[str](), list[str]()
    for number, attribute in enumerate(_CHANGEABLE):
        if attribute in was:
            values[f":before{number}"] = was[attribute]
            conditions.append(f"#{number} = :before{number}")
        else:
            conditions.append(f"attribute_not_exists(#{number})")
        if attribute in will_be:
            values[f":after{number}"] = will_be[attribute]
            assignments.append(f"#{number} = :after{number}")
        else:
            removals.append(f"#{number}")
    for attribute, value in _rate_steps(after).items():
        values[f":{attribute}"] = value
        assignments.append(f"{attribute} = :{attribute}")
    change = f"SET {', '.join(assignments)}" + (f" REMOVE {', '.join(removals)}" if removals else "")
    request = table.update_request(key_row(before.kid), change, " AND ".join(conditions), values)
    yield {**request, "ExpressionAttributeNames": names}
    if (before.rate_per_minute, before.burst) != (after.rate_per_minute, after.burst):
        yield add_rate_request(table, before, after)


def _rate_steps(key: ApiKey) -> "Item":
    """Return the attributes of the rate without what calls have spent of it."""
    return {name: value for name, value in initial_rate(key.rate_per_minute, key.burst).items() if name != "tat"}
