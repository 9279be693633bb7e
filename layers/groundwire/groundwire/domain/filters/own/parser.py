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
from groundwire.domain.filters.own.leaf_text import is_simple, leaf_to_text
from groundwire.domain.filters.own.lexer import Token, TokenKind, syntax_error, tokenise
from groundwire.domain.filters.own.literals import parse_bare, unquote
from groundwire.domain.limits import MAX_FILTER_DEPTH, MAX_FILTER_VALUES

_OPERATORS: Final = {operator.value: operator for operator in Operator} | {"==": Operator.EQ, "<>": Operator.NE}


def parse_filter(text: str) -> Filter:
    """Parse the text of a filter.

    Raises:
        InvalidInput: the text is no filter, or is too large; the message gives the position.
    """
    return _Parser(text).parse()


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


class _Parser:
    """Recursive descent parser of one filter."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokenise(text)
        self._next = next(self._tokens)
        self._depth = 0
        self._values = 0

    def parse(self) -> Filter:
        """Parse the whole text.

        Raises:
            InvalidInput: as for `parse_filter`.
        """
        if self._at_end():
            raise self._error("it is empty; write for example `year >= 2024`")
        where = self._disjunction()
        if not self._at_end():
            raise self._error("`and`, `or` or the end is expected")
        return where

    def _disjunction(self) -> Filter:
        parts = self._operands("or", self._conjunction)
        return parts[0] if len(parts) == 1 else AnyOf(parts)

    def _conjunction(self) -> Filter:
        parts = self._operands("and", self._operand)
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def _operands(self, keyword: str, part: Callable[[], Filter]) -> tuple[Filter, ...]:
        parts = [part()]
        while self._accept(keyword):
            parts.append(part())
        return tuple(parts)

    def _operand(self) -> Filter:
        if self._accept("not"):
            return Not(self._nested(self._operand))
        if self._accept("("):
            return AllOf(()) if self._accept(")") else self._nested(self._parenthesised)
        return self._comparison()

    def _nested(self, part: Callable[[], Filter]) -> Filter:
        self._depth += 1
        if self._depth > MAX_FILTER_DEPTH:
            raise self._error(f"parentheses and `not` can be nested at most {MAX_FILTER_DEPTH} deep")
        where = part()
        self._depth -= 1
        return where

    def _parenthesised(self) -> Filter:
        where = self._disjunction()
        self._expect(")", "`)`, `and` or `or` is expected")
        return where

    def _comparison(self) -> Filter:
        field = self._field()
        if self._accept("not"):
            self._expect("in", "`in` is expected after `not`")
            return Not(Compare(field, Operator.IN, self._list()))
        if self._accept("in"):
            return Compare(field, Operator.IN, self._list())
        if self._next.kind is not TokenKind.OPERATOR:
            raise self._error("`=`, `!=`, `<`, `<=`, `>`, `>=` or `in` is expected after the field")
        operator = _OPERATORS[self._advance().text]
        return Compare(field, operator, self._value())

    def _field(self) -> str:
        token = self._next
        name = unquote(token.text) if token.kind is TokenKind.QUOTED else token.text
        if token.kind not in (TokenKind.QUOTED, TokenKind.WORD) or not is_field_name(name):
            raise self._error("a field name is expected: letters, digits, `_` and `-`")
        self._advance()
        return name

    def _list(self) -> tuple[Scalar, ...]:
        self._expect("(", "values in parentheses are expected after `in`")
        options = [self._value()]
        while self._accept(","):
            options.append(self._value())
        self._expect(")", "`,` or `)` is expected")
        return tuple(options)

    def _value(self) -> Scalar:
        token = self._next
        self._values += 1
        if self._values > MAX_FILTER_VALUES:
            raise self._error(f"a filter can compare with at most {MAX_FILTER_VALUES} values")
        if token.kind not in (TokenKind.QUOTED, TokenKind.WORD):
            raise self._error("a value is expected; put text of more than one word in quotes")
        value = unquote(token.text) if token.kind is TokenKind.QUOTED else parse_bare(token.text)
        if isinstance(value, float) and math.isinf(value):
            raise self._error("the number is too large")
        self._advance()
        return value

    def _at_end(self) -> bool:
        return self._next.kind is TokenKind.END

    def _accept(self, text: str) -> bool:
        """Advance past the next token and return True if it is this keyword or mark."""
        matches = self._next.kind in (TokenKind.KEYWORD, TokenKind.MARK) and self._next.text == text
        if matches:
            self._advance()
        return matches

    def _expect(self, text: str, problem: str) -> None:
        if not self._accept(text):
            raise self._error(problem)

    def _advance(self) -> Token:
        token, self._next = self._next, next(self._tokens, self._next)
        return token

    def _error(self, problem: str) -> InvalidInput:
        return syntax_error(self._text, self._next.position, problem)
