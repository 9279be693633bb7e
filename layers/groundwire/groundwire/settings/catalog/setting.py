"""Types of the catalog of settings."""

from enum import Enum
from typing import NamedTuple


class Audience(Enum):
    """Person who needs a setting."""

    DEVELOPER = "Developer on a laptop"
    SERVER_OPERATOR = "Operator of one server"
    AWS_OPERATOR = "Operator in AWS"
    ADMINISTRATOR = "Administrator of a tenant"


class Setting(NamedTuple):
    """An environment variable.

    Attributes:
        name: name without the prefix `GROUNDWIRE_`.
        default: what counts when it is not set; empty: nothing.
        meaning: sentences for people, in Markdown.
    """

    name: str
    default: str
    meaning: str


class SettingGroup(NamedTuple):
    """Settings of one subject."""

    audience: Audience
    title: str
    settings: tuple[Setting, ...]
