"""Clients of actions: how a target executes what a command asks of it, by the names and the JSON of the actions."""

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import Row


class ActionClient(Protocol):
    """Executor of actions: in this process, in a stack's operator function, or by a service's REST API."""

    def execute(self, action: str, **fields: object) -> Row:
        """Return the result of an action.

        Raises:
            DomainError: the error of the action.
        """
        ...


class StackClient(ActionClient, Protocol):
    """Commands to the operator function of a stack, and what AWS knows of its other functions."""

    def function_variables(self) -> Mapping[str, Mapping[str, str]]:
        """Return the variables of each function, by its logical id.

        Raises:
            DomainError: AWS does not answer, or refuses to.
        """
        ...


class TenantActions:
    """Actions of an operator within one tenant, which each of them names; implements `ActionClient`."""

    def __init__(self, operator: ActionClient, tenant: str) -> None:
        self._operator = operator
        self._tenant = tenant

    def execute(self, action: str, **fields: object) -> Row:
        """Return the result of an action within the tenant.

        Raises:
            DomainError: the error of the action.
        """
        return self._operator.execute(action, tenant=self._tenant, **fields)


def rows_of(response: Row, name: str) -> list[Row]:
    """Return the rows of a response."""
    return [*cast("Sequence[Row]", response[name])]


def rows_of_pages(client: ActionClient, action: str, name: str) -> list[Row]:
    """Return the rows of all pages of a list: an answer of a stack's function has a limit.

    Raises:
        DomainError: the error of the action.
    """
    try:
        page = client.execute(action, pages=True)
    except InvalidInput:
        # A function of an earlier release does not know the member, and answers with every row.
        return rows_of(client.execute(action), name)
    rows = rows_of(page, name)
    while (after := page.get("next")) is not None:
        page = client.execute(action, pages=True, after=after)
        rows += rows_of(page, name)
    return rows


def row_of(response: Row, name: str) -> Row:
    """Return the row of a response."""
    return cast("Row", response[name])
