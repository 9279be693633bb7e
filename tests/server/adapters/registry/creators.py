"""Entry points of processes that open a new registry concurrently."""

from pathlib import Path

from groundwire.adapters.local.secret_file import LocalSecrets
from tests.support.registry.backends import Place, opened
from tests.support.registry.records import tenant


def create_tenant(place: Place, number: int) -> int:
    with opened(place) as stores:
        stores.tenants.add(tenant(f"t-{number}"))
        return number


def no_keys() -> bool:
    """A registry in which nobody has a key yet."""
    return False


def both_secrets(home: str, _: int) -> tuple[bytes, bytes]:
    secrets = LocalSecrets(Path(home), no_keys)
    return secrets.pepper, secrets.sealing_key
