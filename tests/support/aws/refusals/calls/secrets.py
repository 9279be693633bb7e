"""Rules of calls to Secrets Manager."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source

SECRET_BYTES: Final = 65_536


@dataclass(frozen=True, slots=True)
class SecretValue:
    """Value that a call writes into a secret."""

    content: bytes


def _size(value: SecretValue) -> Iterator[str]:
    if not 0 < len(value.content) <= SECRET_BYTES:
        yield f"{len(value.content):,} bytes, 1 to {SECRET_BYTES:,}"


SECRET_RULES: Final = (
    Rule(
        "secret-size",
        "The value of a secret is empty or too large.",
        "65,536 bytes",
        Source(
            "https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html; "
            "botocore service model secretsmanager, PutSecretValue",
            LOOKED_UP,
        ),
        _size,
    ),
)
