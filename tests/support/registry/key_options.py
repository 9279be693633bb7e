"""Keys, orders and callers with other options."""

from dataclasses import replace
from typing import Any, TypeVar

from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.caller import Caller
from groundwire.services.keys.admin import KeySpec

T = TypeVar("T", ApiKey, Caller, KeySpec)


def with_options(owner: T, **options: Any) -> T:
    """Return the key, its order or its caller with these options changed."""
    return replace(owner, options=replace(owner.options, **options))
