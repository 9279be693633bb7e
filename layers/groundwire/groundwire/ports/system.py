"""What a call needs beside the stores: the time, the audit log, tokens that nobody else can make."""

from collections.abc import Callable, Mapping
from typing import Protocol

Clock = Callable[[], float]
"""Epoch seconds."""


class AuditLog(Protocol):
    """One line per call, chained: each line holds the hash of the one before."""

    def append(self, record: Mapping[str, object]) -> None:
        """The line is written before this returns; never raises for what `record` holds."""
        ...


class Sealer(Protocol):
    """Authenticated encryption of small payloads that travel through other hands."""

    def seal(self, purpose: str, payload: bytes) -> str:
        """A URL-safe token that only `unseal` with the same purpose opens."""
        ...

    def unseal(self, purpose: str, token: str) -> bytes | None:
        """The payload, or None for anything that was not sealed here for this purpose."""
        ...
