"""Error of an operand, which gets the position of a token."""

from collections.abc import Callable
from typing import TypeVar

from groundwire.dialects.foundry.filter.lexer import MilvusToken
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.grammar import UnreadableError

Result = TypeVar("Result")


class ExpressionError(InvalidInput):
    """Error that an expression's author can correct; the message is shown after the position."""


def checked(token: MilvusToken, read: Callable[[], Result]) -> Result:
    """Return what `read` returns.

    Raises:
        UnreadableError: it is an error of an operand, which gets the position of the token.
    """
    try:
        return read()
    except ExpressionError as error:
        raise UnreadableError(token.position, str(error)) from None
