"""Types of the catalog of settings."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Generic, NamedTuple, TypeVar

from groundwire.domain.errors import InvalidInput

PREFIX: Final = "GROUNDWIRE_"
ValueT_co = TypeVar("ValueT_co", covariant=True)
Environment = Mapping[str, str]
"""Variables of a process."""


class Audience(Enum):
    """Person who needs a setting."""

    DEVELOPER = "Developer on a laptop"
    SERVER_OPERATOR = "Operator of one server"
    AWS_OPERATOR = "Operator in AWS"
    ADMINISTRATOR = "Administrator of a tenant"


class Variable(NamedTuple):
    """A setting as one environment has it.

    Attributes:
        name: name with the prefix.
        text: the value, or the default if the variable is not set or empty; empty: neither exists.
        environment: all variables, for a value that depends on other settings.
    """

    name: str
    text: str
    environment: Environment

    def refusal(self, rule: str, part: str | None = None) -> InvalidInput:
        """Return the error of a value, or of a part of it, that breaks a rule."""
        return InvalidInput(f"{self.name} must {rule}, not {self.text if part is None else part!r}.")


Parser = Callable[[Variable], ValueT_co]
"""Function that returns the value of a variable, and raises `InvalidInput` for one that is not valid."""


class Setting(NamedTuple, Generic[ValueT_co]):
    """An environment variable.

    Attributes:
        name: name without the prefix `GROUNDWIRE_`.
        meaning: sentences for people, in Markdown.
        parse: parser of the variable.
        field: field of `Settings` with the value, or of its group's value; empty: other modules read the setting.
        default: text that counts when the variable is not set; empty: none.
        default_note: what people must know of the default besides its text, in Markdown.
    """

    name: str
    meaning: str
    parse: Parser[ValueT_co]
    field: str = ""
    default: str = ""
    default_note: str = ""

    @property
    def shown_default(self) -> str:
        """Default in Markdown; empty: the setting has none."""
        return (f"`{self.default}`" if self.default else "") + self.default_note

    def is_given(self, environment: Environment) -> bool:
        """Return whether the variable is set and not empty."""
        return bool(environment.get(PREFIX + self.name))

    def read(self, environment: Environment) -> ValueT_co:
        """Return the value in this environment.

        Raises:
            InvalidInput: the text is not valid; the message names the variable.
        """
        # A template passes an empty text for a setting that nobody chose.
        return self.parse_text(environment.get(PREFIX + self.name) or self.default, environment)

    def parse_text(self, text: str, environment: Environment) -> ValueT_co:
        """Return the value of a text.

        Raises:
            InvalidInput: the text is not valid; the message names the variable.
        """
        return self.parse(Variable(PREFIX + self.name, text, environment))


class GroupValue(NamedTuple):
    """One value that all settings of a group make.

    Attributes:
        field: field of `Settings` with the value.
        build: function that returns the value in an environment.
    """

    field: str
    build: Callable[[Environment], object]


class SettingGroup(NamedTuple):
    """Settings of one subject.

    Attributes:
        value: what the settings make together; None: `Settings` has the value of each.
    """

    audience: Audience
    title: str
    settings: tuple[Setting[object], ...]
    value: GroupValue | None = None

    def is_given(self, environment: Environment) -> bool:
        """Return whether one of the variables is set and not empty."""
        return any(each.is_given(environment) for each in self.settings)

    def values(self, environment: Environment) -> dict[str, Any]:
        """Return the values of the settings that have a field, by field."""
        return {each.field: each.read(environment) for each in self.settings if each.field}

    def members(self, environment: Environment) -> dict[str, Any]:
        """Return the members of `Settings` that the group gives."""
        return self.values(environment) if self.value is None else {self.value.field: self.value.build(environment)}
