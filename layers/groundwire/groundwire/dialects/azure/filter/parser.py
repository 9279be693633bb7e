"""Parser of OData filters: `Rating ge 3 and not (Category eq 'Luxury')`, `Tags/any(t: t eq 'wifi')`.

Supported are fields, literals, the six comparisons, `and`, `or`, `not`, `any`, `all` and `search.in`. Everything else
is refused by its name.
"""

from collections.abc import Set as AbstractSet
from typing import Final

from groundwire.dialects.azure.filter.conditions import condition_filter
from groundwire.dialects.azure.filter.errors import OdataError, invalid_filter, odata_error
from groundwire.dialects.azure.filter.lexer import LEXER, OdataToken, OdataTokenKind
from groundwire.dialects.azure.filter.literals import CONSTANTS, read_number, read_text, unquoted
from groundwire.dialects.azure.filter.operands import FilterableFields
from groundwire.dialects.azure.filter.refusals import (
    AFTER_OPERAND,
    COMPARISONS,
    MEMBERSHIP,
    RESERVED,
    function_error,
    is_other_case,
    operand_error,
    operator_error,
)
from groundwire.dialects.azure.filter.relations import compared, membership
from groundwire.dialects.azure.filter.syntax import (
    JoinedSyntax,
    LiteralSyntax,
    MembershipSyntax,
    NegationSyntax,
    OperandSyntax,
    PathSyntax,
    QuantifierSyntax,
)
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.field_types import FieldTypes
from groundwire.domain.filters.grammar import Infix, PrecedenceParser, UnreadableError
from groundwire.domain.filters.size import check_size
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_LEVELS

_OPERATORS: Final = {
    "or": Infix(1, is_chain=True),
    "and": Infix(2, is_chain=True),
    **dict.fromkeys(COMPARISONS, Infix(3)),
}
_TOO_DEEP: Final = f"conditions can be nested at most {MAX_FILTER_LEVELS} deep: use fewer levels"
_QUANTIFIERS: Final = ("any", "all")


def parse_odata(text: str, known: FieldTypes, defined: AbstractSet[str] = frozenset()) -> Filter:
    """Parse the text of an OData filter.

    Args:
        text: as the caller wrote it.
        known: fields of the documents that the caller may read, with their types.
        defined: fields that definitions name; one that no readable document has is null.

    Raises:
        InvalidInput: the text is no such filter, is too large, names a field that is neither known nor defined, or
            compares a field with a literal of a type that it has in no readable document.
    """
    if len(text) > MAX_FILTER_CHARACTERS:
        raise invalid_filter(f"A filter can have at most {MAX_FILTER_CHARACTERS} characters, not {len(text)}.")
    try:
        syntax = _OdataParser(text).parse()
        where = condition_filter(syntax, FilterableFields(known, defined))
    except UnreadableError as error:
        raise odata_error(text, error) from None
    try:
        check_size(where)
    except InvalidInput as error:
        raise invalid_filter(str(error)) from None
    return where


