"""Where a command works: on this machine, in a stack of AWS, or in a service by its REST API."""

from typing import Final

from groundwire.domain.errors import Invalid
from groundwire.entry.cli.place.local import LocalPlace
from groundwire.entry.cli.place.nouns import Place
from groundwire.entry.cli.place.remote import RemotePlace
from groundwire.entry.cli.place.stack import StackPlace
from groundwire.wiring import elsewhere

__all__ = ["LocalPlace", "Place", "RemotePlace", "StackPlace", "choose", "here"]

_CHOSEN: Final[dict[str, Place]] = {}


def here() -> Place:
    """Where this command works."""
    return _CHOSEN.get("place") or LocalPlace()


def choose(*, stack: str | None, region: str | None, url: str | None, key: str | None) -> Place:
    """From now on commands work there; Raises Invalid for more than one place, or a service without a key."""
    if stack and url:
        raise Invalid("Name one place: --stack (an operator, through AWS) or --url (an owner, with a key).")
    if stack:
        place: Place = StackPlace(elsewhere.stack(stack, region), stack)
    elif url:
        if not key:
            raise Invalid("A service is called with a key: set GROUNDWIRE_KEY (or --key, which other people may see).")
        place = RemotePlace(elsewhere.service(url, key))
    else:
        place = LocalPlace()
    _CHOSEN["place"] = place
    return place
