"""Question about tags that nobody has: a slip in a tag opens a document or closes it without an error."""

import sys
from collections.abc import Iterable

import typer

from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import Row, warn
from groundwire.entry.cli.target.operations import TenantTarget
from groundwire.services.ingest.request import IngestRequest


def declared_tags(requests: Iterable[IngestRequest]) -> set[str]:
    """Return the tags that options and policy files declare for the files of a run."""
    declared = {request.policy for request in requests if isinstance(request.policy, DeclaredPolicy)}
    policies = {policy for each in declared for policy in (each.option, each.file) if policy is not None}
    return {tag for policy in policies for tag in policy.any_tags | policy.all_tags}


def confirm_tags(tenant: TenantTarget, tags: Iterable[str], *, is_confirmed: bool, option: str = "--yes") -> bool:
    """Return whether some of the tags are new and meant so; asks on a terminal.

    Without a terminal, a tag that resembles one in use is refused, and another new tag is named in a warning. The
    command's option for new tags is `option`.

    Raises:
        InvalidInput: there is no terminal to ask on, and a tag is probably a slip.
        Abort: the tags are not meant so.
    """
    wanted = set(tags)
    new = tenant.tags.new(wanted) if wanted else []
    if not new or is_confirmed:
        return bool(new)
    if sys.stdin.isatty():
        for each in new:
            warn(_sentence(each))
        typer.confirm("Use it anyway?" if len(new) == 1 else "Use them anyway?", abort=True, err=True)
        return True
    if slips := [each for each in new if each["meant"] is not None]:
        raise InvalidInput(f"{_sentence(slips[0])} If it is a new tag, try again with {option}.")
    for each in new:
        warn(f"Warning: {_sentence(each)}")
    return True


def name_new_tags(tenant: TenantTarget, tags: Iterable[str]) -> None:
    """Name on standard error the tags that nobody has: a search with a slip finds less, and changes nothing."""
    wanted = set(tags)
    for each in tenant.tags.new(wanted) if wanted else ():
        warn(f"Warning: {_sentence(each)}")


def _sentence(new: Row) -> str:
    meant = "" if new["meant"] is None else f" Did you mean {new['meant']}?"
    return f"No document, user, key or group has the tag {new['tag']}.{meant}"
