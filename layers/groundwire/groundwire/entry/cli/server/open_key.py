"""The key of `groundwire serve --open-as`, and the options that it cannot go with."""

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from groundwire.dialects import FOUNDRY
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.grants import KeyKind

if TYPE_CHECKING:
    from groundwire.entry.local_server.open_access import OpenAccess
    from groundwire.wiring.local.services import LocalServices

LOOPBACK: Final = "127.0.0.1"
_LOOPBACK_NAMES: Final = frozenset({LOOPBACK, "localhost", "::1"})
_ONLY_SEARCH: Final = frozenset({Scope.SEARCH})
_ONE_MACHINE: Final = "--open-as works only on this machine: leave {} out."


def check_options(host: str, public_url: str | None, allowed_hosts: list[str], trusted_proxies: list[str]) -> None:
    """Check that the server will be reached from this machine alone.

    Raises:
        InvalidInput: an option says otherwise.
    """
    # A call without a key acts with somebody's rights, so that no other machine may reach it.
    given = {
        "--host": host != LOOPBACK,
        "--public-url": public_url is not None,
        "--allowed-host": bool(allowed_hosts),
        "--trusted-proxy": bool(trusted_proxies),
    }
    for option, is_given in given.items():
        if is_given:
            raise InvalidInput(_ONE_MACHINE.format(option))


def open_access(services: "LocalServices", text: str) -> "OpenAccess":
    """Return the access that calls without a key get by this one.

    Raises:
        InvalidInput: the key is not admitted, is not personal, or has more than the scope `search`; the dialect is not
            switched on; or a setting makes the server known to others.
    """
    from groundwire.entry.local_server.open_access import OpenAccess

    if urlsplit(services.settings.public_url).hostname not in _LOOPBACK_NAMES:
        raise InvalidInput(_ONE_MACHINE.format("GROUNDWIRE_PUBLIC_URL"))
    if FOUNDRY not in services.agents.dialects:
        raise InvalidInput("--open-as needs the dialect `foundry`: add it to GROUNDWIRE_DIALECTS.")
    caller = services.access.authorize({"authorization": f"Bearer {text}"}).caller
    if caller is None or caller.kind is not KeyKind.PERSONAL:
        raise InvalidInput(
            "--open-as needs a personal key of this home folder. Create one with `groundwire key create --user NAME`."
        )
    # With more scopes every user of this machine could change documents.
    if caller.scopes != _ONLY_SEARCH or not caller.options.allows_dialect(FOUNDRY.name):
        raise InvalidInput(
            "--open-as needs a key for the dialect `foundry` with only the scope `search`. Create one "
            "with `groundwire key create --user NAME --scope search`."
        )
    [path] = FOUNDRY.mcp_paths
    return OpenAccess(path, Secret(text))
