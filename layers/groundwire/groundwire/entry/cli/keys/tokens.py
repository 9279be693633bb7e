"""Explanation of an access token: its user, its groups, and which of their tags count."""

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from groundwire.domain.access.groups import MappingOrigin, TagOutcome
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_TOKEN_CHARACTERS
from groundwire.entry.cli.console import Row, print_json, print_line
from groundwire.entry.cli.options import JsonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target

if TYPE_CHECKING:
    from groundwire.entry.cli.target.tag_operations import GroupOperations

EXAMPLES: Final = examples("groundwire key explain-token --tenant acme")
STANDARD_INPUT: Final = "-"
_IGNORED: Final = "ignored: "
IGNORED: Final = f": {_IGNORED}"
"""Part of a line about a group or tag that gives no right."""
_OUTCOMES: Final[Mapping[str, str]] = {
    TagOutcome.KEPT: "counts",
    TagOutcome.OUTSIDE_KEY: f"{_IGNORED}no --max-tag of the sign-in key covers it",
    TagOutcome.NO_TAG: f"{_IGNORED}it has no mapping, and its text cannot be a tag",
    TagOutcome.MAPPED_TO_NOTHING: "gives no tag: its mapping is empty",
}
_ORIGINS: Final[Mapping[object, str]] = {
    MappingOrigin.TENANT: "mapped by the tenant",
    MappingOrigin.FILE: "mapped by GROUNDWIRE_OAUTH_GROUPS",
    None: "its own text",
}
SourceArgument = Annotated[str, typer.Argument(metavar="-", help="The token is read from standard input.")]


def explain_token(tenant: TenantOption, source: SourceArgument = STANDARD_INPUT, *, as_json: JsonOption = False) -> int:
    """Show which user and tags an access token gives, which are ignored, and why; it counts as one call.

    The token is read from standard input, where other users of the machine cannot see it.
    """
    token = read_token(source)
    groups: GroupOperations = current_target().tenant(tenant).groups
    explanation = groups.explain_token(token)
    if as_json:
        print_json(explanation)
    else:
        for line in explanation_lines(explanation):
            print_line(line)
    return 0 if explanation["admitted"] else 1


def read_token(source: str) -> str:
    """Return the token from standard input.

    Raises:
        InvalidInput: another source is named, or the input is empty or too long.
    """
    if source != STANDARD_INPUT:
        raise InvalidInput("Give the token on standard input: other users of the machine can see arguments.")
    # One more than a token may have: the rest need not be read.
    token = sys.stdin.read(MAX_TOKEN_CHARACTERS + 1).strip().removeprefix("Bearer ")
    if not token or len(token) > MAX_TOKEN_CHARACTERS:
        raise InvalidInput(f"Give one access token of at most {MAX_TOKEN_CHARACTERS:,} characters on standard input.")
    return token


def explanation_lines(explanation: Row) -> list[str]:
    """Return an explanation as lines of text."""
    groups = [_group_line(each) for each in cast("Sequence[Row]", explanation["groups"])]
    if not explanation["admitted"]:
        return [_refusal(explanation), *groups]
    tags = ", ".join(cast("Sequence[str]", explanation["tags"])) or "none"
    scopes = ", ".join(cast("Sequence[str]", explanation["scopes"])) or "none"
    return [
        f"User {explanation['user']} of tenant {explanation['tenant']}, with sign-in key {explanation['kid']}.",
        f"Tags that count: {tags}. Ignored: {explanation['tags_ignored']}.",
        f"Scopes: {scopes}.",
        *groups,
    ]


def _refusal(explanation: Row) -> str:
    claim = cast("Row | None", explanation["claim"])
    cause = "" if claim is None else f" Claim {claim['claim'] or 'of the tenant'}: {claim['rule']}."
    return f"Refused: {explanation['reason']}.{cause} docs/oauth.md explains the reasons."


def _group_line(decision: Row) -> str:
    group, tag, outcome = decision["group"], decision["tag"], _OUTCOMES[str(decision["outcome"])]
    if tag is None:
        return f"  {group}: {outcome}."
    return f"  {group} -> {tag} ({_ORIGINS[decision['mapped_by']]}): {outcome}."
