"""Rights in a normal form, in which the policies of a role and of a template are compared: one sentence for each."""

import json
from collections.abc import Mapping
from itertools import product

from groundwire.domain.text.json_values import is_mapping, list_or_single, mapping_or_empty


def rights_of(document: object) -> set[str]:
    """Return the rights in a policy, however its statements group them.

    A sentence has effect, action, resource, principal and condition, such as `allow s3:GetObject on arn:... if {...}`.
    """
    statements = list_or_single(mapping_or_empty(document).get("Statement", []))
    return {right for statement in statements for right in _rights(statement)}


def _rights(statement: object) -> set[str]:
    if not is_mapping(statement):
        return {str(statement)}
    effect = str(statement.get("Effect")).lower()
    condition = _condition(statement.get("Condition"))
    parts = product(
        _named(statement, "Action", ""), _named(statement, "Resource", "on "), _named(statement, "Principal", "to ")
    )
    return {" ".join(filter(None, (effect, *part, condition))) for part in parts}


def _named(statement: Mapping[str, object], member: str, word: str) -> list[str]:
    """Return each value of a member with its word; of its negation, all values as one."""
    if (excluded := statement.get(f"Not{member}")) is not None:
        return [f"{word}all but {', '.join(sorted(_texts(excluded)))}"]
    return [f"{word}{each}" for each in _texts(statement.get(member))] or [""]


def _texts(value: object) -> list[str]:
    """Return the texts of a value; of a principal, each with its kind."""
    if is_mapping(value):
        return [f"{kind} {each}" for kind, values in value.items() for each in _texts(values)]
    return [] if value is None else [str(each) for each in list_or_single(value)]


def _condition(value: object) -> str:
    if not value:
        return ""
    compared = {
        operator: {key: sorted(_text(each) for each in list_or_single(values)) for key, values in _members(keys)}
        for operator, keys in _members(value)
    }
    return f"if {json.dumps(compared, sort_keys=True, separators=(',', ':'))}"


def _members(value: object) -> list[tuple[str, object]]:
    return list(value.items()) if is_mapping(value) else [(str(value), {})]


def _text(value: object) -> str:
    # IAM returns the values of conditions as texts.
    return str(value).lower() if isinstance(value, bool) else str(value)
