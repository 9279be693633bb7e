"""Error of an operand, which the parser completes with its position in the text."""

from groundwire.domain.errors import InvalidInput


class ExpressionError(InvalidInput):
    """Error that an expression's author can correct; the message is shown after the position."""
