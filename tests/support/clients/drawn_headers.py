"""Headers of a valid call to a dialect: a key of either kind in any of its headers, and perhaps a user and tags."""

from random import Random

from groundwire.domain.keys.grants import KeyKind
from tests.support.worlds.two_tenants import BLUE, KEPT, RED, USERS, TwoTenants


def drawn_headers(random: Random, two_tenants: TwoTenants, key_headers: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the headers; `key_headers` are those of a key beside `Authorization`, the likelier ones repeated."""
    key = random.choice(two_tenants.houses[0].keys)
    text = key.secret.reveal()
    forms = (("authorization", f"Bearer {text}"), *((name, text) for name in key_headers))
    headers = [("content-type", "application/json"), random.choice(forms)]
    if key.key.kind is KeyKind.PERSONAL:
        return headers
    headers.append(("x-user-id", random.choice(USERS)))
    tags = random.choice((f'["{RED}"]', f'["{BLUE}", "{RED}"]', f'["{KEPT}"]', None))
    return headers if tags is None else [*headers, ("x-session-tags", tags)]
