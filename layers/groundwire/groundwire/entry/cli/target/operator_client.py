"""Commands to an operator: how a target transports them, and the keys that they administer on every target."""

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from groundwire.entry.cli.console import Row
from groundwire.entry.serialization.key_spec import key_spec_to_json
from groundwire.services.keys.admin import KeySpec


class OperatorClient(Protocol):
    """Transport of the operator's commands: to a stack's function, or in this process."""

    def execute(self, action: str, **fields: object) -> Mapping[str, object]:
        """Return the result of an action.

        Raises:
            DomainError: the error of the action.
        """
        ...


class StackClient(OperatorClient, Protocol):
    """Commands to the operator function of a stack, and what AWS knows of its other functions."""

    def function_variables(self) -> Mapping[str, Mapping[str, str]]:
        """Return the variables of each function, by its logical id.

        Raises:
            DomainError: AWS does not answer, or refuses to.
        """
        ...


def rows_of(response: Mapping[str, object], name: str) -> list[Row]:
    """Return the rows of a response."""
    return [*cast("Sequence[Row]", response[name])]


def row_of(response: Mapping[str, object], name: str) -> Row:
    """Return the row of a response."""
    return cast("Row", response[name])


class OperatorKeys:
    """A tenant's keys, as an operator administers them; implements `KeyOperations`.

    Args:
        tenant: name or id.
        shows_url: whether a new key comes with the `url` of the service, which the operator of a machine knows.
    """

    def __init__(self, operator: OperatorClient, tenant: str, *, shows_url: bool) -> None:
        self._operator = operator
        self._tenant = tenant
        self._shows_url = shows_url

    def create(self, spec: KeySpec) -> Row:
        """Create a key; `spec.tenant` is ignored.

        Raises:
            InvalidInput: the specification is invalid.
            Conflict: the tenant has a key for people who sign in already.
            NotFound: there is no such tenant.
        """
        response = self._operator.execute("key.create", tenant=self._tenant, **key_spec_to_json(spec))
        return {**row_of(response, "key"), **({"url": response["url"]} if self._shows_url else {})}

    def all(self) -> list[Row]:
        """Return the keys ordered by creation time."""
        return rows_of(self._operator.execute("key.list", tenant=self._tenant), "keys")

    def policy_tags(self) -> Row:
        """Return the tags that policies use.

        Raises:
            InvalidInput: the operator function is of a release without this action.
            NotFound: there is no such tenant.
        """
        return self._operator.execute("key.policy_tags", tenant=self._tenant)

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Give a key a new secret; the old one works for `overlap_hours`.

        Raises:
            NotFound: there is no such key.
            Conflict: it is revoked or has expired.
            InvalidInput: it has no secret, or the overlap is out of range.
        """
        fields = {"tenant": self._tenant, "kid": kid, "overlap_hours": overlap_hours}
        return row_of(self._operator.execute("key.rotate", **fields), "key")

    def revoke(self, kid: str) -> Row:
        """Revoke a key.

        Raises:
            NotFound: there is no such key.
        """
        return row_of(self._operator.execute("key.revoke", tenant=self._tenant, kid=kid), "key")
