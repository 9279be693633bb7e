"""The options that say who may read: `--public`, `--user`, `--any-tag`, `--all-tag`."""

from typing import Annotated

import typer

from groundwire.domain.access import Policy
from groundwire.domain.policy_form import spelled_policy

PublicOption = Annotated[bool, typer.Option("--public", help="Everybody of the tenant may read.")]
UsersOption = Annotated[list[str], typer.Option("--user", help="This user may read; repeat for more.")]
AnyTagsOption = Annotated[list[str], typer.Option("--any-tag", help="Holders of one of these tags may read.")]
AllTagsOption = Annotated[list[str], typer.Option("--all-tag", help="Readers by tag must hold every one of these.")]


def policy_from(*, public: bool, users: list[str], any_tags: list[str], all_tags: list[str]) -> Policy | None:
    """The policy that the options spell, or None when none was given."""
    if not (public or users or any_tags or all_tags):
        return None
    return spelled_policy(public=public, users=users, any_tags=any_tags, all_tags=all_tags)
