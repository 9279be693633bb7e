"""Where a command works: on this machine, in a stack of AWS, or in a service by its REST API."""

from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.target.local import LocalTarget
from groundwire.entry.cli.target.ports import Target
from groundwire.entry.cli.target.rest import RestTarget
from groundwire.entry.cli.target.stack import StackTarget
from groundwire.wiring import remote_targets

__all__ = ["LocalTarget", "RestTarget", "StackTarget", "Target", "current_target", "select_target"]

_SELECTED: Final[dict[str, Target]] = {}


def current_target() -> Target:
    """Where this command works."""
    return _SELECTED.get("place") or LocalTarget()


def select_target(*, stack: str | None, region: str | None, url: str | None, key: str | None) -> Target:
    """From now on commands work there; Raises Invalid for more than one place, or a service without a key."""
    if stack and url:
        raise InvalidInput("Name one place: --stack (an operator, through AWS) or --url (an owner, with a key).")
    if stack:
        place: Target = StackTarget(remote_targets.operator_client(stack, region), stack)
    elif url:
        if not key:
            raise InvalidInput(
                "A service is called with a key: set GROUNDWIRE_KEY (or --key, which other people may see)."
            )
        place = RestTarget(remote_targets.rest_client(url, key))
    else:
        place = LocalTarget()
    _SELECTED["place"] = place
    return place
