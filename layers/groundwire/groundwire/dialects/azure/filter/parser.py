"""Parser of OData filters: `Rating ge 3 and not (Category eq 'Luxury')`, `Tags/any(t: t eq 'wifi')`.

Supported are fields, literals, the six comparisons, `and`, `or`, `not`, `any`, `all` and `search.in`. Everything else
is refused by its name.
"""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Final

from groundwire.dialects.azure.filter.conditions import condition_filter
from groundwire.dialects.azure.filter.errors import OdataError, OdataSyntaxError, invalid_filter
from groundwire.dialects.azure.filter.lexer import OdataToken, OdataTokenKind, tokenise
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
from groundwire.domain.filters.size import check_size
from groundwire.domain.limits import MAX_FILTER_LEVELS

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
    try:
        syntax = _OdataParser(text).parse()
        where = condition_filter(syntax, FilterableFields(known, defined))
    except OdataError as error:
        raise invalid_filter(error.sentences(text)) from None
    try:
        check_size(where)
    except InvalidInput as error:
        raise invalid_filter(str(error)) from None
    return where


class _OdataParser:
    """Recursive descent parser of one filter."""

    def __init__(self, text: str) -> None:
        self._tokens = tokenise(text)
        self._next = next(self._tokens)
        self._depth = 0

    def parse(self) -> OperandSyntax:
        """Parse the whole text."""
        if self._is_at_end():
            raise OdataSyntaxError(self._next.position, "The filter is empty: write for example Rating ge 3")
        where = self._disjunction()
        if not self._is_at_end():
            raise operator_error(self._next, AFTER_OPERAND)
        return where

    def _disjunction(self) -> OperandSyntax:
        return self._joined("or", self._conjunction)

    def _conjunction(self) -> OperandSyntax:
        return self._joined("and", self._relation)

    def _joined(self, keyword: str, part: Callable[[], OperandSyntax]) -> OperandSyntax:
        parts = [part()]
        while self._is_word(keyword):
            self._advance()
            parts.append(part())
        return parts[0] if len(parts) == 1 else JoinedSyntax(keyword == "and", tuple(parts), parts[-1].position)

    def _relation(self) -> OperandSyntax:
        left = self._unary()
        if not self._is_comparison():
            return left
        operator = self._advance()
        right = self._unary()
        if self._is_comparison():
            raise OdataError(self._next.position, "a comparison cannot be compared: write 1 lt Rating and Rating lt 5")
        return compared(left, operator, right)

    def _unary(self) -> OperandSyntax:
        marks: list[OdataToken] = []
        while self._is_word("not"):
            marks.append(self._advance())
            self._descend(marks[-1])
        operand = self._primary()
        if marks and self._is_comparison():
            problem = f"the unary operator `not` binds closer than `{self._next.text}`: write not (a gt 1)"
            raise OdataError(self._next.position, problem)
        self._depth -= len(marks)
        for mark in reversed(marks):
            operand = NegationSyntax(operand, mark.position)
        return operand

    def _primary(self) -> OperandSyntax:
        token = self._advance()
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
        if self._is_mark("("):
            if token.text == MEMBERSHIP:
                return self._membership(token)
            raise function_error(token)
        if "." in token.text:
            raise OdataError(token.position, f"`{token.text}` is not a field: names have no dots")
        if is_other_case(token) and self._next.kind not in (OdataTokenKind.MARK, OdataTokenKind.END):
            raise operand_error(token)
        return self._path(token)

    def _path(self, first: OdataToken) -> PathSyntax | QuantifierSyntax:
        names, position = [first.text], first.position
        while self._accept("/"):
            name = self._word("A field, `any` or `all` is expected after `/`")
            if self._is_mark("("):
                if name.text not in _QUANTIFIERS:
                    raise function_error(name)
                return self._quantifier(PathSyntax(tuple(names), position), name)
            names.append(name.text)
            position = name.position
        return PathSyntax(tuple(names), position)

    def _quantifier(self, path: PathSyntax, name: OdataToken) -> QuantifierSyntax:
        is_all = name.text == "all"
        opening = self._advance()
        if self._accept(")"):
            if is_all:
                raise OdataSyntaxError(name.position, "`all` needs a condition: write Tags/all(t: t ne 'a')")
            return QuantifierSyntax(path, is_all, "", None, name.position)
        # A second level for the calls between one quantifier and the next.
        self._descend(name)
        variable = self._word("A name for the item is expected, as in Tags/any(t: t eq 'a')")
        self._expect(":", "`:` and a condition are expected, as in Tags/any(t: t eq 'a')")
        condition = self._nested(opening)
        self._depth -= 1
        return QuantifierSyntax(path, is_all, variable.text, condition, name.position)

    def _membership(self, name: OdataToken) -> MembershipSyntax:
        self._advance()
        path = self._path(self._word("A field is expected, as in search.in(Category, 'a,b')"))
        if not isinstance(path, PathSyntax):
            raise OdataError(path.position, "search.in takes a field: write Tags/any(t: search.in(t, 'a,b'))")
        self._expect(",", "A comma and the texts are expected, as in search.in(Category, 'a,b')")
        texts = unquoted(self._text())
        separators = unquoted(self._text()) if self._accept(",") else None
        self._expect(")", "`)` is expected")
        return membership(path, texts, separators, name.position)

    def _nested(self, opening: OdataToken) -> OperandSyntax:
        self._descend(opening)
        operand = self._disjunction()
        if not self._accept(")"):
            raise operator_error(self._next, "`)`, `and`, `or` or a comparison is expected")
        self._depth -= 1
        return operand

    def _descend(self, token: OdataToken) -> None:
        self._depth += 1
        if self._depth > MAX_FILTER_LEVELS:
            raise OdataError(
                token.position, f"conditions can be nested at most {MAX_FILTER_LEVELS} deep: use fewer levels"
            )

    def _word(self, expected: str) -> OdataToken:
        token = self._next
        if token.kind is not OdataTokenKind.WORD or "." in token.text or token.text in (*RESERVED, *CONSTANTS):
            raise OdataSyntaxError(token.position, expected)
        return self._advance()

    def _text(self) -> OdataToken:
        if self._next.kind is not OdataTokenKind.TEXT:
            raise OdataSyntaxError(self._next.position, "A text in single quotes is expected")
        return self._advance()

    def _is_at_end(self) -> bool:
        return self._next.kind is OdataTokenKind.END

    def _is_word(self, text: str) -> bool:
        return self._next.kind is OdataTokenKind.WORD and self._next.text == text

    def _is_comparison(self) -> bool:
        return self._next.kind is OdataTokenKind.WORD and self._next.text in COMPARISONS

    def _is_mark(self, text: str) -> bool:
        return self._next.kind is OdataTokenKind.MARK and self._next.text == text

    def _accept(self, mark: str) -> bool:
        """Advance past the next token and return True if it is this mark."""
        is_next = self._is_mark(mark)
        if is_next:
            self._advance()
        return is_next

    def _expect(self, mark: str, problem: str) -> None:
        if not self._accept(mark):
            raise OdataSyntaxError(self._next.position, problem)

    def _advance(self) -> OdataToken:
        token, self._next = self._next, next(self._tokens, self._next)
        return token
