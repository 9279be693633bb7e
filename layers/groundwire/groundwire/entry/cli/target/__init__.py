"""Targets of commands: this machine, an AWS stack, or a service by its REST API."""

import re
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.target.local import LocalTarget
from groundwire.entry.cli.target.rest import RestTarget
from groundwire.entry.cli.target.stack import StackTarget
from groundwire.wiring import remote_targets

__all__ = ["LocalTarget", "RestTarget", "StackTarget", "Target", "current_target", "select_target"]

Target = LocalTarget | RestTarget | StackTarget
"""Backend that commands act on.

Attributes:
    supported_commands: first words of the commands that the target supports; None: all.
    description: a sentence that names the target, for an error about an unknown name.
    requires_tenant: True when commands must name their tenant; False where the key determines it.
    usage_hints: lines to print after a key was created; `{url}` is a placeholder for the service's address.
"""
_STACK_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,127}")
"""Source: CloudFormation API reference, CreateStack, StackName."""
_SELECTED: Final[dict[str, Target]] = {}


def current_target() -> Target:
    """Return the target of this command."""
    return _SELECTED.get("target") or LocalTarget()


def select_target(*, stack: str | None, region: str | None, url: str | None, key: str | None) -> Target:
    """Select the target of the following commands, and return it.

    Raises:
        InvalidInput: more than one target is named, or an empty or impossible one, or a service without a key, or a
            Region without a stack.
    """
    if "" in {stack, url}:
        # A shell gives this for a variable that is not set; the command must not work on this machine instead.
        raise InvalidInput("--stack or --url is empty: name a stack or a service, or leave the option out.")
    if stack and url:
        raise InvalidInput("Use --stack (an operator, with AWS credentials) or --url (an owner, with a key), not both.")
    if region is not None and not stack:
        raise InvalidInput(
            "--region is the Region of a stack: name the stack with --stack. "
            "`groundwire doctor --before` takes --region after its name."
        )
    # Before any call, because AWS reports such a name less clearly.
    if stack and not _STACK_NAME.fullmatch(stack):
        raise InvalidInput(
            f"No stack can have the name {stack!r}: it begins with a letter and has at most 128 letters, digits and "
            "hyphens."
        )
    if stack:
        target: Target = StackTarget(remote_targets.operator_client(stack, region), stack, region)
    elif url:
        if not key:
            raise InvalidInput(
                "A service needs a key: set GROUNDWIRE_KEY, or give --key, which other users of the machine may see."
            )
        target = RestTarget(remote_targets.rest_client(url, key))
    else:
        target = LocalTarget()
    _SELECTED["target"] = target
    return target
