"""The tags that an agent's key may assert: from options, or from the answer to a question that proposes tags."""

import shlex
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, cast

import typer

from groundwire.domain.access.tags import parse_max_tag
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.target.operations import TenantTarget

EVERY_TAG: Final = "*"
"""The bound that covers every tag."""

_ANY_ANSWER: Final = "any"
_MAX_SHOWN: Final = 20
_MAX_EXAMPLES: Final = 3


class Proposal(NamedTuple):
    """A bound, and those tags of policies that it covers."""

    max_tag: str
    tags: tuple[str, ...]


def max_tags_of(max_tags: Sequence[str], *, any_tag: bool) -> tuple[str, ...]:
    """Return the bound of the two options; empty where none was given.

    Raises:
        InvalidInput: both were given.
    """
    if any_tag and max_tags:
        raise InvalidInput("--any-tag includes every tag: leave it or --max-tag out.")
    return (EVERY_TAG,) if any_tag else tuple(max_tags)


def choose_max_tags(tenant: TenantTarget) -> tuple[str, ...]:
    """Ask which tags may count, and propose those of the tenant's policies.

    There is no default: an empty or malformed answer repeats the question.

    Raises:
        InvalidInput: there is no terminal to ask on; the message has the proposals as options.
        Abort: the input ended.
    """
    # No default for an agent: whoever creates its key decides which tags it may assert.
    tags, is_complete = _policy_tags(tenant)
    proposals = proposed_bounds(tags)
    if not sys.stdin.isatty():
        raise InvalidInput(_options_sentence(proposals, is_complete=is_complete))
    if proposals:
        warn(f"Tags in the policies of {tenant.title}:", style="bold")
    elif is_complete:
        warn(f"The policies of {tenant.title} use no tags yet.")
    for number, proposal in enumerate(proposals[:_MAX_SHOWN], start=1):
        warn(f"{number}) {proposal.max_tag}{_examples(proposal)}", style="none")
    if proposals and (len(proposals) > _MAX_SHOWN or not is_complete):
        warn("There are more tags: name them with --max-tag.")
    while True:
        answer = typer.prompt(
            f"Which tags may calls use? Enter numbers or tags, separated by commas, or `{_ANY_ANSWER}` for every tag",
            err=True,
        )
        try:
            return _read_answer(str(answer), proposals[:_MAX_SHOWN])
        except InvalidInput as error:
            warn(str(error))


def proposed_bounds(tags: Iterable[str]) -> list[Proposal]:
    """Return a prefix such as `department:*` for several tags before whose colon is the same text, else the tag.

    A tag that ends in `*` is left out: as a bound it would be a prefix.
    """
    groups = defaultdict[str, list[str]](list)
    for tag in sorted(tags):
        name, colon, _ = tag.partition(":")
        groups[f"{name}:*" if colon else tag].append(tag)
    proposals = (
        Proposal(max_tag if len(group) > 1 else group[0], tuple(group)) for max_tag, group in sorted(groups.items())
    )
    return [each for each in proposals if len(each.tags) > 1 or not each.max_tag.endswith(EVERY_TAG)]


def _policy_tags(tenant: TenantTarget) -> tuple[Sequence[str], bool]:
    """Return the tags, and whether these are all; none from a service of a release that does not list them."""
    try:
        row = tenant.keys.policy_tags()
    except NotFound as error:
        # The error of a missing tenant names its kind; that of a missing route does not.
        if error.resource_kind is not None:
            raise
        return (), False
    except InvalidInput:
        return (), False
    return cast("Sequence[str]", row["tags"]), bool(row["complete"])


def _options_sentence(proposals: Sequence[Proposal], *, is_complete: bool) -> str:
    options = " ".join(f"--max-tag {shlex.quote(each.max_tag)}" for each in proposals[:_MAX_SHOWN])
    more = " (there are more)" if len(proposals) > _MAX_SHOWN or not is_complete else ""
    none = " (policies use no tags yet)" if is_complete else ""
    used = f"{options}{more} (tags that policies use)" if options else f"--max-tag TAG for each{none}"
    return f"Choose the tags that calls may use: {used}, or --any-tag for every tag."


def _examples(proposal: Proposal) -> str:
    if len(proposal.tags) == 1:
        return ""
    more = ", …" if len(proposal.tags) > _MAX_EXAMPLES else ""
    return f" ({', '.join(proposal.tags[:_MAX_EXAMPLES])}{more})"


def _read_answer(answer: str, proposals: Sequence[Proposal]) -> tuple[str, ...]:
    """Return the bound that the answer names.

    Raises:
        InvalidInput: a number is not in the list, or a tag is malformed.
    """
    parts = [part.strip() for part in answer.split(",") if part.strip()]
    if not parts:
        raise InvalidInput("Enter a number or a tag.")
    if parts == [_ANY_ANSWER]:
        return (EVERY_TAG,)
    return tuple(dict.fromkeys(_read_part(part, proposals) for part in parts))


def _read_part(part: str, proposals: Sequence[Proposal]) -> str:
    if not part.isdecimal():
        return parse_max_tag(part)
    if not 1 <= int(part) <= len(proposals):
        raise InvalidInput(f"The list has no number {part}.")
    return proposals[int(part) - 1].max_tag