class _OdataParser(PrecedenceParser[OdataTokenKind, OperandSyntax]):
    """Parser of one filter."""

    def __init__(self, text: str) -> None:
        super().__init__(LEXER.tokens(text), _OPERATORS, most_levels=MAX_FILTER_LEVELS, too_deep=_TOO_DEEP)

    def parse(self) -> OperandSyntax:
        if self.is_at_end():
            raise self.unexpected("The filter is empty: write for example Rating ge 3")
        where = self.expression()
        if not self.is_at_end():
            raise operator_error(self.next, AFTER_OPERAND)
        return where

    def _combined(self, operator: OdataToken, operands: list[OperandSyntax]) -> OperandSyntax:
        if operator.text not in COMPARISONS:
            return JoinedSyntax(operator.text == "and", tuple(operands), operands[-1].position)
        if self.is_next(*COMPARISONS):
            raise self.error("a comparison cannot be compared: write 1 lt Rating and Rating lt 5")
        left, right = operands
        return compared(left, operator, right)

    def _operand(self) -> OperandSyntax:
        """Read an operand with the `not` before it."""
        marks: list[OdataToken] = []
        while self.is_next("not"):
            marks.append(self.advance())
            self.enter(marks[-1])
        operand = self._primary()
        # The grammar binds `not` closer than comparisons, so that `not Rating gt 5` is an error of the service.
        if marks and self.is_next(*COMPARISONS):
            raise self.error(f"the unary operator `not` binds closer than `{self.next.text}`: write not (a gt 1)")
        self.leave(len(marks))
        for mark in reversed(marks):
            operand = NegationSyntax(operand, mark.position)
        return operand

    def error(self, problem: str, token: OdataToken | None = None) -> UnreadableError:
        return OdataError((self.next if token is None else token).position, problem)

    def _primary(self) -> OperandSyntax:
        token = self.advance()
        match token.kind:
            case OdataTokenKind.NUMBER:
                return LiteralSyntax(read_number(token), token.position)
            case OdataTokenKind.TEXT:
                return LiteralSyntax(read_text(token), token.position)
            case OdataTokenKind.WORD:
                return self._named(token)
            case OdataTokenKind.MARK if token.text == "(":
                return self._nested(token)
            case _:
                raise operand_error(token)

    def _named(self, token: OdataToken) -> OperandSyntax:
        if token.text in CONSTANTS:
            return LiteralSyntax(CONSTANTS[token.text], token.position)
        if token.text in RESERVED:
            raise operand_error(token)
        if self.is_next("("):
            if token.text == MEMBERSHIP:
                return self._membership(token)
            raise function_error(token)
        if "." in token.text:
            raise OdataError(token.position, f"`{token.text}` is not a field: names have no dots")
        if is_other_case(token) and self.next.kind not in (OdataTokenKind.MARK, OdataTokenKind.END):
            raise operand_error(token)
        return self._path(token)

    def _path(self, first: OdataToken) -> PathSyntax | QuantifierSyntax:
        names, position = [first.text], first.position
        while self.accept("/"):
            name = self._word("A field, `any` or `all` is expected after `/`")
            if self.is_next("("):
                if name.text not in _QUANTIFIERS:
                    raise function_error(name)
                return self._quantifier(PathSyntax(tuple(names), position), name)
            names.append(name.text)
            position = name.position
        return PathSyntax(tuple(names), position)

    def _quantifier(self, path: PathSyntax, name: OdataToken) -> QuantifierSyntax:
        is_all = name.text == "all"
        opening = self.advance()
        if self.accept(")"):
            if is_all:
                raise UnreadableError(name.position, "`all` needs a condition: write Tags/all(t: t ne 'a')")
            return QuantifierSyntax(path, is_all, "", None, name.position)
        # A second level for the calls between one quantifier and the next.
        self.enter(name)
        variable = self._word("A name for the item is expected, as in Tags/any(t: t eq 'a')")
        self.expect(":", "`:` and a condition are expected, as in Tags/any(t: t eq 'a')")
        condition = self._nested(opening)
        self.leave()
        return QuantifierSyntax(path, is_all, variable.text, condition, name.position)

    def _membership(self, name: OdataToken) -> MembershipSyntax:
        self.advance()
        path = self._path(self._word("A field is expected, as in search.in(Category, 'a,b')"))
        if not isinstance(path, PathSyntax):
            raise OdataError(path.position, "search.in takes a field: write Tags/any(t: search.in(t, 'a,b'))")
        self.expect(",", "A comma and the texts are expected, as in search.in(Category, 'a,b')")
        texts = unquoted(self._text())
        separators = unquoted(self._text()) if self.accept(",") else None
        self.expect(")", "`)` is expected")
        return membership(path, texts, separators, name.position)

    def _nested(self, opening: OdataToken) -> OperandSyntax:
        self.enter(opening)
        operand = self.expression()
        if not self.accept(")"):
            raise operator_error(self.next, "`)`, `and`, `or` or a comparison is expected")
        self.leave()
        return operand

    def _word(self, expected: str) -> OdataToken:
        token = self.next
        if token.kind is not OdataTokenKind.WORD or "." in token.text or token.text in (*RESERVED, *CONSTANTS):
            raise self.unexpected(expected)
        return self.advance()

    def _text(self) -> OdataToken:
        if self.next.kind is not OdataTokenKind.TEXT:
            raise self.unexpected("A text in single quotes is expected")
        return self.advance()
