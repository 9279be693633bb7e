"""Presets of `key create`: the defaults of a key without a purpose, and of one for a named agent platform."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from groundwire.dialects.mindset import MINDSET
from groundwire.dialects.shared.contract import MINDSET_TOOLSET
from groundwire.domain import limits
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.domain.errors import InvalidInput


class Purpose(StrEnum):
    """A value of `--for`: the platform whose agents use the key."""

    MINDSET = "mindset"


class KeyPreset(NamedTuple):
    """Values of options that were not given.

    Attributes:
        dialect: the dialect that the key must be allowed to use; None without a purpose.
        acts_for_others: the key speaks for the user that each call names, so its bound on tags is asked for.
    """

    name: str
    toolset: str
    scopes: frozenset[Scope]
    days: int
    rate_per_minute: int
    burst: int
    acts_for_others: bool
    dialect: str | None


_PRESETS: Final = {
    None: KeyPreset(
        "key",
        DEFAULT_TOOLSET,
        frozenset(),
        limits.DEFAULT_KEY_DAYS,
        limits.DEFAULT_RATE_PER_MINUTE,
        limits.DEFAULT_BURST,
        acts_for_others=False,
        dialect=None,
    ),
    Purpose.MINDSET: KeyPreset(
        "mindset",
        MINDSET_TOOLSET,
        frozenset({Scope.SEARCH, Scope.VERIFY}),
        limits.HOSTED_AGENT_KEY_DAYS,
        limits.HOSTED_AGENT_RATE_PER_MINUTE,
        limits.HOSTED_AGENT_BURST,
        acts_for_others=True,
        dialect=MINDSET.name,
    ),
}


class PrincipalOptions(NamedTuple):
    """Options that say whom a key speaks for."""

    user: str | None
    tags: Iterable[str]
    act_as: bool
    oauth: bool


def preset_for(
    purpose: Purpose | None, principal: PrincipalOptions, toolset: str | None, dialects: Iterable[str]
) -> KeyPreset:
    """Return the defaults of a key for this purpose.

    Raises:
        InvalidInput: an option contradicts the purpose.
    """
    preset = _PRESETS[purpose]
    if purpose is None:
        return preset
    allowed = [*dialects]
    contradictions = {
        "--user": principal.user is not None,
        "--tag": any(principal.tags),
        "--oauth": principal.oauth,
        f"--toolset {toolset}": toolset not in {None, preset.toolset},
        f"--dialect {' --dialect '.join(allowed)}": bool(allowed) and preset.dialect not in allowed,
    }
    if option := next((option for option, is_contradiction in contradictions.items() if is_contradiction), None):
        raise InvalidInput(
            f"{option} contradicts --for {purpose}, which creates a delegated key with the toolset `{preset.toolset}`. "
            "Leave one of the two out."
        )
    return preset
