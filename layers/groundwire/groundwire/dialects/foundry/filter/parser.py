"""Parser of Milvus expressions by its grammar: operators by their precedence, from `or` up to `exists`.

`not` binds closer than every comparison: `not (a == 1)` is meant where `not a == 1` is an error.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.dialects.foundry.filter.calls import ArgumentReaders, call
from groundwire.dialects.foundry.filter.combinations import (
    binary,
    combined,
    existence,
    membership,
    prefixed,
    range_between,
    to_condition,
)
from groundwire.dialects.foundry.filter.conditions import is_null
from groundwire.dialects.foundry.filter.errors import ExpressionError
from groundwire.dialects.foundry.filter.lexer import KEYWORDS, MilvusToken, MilvusTokenKind
from groundwire.dialects.foundry.filter.literals import parse_float, parse_integer, parse_raw_string, parse_string
from groundwire.dialects.foundry.filter.operands import (
    Column,
    Condition,
    Constant,
    Field,
    ListOf,
    Operand,
    field_at_path,
    named_field,
)
from groundwire.dialects.foundry.filter.tokens import CASE, TOO_DEEP, Tokens
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import AllOf, Filter
from groundwire.domain.filters.field_types import FieldTypes
from groundwire.domain.filters.size import check_size
from groundwire.domain.limits import MAX_FILTER_LEVELS

_LOWEST: Final = 1
_RANGE: Final = 8
_IN: Final = 9
_PREFIX: Final = 13
_LIKE: Final = 16
_EXISTS: Final = 17
_PRECEDENCES: Final = (
    {"or": 1, "and": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "in": _IN, "<<": 10, ">>": 10}
    | dict.fromkeys(("<", "<=", ">", ">="), 7)
    | {"+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "**": 14, "=~": 15, "!~": 15, "like": _LIKE}
)
_MAX_NESTING: Final = 2 * MAX_FILTER_LEVELS + 16
"""Operands within operands while the parser recurses: two for each `not (`."""
_PREFIXES: Final = ("not", "-", "+", "~")
_RISING: Final = ("<", "<=")
_FALLING: Final = (">", ">=")
_Result = TypeVar("_Result")
_STRUCTS: Final = "the keys of a path are texts in quotes or positions; fields of structs and `$` are not supported"


def parse_filter(text: str, known: FieldTypes) -> Filter:
    """Parse a Milvus expression; blank text is no filter, and every document passes it.

    Args:
        text: the expression.
        known: fields of the documents that the caller may read; `file_path`, `title`, `language`, `source_file_name`
            and `page` are a document's own unless they are among these.

    Raises:
        InvalidInput: the text is no such expression, uses what is not served, or is too large; the message gives the
            position.
    """
    return _ExpressionParser(text, known).parse()


class _ExpressionParser:
    """Parser of one expression, by precedence."""

    def __init__(self, text: str, known: FieldTypes) -> None:
        self._tokens = Tokens(text)
        self._known = known
        self._readers = ArgumentReaders(lambda: self._expression(_LOWEST), self._name_or_path, known)
        self._nesting = 0

    def parse(self) -> Filter:
        """Parse the whole text.

        Raises:
            InvalidInput: as for `parse_filter`.
        """
        if self._at_end():
            return AllOf(())
        first = self._tokens.next
        operand = self._expression(_LOWEST)
        if not self._at_end():
            raise self._tokens.error(f"an operator or the end is expected{self._tokens.hint()}")
        where = self._checked(lambda: to_condition(operand), first)
        try:
            check_size(where)
        except InvalidInput as error:
            raise self._tokens.error_at(str(error).rstrip("."), self._tokens.deepest[1]) from None
        return where

    def _expression(self, lowest: int) -> Operand:
        first = self._tokens.next
        self._nesting += 1
        if self._nesting > _MAX_NESTING:
            raise self._tokens.error(TOO_DEEP)
        left = self._operated(self._prefixed(), lowest, first)
        self._nesting -= 1
        return left

    def _operated(self, left: Operand, lowest: int, first: MilvusToken) -> Operand:
        """Read the operators of at least this precedence that follow an operand."""
        while True:
            precedence = self._next_precedence()
            if self._is_range() and lowest <= _RANGE:
                left = self._range(left)
            elif precedence is None or precedence < lowest:
                return left
            elif self._tokens.is_next("and", "or"):
                left = self._chain(left, precedence, first)
            else:
                left = self._binary(left, precedence)

    def _next_precedence(self) -> int | None:
        token = self._tokens.next
        if self._tokens.is_next("="):
            raise self._tokens.error("write equality as `==`")
        if token.kind is not MilvusTokenKind.OPERATOR:
            return None
        if token.text == "not":
            if self._tokens.peek(1).text == "in":
                return _IN
            raise self._tokens.error("`in` is expected after `not` here; write other conditions as `not (… like …)`")
        return _PRECEDENCES.get(token.text)

    def _binary(self, left: Operand, precedence: int) -> Operand:
        token = self._tokens.advance()
        is_negated = token.text == "not"
        if is_negated:
            self._tokens.advance()
        right = self._expression(precedence + 1)
        if precedence == _IN:
            return self._checked(lambda: membership(left, right, is_negated=is_negated), token)
        return self._checked(lambda: binary(token.text, left, right), token)

    def _chain(self, left: Operand, precedence: int, first: MilvusToken) -> Operand:
        """Read all parts of a conjunction or disjunction: they are one level, however many there are."""
        operator = self._tokens.next
        parts = [self._checked(lambda: to_condition(left), first)]
        while self._tokens.accept(operator.text):
            begin = self._tokens.next
            part = self._expression(precedence + 1)
            parts.append(self._condition(part, begin))
        return combined(operator.text, parts)

    def _condition(self, operand: Operand, token: MilvusToken) -> Filter:
        return self._checked(lambda: to_condition(operand), token)

    def _is_range(self) -> bool:
        if not self._tokens.is_next(*_RISING, *_FALLING):
            return False
        direction = _RISING if self._tokens.is_next(*_RISING) else _FALLING
        middle, after = self._tokens.peek(1), self._tokens.peek(2)
        return middle.kind in (MilvusTokenKind.NAME, MilvusTokenKind.PATH) and after.text in direction

    def _range(self, left: Operand) -> Operand:
        token = self._tokens.advance()
        middle = self._name_or_path()
        second = self._tokens.advance()
        right = self._expression(_RANGE + 1)
        return self._checked(lambda: range_between(left, token.text, middle, second.text, right), token)

    def _prefixed(self) -> Operand:
        """Read an operand with the operators before it, which are read without recursion."""
        operators: list[MilvusToken] = []
        while self._tokens.is_next(*_PREFIXES):
            operators.append(self._tokens.advance())
            if len(operators) > MAX_FILTER_LEVELS:
                raise self._tokens.error(TOO_DEEP)
        if operators:
            operand = self._expression(_PREFIX)
            for token in reversed(operators):
                operand = self._prefix_result(token, operand)
            return operand
        if self._tokens.is_next("exists"):
            return self._existence()
        return self._primary()

    def _prefix_result(self, token: MilvusToken, operand: Operand) -> Operand:
        return self._checked(lambda: prefixed(token.text, operand), token)

    def _existence(self) -> Operand:
        token = self._tokens.advance()
        self._tokens.enter(token)
        operand = self._expression(_EXISTS)
        self._tokens.leave()
        return self._checked(lambda: existence(operand), token)

    def _primary(self) -> Operand:
        token = self._tokens.next
        match token.kind:
            case MilvusTokenKind.NAME | MilvusTokenKind.PATH:
                return self._name()
            case MilvusTokenKind.FUNCTION:
                return self._call(self._tokens.advance())
            case MilvusTokenKind.EMPTY_LIST:
                self._tokens.advance()
                return ListOf(())
            case MilvusTokenKind.STRUCT:
                raise self._tokens.error(_STRUCTS)
            case MilvusTokenKind.MARK if token.text in "([{":
                return self._bracketed(self._tokens.advance())
            case _:
                return self._literal(token)

    def _literal(self, token: MilvusToken) -> Constant:
        readers: dict[MilvusTokenKind, Callable[[str], Constant]] = {
            MilvusTokenKind.STRING: parse_string,
            MilvusTokenKind.RAW_STRING: parse_raw_string,
            MilvusTokenKind.INTEGER: parse_integer,
            MilvusTokenKind.FLOAT: parse_float,
            MilvusTokenKind.BOOLEAN: lambda word: word == "true",
        }
        if token.kind not in readers:
            raise self._tokens.error("a value, a field or a condition is expected")
        self._tokens.advance()
        return self._checked(lambda: readers[token.kind](token.text), token)

    def _bracketed(self, token: MilvusToken) -> Operand:
        if token.text == "{":
            raise self._tokens.error("templates are not supported: write the value", token)
        self._tokens.enter(token)
        found = self._expression(_LOWEST) if token.text == "(" else self._list()
        self._tokens.leave()
        if token.text == "(":
            self._tokens.expect(")")
        return found

    def _list(self) -> ListOf:
        items: list[Constant | ListOf] = []
        while not self._tokens.is_next("]") or not items:
            begin = self._tokens.next
            item = self._expression(_LOWEST)
            if not isinstance(item, bool | int | float | str | ListOf):
                raise self._tokens.error("a list contains only literals: put text in quotes", begin)
            items.append(item)
            if not self._tokens.accept(","):
                break
        if not self._tokens.accept("]"):
            raise self._tokens.error("`,` or `]` is expected")
        return ListOf(tuple(items))

    def _name(self) -> Operand:
        token = self._tokens.next
        following = self._tokens.peek(1)
        if token.kind is MilvusTokenKind.NAME and following.kind is MilvusTokenKind.MARK and following.text == "(":
            is_keyword = token.text.lower() in KEYWORDS
            case = f"; {CASE}" if is_keyword else ""
            raise self._tokens.error(f"there is no function `{token.text}`{case}")
        found = self._name_or_path()
        if self._tokens.next.kind is not MilvusTokenKind.NULL_TEST:
            return found
        test = self._tokens.advance()
        if isinstance(found, Column):
            raise self._tokens.error(f"`{found.name}` is the column of all metadata: name a key", token)
        is_negated = "not" in test.text.lower()
        return prefixed("not", Condition(is_null(found))) if is_negated else Condition(is_null(found))

    def _name_or_path(self) -> Field | Column:
        token = self._tokens.advance()
        if token.kind is MilvusTokenKind.NAME:
            return named_field(token.text, self._known)
        return self._checked(lambda: field_at_path(token.text, self._known), token)

    def _call(self, token: MilvusToken) -> Operand:
        self._tokens.enter(token)
        found = call(token, self._tokens, self._readers)
        self._tokens.leave()
        return found

    def _checked(self, read: Callable[[], _Result], token: MilvusToken) -> _Result:
        """Return what `read` returns; its error gets the position of the token."""
        try:
            return read()
        except ExpressionError as error:
            raise self._tokens.error(str(error), token) from None

    def _at_end(self) -> bool:
        return self._tokens.next.kind is MilvusTokenKind.END
