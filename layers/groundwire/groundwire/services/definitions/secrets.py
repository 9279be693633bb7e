"""Sealing of the secrets in definitions, such as the key of a model's service.

A sealed secret opens only with the sealing key of the installation and only for the tenant, kind and name for which it
was sealed, so a row that is copied to another tenant reveals nothing. Only the current sealing key opens: after another
took its place, no stored secret opens, and the administrator enters each one again. Tenant ids are never reused.
"""

import json
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.ports import Sealer
    from groundwire.ports.definitions import DefinitionKind
    from groundwire.services.definitions.body import JsonValue


class DefinitionId(NamedTuple):
    """Identity of a definition, to which its secrets are bound."""

    tenant: str
    kind: "DefinitionKind"
    name: str


class DefinitionSecrets:
    """Sealing and opening of secrets.

    Args:
        load_sealer: returns the sealer; it is called when there is a secret, since the sealing key takes time to read.
    """

    def __init__(self, load_sealer: "Callable[[], Sealer]") -> None:
        self._load_sealer = load_sealer

    def seal(self, owner: DefinitionId, value: "JsonValue") -> str:
        """Return the secret as a token that only this definition opens; equal secrets have different tokens."""
        return self._load_sealer().seal(_purpose(owner), json.dumps(value).encode())

    def open(self, owner: DefinitionId, token: "JsonValue") -> "JsonValue":
        """Return the secret; None for a token that was not sealed here for this definition."""
        payload = self._load_sealer().unseal(_purpose(owner), token) if isinstance(token, str) else None
        return None if payload is None else cast("JsonValue", json.loads(payload))


def _purpose(owner: DefinitionId) -> str:
    # JSON text, so that no two owners have the same purpose, whatever characters their names have.
    return "definition secret " + json.dumps([owner.tenant, owner.kind.value, owner.name])
