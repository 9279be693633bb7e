"""Names of a stack's resources, as the template gives them to a function."""

from collections.abc import Mapping

from groundwire.domain.errors import InvalidInput


class DeploymentSettings:
    """Settings of one function that only a stack has, by name without the prefix `GROUNDWIRE_`."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def find(self, name: str) -> str | None:
        """Return the value; None where the template gives this function none."""
        return self._values.get(name)

    def require(self, name: str) -> str:
        """Return the value.

        Raises:
            InvalidInput: the template gives this function none.
        """
        if not (value := self._values.get(name)):
            raise InvalidInput(f"GROUNDWIRE_{name} is not set: template.yaml did not pass it to this function.")
        return value
