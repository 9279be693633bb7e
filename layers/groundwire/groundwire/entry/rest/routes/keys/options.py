"""Options of a key as fields of REST's models: one for each stored option, so that none can be missing."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, Field, create_model

from groundwire.domain.keys.options import STORED_OPTIONS, USUAL_OPTIONS
from groundwire.entry.rest.schema import StrictBoolean, StrictInteger
from groundwire.stored.fields import Shown, StoredField
from groundwire.stored.kinds import PlainForm

_TYPES: Final[Mapping[PlainForm, Any]] = {
    PlainForm.INTEGER: StrictInteger,
    PlainForm.BOOLEAN: StrictBoolean,
    PlainForm.TEXT: str,
    PlainForm.TEXTS: list[str],
    PlainForm.REAL: float,
}
_CONSTRAINTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "dialects": {"min_length": 1},
    "floor": {"ge": 0, "le": 1, "strict": True},
}
"""Constraints that the OpenAPI document states; the use case checks every option."""


def order_with_options(base: type[BaseModel]) -> type[BaseModel]:
    """Return the model with a field for each option that an order may have; its default is the usual one."""
    fields: dict[str, Any] = {each.name: _order_field(each) for each in STORED_OPTIONS.fields}
    return create_model(f"{base.__name__}WithOptions", __base__=base, **fields)


def record_with_options(base: type[BaseModel]) -> type[BaseModel]:
    """Return the model with a field for each option; one that a record shows only where it is set has a default."""
    shown = [each for each in STORED_OPTIONS.fields if each.shown is not Shown.NEVER]
    fields: dict[str, Any] = {each.name: _record_field(each) for each in shown}
    return create_model(f"{base.__name__}WithOptions", __base__=base, **fields)


def _order_field(option: StoredField[Any]) -> tuple[Any, Any]:
    default = getattr(USUAL_OPTIONS, option.name)
    constrained: Any = _TYPES[option.kind.form]
    info = Field(default=default, description=option.description, **_CONSTRAINTS.get(option.name, {}))
    return (constrained if default is not None else constrained | None), info


def _record_field(option: StoredField[Any]) -> tuple[Any, Any]:
    if option.shown is Shown.ALWAYS:
        return _TYPES[option.kind.form], Field(description=option.description)
    description = f"{option.description} Present if it is set."
    if option.absent is not None:
        return _TYPES[option.kind.form], Field(default=option.absent, description=description)
    if option.kind.form is PlainForm.TEXTS:
        return list[str], Field(default=[], description=description)
    return _TYPES[option.kind.form] | None, Field(default=None, description=description)
