"""Parser of filters in text: `year >= 2024 and department in (sales, 'legal team') and not draft = true`.

`and` binds closer than `or`, `not` closer than both. Text of more than one word needs quotes; `()` is always true.
Numbers, dates, true and false have their type without quotes, and are text within quotes.
"""

import math
from collections.abc import Callable
from typing import Final

from groundwire.domain.documents.metadata import Scalar, is_field_name
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Filter, Not, Operator
from groundwire.domain.filters.grammar import Infix, PrecedenceParser, Token, UnreadableError, syntax_error
from groundwire.domain.filters.own.leaf_text import is_simple, leaf_to_text
from groundwire.domain.filters.own.lexer import LEXER, TokenKind
from groundwire.domain.filters.own.literals import parse_bare, unquote
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_DEPTH, MAX_FILTER_VALUES

# Programmers write `==`, and users of SQL `<>`.
_OPERATORS: Final = {operator.value: operator for operator in Operator} | {"==": Operator.EQ, "<>": Operator.NE}
_JUNCTIONS: Final = {"or": Infix(1, is_chain=True), "and": Infix(2, is_chain=True)}
_TOO_DEEP: Final = f"parentheses and `not` can be nested at most {MAX_FILTER_DEPTH} deep"


def parse_filter(text: str) -> Filter:
    """Parse the text of a filter.

    Raises:
        InvalidInput: the text is no filter, or is too large; the message gives the position.
    """
    if len(text) > MAX_FILTER_CHARACTERS:
        raise InvalidInput(f"A filter can have at most {MAX_FILTER_CHARACTERS} characters, not {len(text)}.")
    try:
        return _OwnParser(text).parse()
    except UnreadableError as error:
        raise syntax_error(text, error) from None


def filter_to_text(where: Filter) -> str:
    """Return text that `parse_filter` reads as an equivalent filter, mostly as this very one."""
    match where:
        case AllOf(parts):
            return " and ".join(map(_parenthesise, parts)) or "()"
        case AnyOf(parts):
            return " or ".join(map(_parenthesise, parts)) or "not ()"
        case Not(part):
            return f"not {_parenthesise(part)}"
        case _:
            return leaf_to_text(where, filter_to_text)


def _parenthesise(part: Filter) -> str:
    text = filter_to_text(part)
    return text if isinstance(part, Not) or is_simple(part) else f"({text})"


class _OwnParser(PrecedenceParser[TokenKind, Filter]):
    """Parser of one filter."""

    def __init__(self, text: str) -> None:
        super().__init__(LEXER.tokens(text), _JUNCTIONS, most_levels=MAX_FILTER_DEPTH, too_deep=_TOO_DEEP)
        self._values = 0

    def parse(self) -> Filter:
        if self.is_at_end():
            raise self.error("it is empty; write for example `year >= 2024`")
        where = self.expression()
        if not self.is_at_end():
            raise self.error("`and`, `or` or the end is expected")
        return where

    def _combined(self, operator: Token[TokenKind], operands: list[Filter]) -> Filter:
        return AllOf(tuple(operands)) if operator.text == "and" else AnyOf(tuple(operands))

    def _operand(self) -> Filter:
        """Read a comparison, a negation or a filter in parentheses."""
        if self.accept("not"):
            return Not(self._nested(self._operand))
        if self.accept("("):
            return AllOf(()) if self.accept(")") else self._nested(self._parenthesised)
        return self._comparison()

    def _nested(self, part: Callable[[], Filter]) -> Filter:
        self.enter()
        where = part()
        self.leave()
        return where

    def _parenthesised(self) -> Filter:
        where = self.expression()
        self.expect(")", "`)`, `and` or `or` is expected")
        return where

    def _comparison(self) -> Filter:
        field = self._field()
        if self.accept("not"):
            self.expect("in", "`in` is expected after `not`")
            return Not(Compare(field, Operator.IN, self._list()))
        if self.accept("in"):
            return Compare(field, Operator.IN, self._list())
        if self.next.kind is not TokenKind.OPERATOR:
            raise self.error("`=`, `!=`, `<`, `<=`, `>`, `>=` or `in` is expected after the field")
        operator = _OPERATORS[self.advance().text]
        return Compare(field, operator, self._value())

    def _field(self) -> str:
        token = self.next
        name = unquote(token.text) if token.kind is TokenKind.QUOTED else token.text
        if token.kind not in (TokenKind.QUOTED, TokenKind.WORD) or not is_field_name(name):
            raise self.error("a field name is expected: letters, digits, `_` and `-`")
        self.advance()
        return name

    def _list(self) -> tuple[Scalar, ...]:
        self.expect("(", "values in parentheses are expected after `in`")
        options = [self._value()]
        while self.accept(","):
            options.append(self._value())
        self.expect(")", "`,` or `)` is expected")
        return tuple(options)

    def _value(self) -> Scalar:
        token = self.next
        self._values += 1
        if self._values > MAX_FILTER_VALUES:
            raise self.error(f"a filter can compare with at most {MAX_FILTER_VALUES} values")
        if token.kind not in (TokenKind.QUOTED, TokenKind.WORD):
            raise self.error("a value is expected; put text of more than one word in quotes")
        value = unquote(token.text) if token.kind is TokenKind.QUOTED else parse_bare(token.text)
        if isinstance(value, float) and math.isinf(value):
            raise self.error("the number is too large")
        self.advance()
        return value
