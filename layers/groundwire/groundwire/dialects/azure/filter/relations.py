"""Comparisons and memberships of OData: a field and a literal on either side, and the texts of `search.in`."""

import re
from typing import Final

from groundwire.dialects.azure.filter.errors import OdataError
from groundwire.dialects.azure.filter.lexer import OdataToken
from groundwire.dialects.azure.filter.refusals import COMPARISONS
from groundwire.dialects.azure.filter.syntax import (
    ComparisonSyntax,
    LiteralSyntax,
    MembershipSyntax,
    NegationSyntax,
    OperandSyntax,
    PathSyntax,
)
from groundwire.domain.filters.expression import Operator
from groundwire_readers.text.normalisation import normalise

_SEPARATORS: Final = ", "
"""Separators of `search.in` where a call names none."""
_SMALL: Final = frozenset({"true", "false", "null"})


def compared(left: OperandSyntax, token: OdataToken, right: OperandSyntax) -> OperandSyntax:
    """Return the comparison; one of `search.in` with true or false is `search.in` or its negation.

    Raises:
        OdataError: it is not one of a field or of `search.in` with a literal.
    """
    operator = COMPARISONS[token.text]
    match left, right:
        case PathSyntax(), LiteralSyntax():
            return ComparisonSyntax(left, operator, right, token.position)
        # The grammar allows the literal on the left; the order then turns.
        case LiteralSyntax(), PathSyntax():
            return ComparisonSyntax(right, operator.mirrored, left, token.position)
        case (MembershipSyntax() as found, LiteralSyntax(bool() as value)) | (
            LiteralSyntax(bool() as value),
            MembershipSyntax() as found,
        ) if operator in (Operator.EQ, Operator.NE):
            return found if value is (operator is Operator.EQ) else NegationSyntax(found, token.position)
        case _:
            raise OdataError(token.position, _problem(left, right))


def membership(path: PathSyntax, texts: str, separators: str | None, position: int) -> MembershipSyntax:
    """Return `search.in` with the texts between separators; adjacent separators count as one.

    Args:
        path: field.
        texts: second argument of the call.
        separators: third argument, each of whose characters is one; without characters, all is one text.
        position: position of the call.
    """
    marks = _SEPARATORS if separators is None else separators
    parts = re.split(f"[{re.escape(marks)}]", texts) if marks else [texts]
    return MembershipSyntax(path, tuple(normalise(part) for part in parts if part), position)


def _problem(left: OperandSyntax, right: OperandSyntax) -> str:
    match left, right:
        case PathSyntax(), PathSyntax((name, *_)) if name.lower() in _SMALL:
            return f"write `{name.lower()}` in lower case instead of `{name}`"
        case PathSyntax(), PathSyntax():
            return "a field cannot be compared with a field; put text in single quotes"
        case LiteralSyntax(), LiteralSyntax():
            return "a literal cannot be compared with a literal: name a field"
        case (MembershipSyntax(), _) | (_, MembershipSyntax()):
            return "search.in is true or false: write eq true, eq false, or neither"
        case _:
            return "a condition cannot be compared: join conditions with `and` and `or`"
