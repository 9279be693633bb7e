"""Parser of Milvus expressions by its grammar: operators by their precedence, from `or` up to `exists`.

`not` binds closer than every comparison: `not (a == 1)` is meant where `not a == 1` is an error.
"""

from collections.abc import Callable, Mapping
from typing import Final

from groundwire.dialects.foundry.filter.calls import call, name_or_path
from groundwire.dialects.foundry.filter.combinations import (
    binary,
    existence,
    junction,
    membership,
    prefixed,
    range_between,
    to_condition,
)
from groundwire.dialects.foundry.filter.conditions import is_null
from groundwire.dialects.foundry.filter.errors import checked
from groundwire.dialects.foundry.filter.lexer import CASE, KEYWORDS, LEXER, MilvusToken, MilvusTokenKind, keyword_hint
from groundwire.dialects.foundry.filter.literals import parse_float, parse_integer, parse_raw_string, parse_string
from groundwire.dialects.foundry.filter.operands import Column, Condition, Constant, ListOf, Operand
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import AllOf, Filter
from groundwire.domain.filters.field_types import FieldTypes
from groundwire.domain.filters.grammar import LOWEST, Infix, PrecedenceParser, UnreadableError, syntax_error
from groundwire.domain.filters.size import check_size
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_LEVELS

_RANGE: Final = Infix(8)
"""Chain of two comparisons with a field between two literals: `1 < year <= 5`."""
_IN: Final = Infix(9)
_PREFIX: Final = 13
_EXISTS: Final = 17
# The order is that of Milvus's grammar, in which comparisons bind closer than `&`.
_OPERATORS: Final = {
    "or": Infix(1, is_chain=True),
    "and": Infix(2, is_chain=True),
    "|": Infix(3),
    "^": Infix(4),
    "&": Infix(5),
    **dict.fromkeys(("==", "!="), Infix(6)),
    **dict.fromkeys(("<", "<=", ">", ">="), Infix(7)),
    "in": _IN,
    **dict.fromkeys(("<<", ">>"), Infix(10)),
    **dict.fromkeys(("+", "-"), Infix(11)),
    **dict.fromkeys(("*", "/", "%"), Infix(12)),
    "**": Infix(14),
    **dict.fromkeys(("=~", "!~"), Infix(15)),
    "like": Infix(16),
}
_MAX_NESTING: Final = 2 * MAX_FILTER_LEVELS + 16
"""Operands within operands while the parser recurses: two for each `not (`."""
_TOO_DEEP: Final = f"conditions can be nested at most {MAX_FILTER_LEVELS} deep: use fewer levels"
_PREFIXES: Final = ("not", "-", "+", "~")
_RISING: Final = ("<", "<=")
_FALLING: Final = (">", ">=")
_LITERALS: Final[Mapping[MilvusTokenKind, Callable[[str], Constant]]] = {
    MilvusTokenKind.STRING: parse_string,
    MilvusTokenKind.RAW_STRING: parse_raw_string,
    MilvusTokenKind.INTEGER: parse_integer,
    MilvusTokenKind.FLOAT: parse_float,
    MilvusTokenKind.BOOLEAN: lambda word: word == "true",
}
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
    if len(text) > MAX_FILTER_CHARACTERS:
        raise InvalidInput(
            f"A filter can have at most {MAX_FILTER_CHARACTERS} characters, not {len(text)}: "
            f"cut it at character {MAX_FILTER_CHARACTERS + 1}."
        )
    try:
        return _MilvusParser(text, known).parse()
    except UnreadableError as error:
        raise syntax_error(text, error) from None


class _MilvusParser(PrecedenceParser[MilvusTokenKind, Operand]):
    """Parser of one expression."""

    def __init__(self, text: str, known: FieldTypes) -> None:
        super().__init__(LEXER.tokens(text), _OPERATORS, most_levels=MAX_FILTER_LEVELS, too_deep=_TOO_DEEP, lookahead=0)
        self._known = known
        self._nesting = 0
        self._deepest = 0, 0
        """Deepest level so far, and its position."""

    def parse(self) -> Filter:
        if self.is_at_end():
            return AllOf(())
        first = self.next
        operand = self.expression()
        if not self.is_at_end():
            raise self.unexpected("an operator or the end is expected")
        where = checked(first, lambda: to_condition(operand))
        try:
            check_size(where)
        except InvalidInput as error:
            raise UnreadableError(self._deepest[1], str(error).rstrip(".")) from None
        return where

    def expression(self, lowest: int = LOWEST) -> Operand:
        """Read operands and the operators between them, within bounds on the parser's own recursion."""
        self._nesting += 1
        if self._nesting > _MAX_NESTING:
            raise self.error(_TOO_DEEP)
        found = super().expression(lowest)
        self._nesting -= 1
        return found

    def _infix(self) -> Infix | None:
        """Return the operator that is next; three comparisons have the form of a range."""
        if self.is_next("="):
            raise self.error("write equality as `==`")
        if self.is_next("not"):
            # The grammar has the operator `not in`, and no `not like`.
            if self.peek(1).text == "in":
                return _IN
            raise self.error("`in` is expected after `not` here; write other conditions as `not (… like …)`")
        return _RANGE if self._is_range() else super()._infix()

    def _pair(self, left: Operand, infix: Infix) -> Operand:
        """Read the operator that is next, which may be `not in`, and its right operand; return the result."""
        if infix is _RANGE:
            return self._range(left)
        if infix is not _IN:
            return super()._pair(left, infix)
        token = self.advance()
        is_negated = token.text == "not"
        if is_negated:
            self.advance()
        right = self.expression(infix.precedence + 1)
        return checked(token, lambda: membership(left, right, is_negated=is_negated))

    def _combined(self, operator: MilvusToken, operands: list[Operand]) -> Operand:
        if operator.text in ("and", "or"):
            return junction(operator.text, list(map(to_condition, operands)))
        left, right = operands
        return checked(operator, lambda: binary(operator.text, left, right))

    def _part(self, operand: Operand, first: MilvusToken) -> Operand:
        return Condition(checked(first, lambda: to_condition(operand)))

    def enter(self, token: MilvusToken | None = None) -> None:
        super().enter(token)
        self._deepest = max(self._deepest, (self.level, (token or self.next).position))

    def unexpected(self, expected: str) -> UnreadableError:
        """Return the error of the next token where something else is expected, with what may be wrong with it."""
        return self.error(f"{expected}{keyword_hint(self.next)}")

    def _is_range(self) -> bool:
        if not self.is_next(*_RISING, *_FALLING):
            return False
        direction = _RISING if self.is_next(*_RISING) else _FALLING
        # Only a bare field can stand in the middle: `1 < a + 1 < 5` is no range in Milvus.
        middle, after = self.peek(1), self.peek(2)
        return middle.kind in (MilvusTokenKind.NAME, MilvusTokenKind.PATH) and after.text in direction

    def _range(self, left: Operand) -> Operand:
        token = self.advance()
        middle = name_or_path(self, self._known)
        second = self.advance()
        right = self.expression(_RANGE.precedence + 1)
        return checked(token, lambda: range_between(left, token.text, middle, second.text, right))

    def _operand(self) -> Operand:
        """Read an operand with the operators before it, which are read without recursion."""
        operators: list[MilvusToken] = []
        while self.is_next(*_PREFIXES):
            operators.append(self.advance())
            if len(operators) > MAX_FILTER_LEVELS:
                raise self.error(_TOO_DEEP)
        if operators:
            operand = self.expression(_PREFIX)
            for token in reversed(operators):
                operand = self._prefix_result(token, operand)
            return operand
        if self.is_next("exists"):
            return self._existence()
        return self._primary()

    def _prefix_result(self, token: MilvusToken, operand: Operand) -> Operand:
        return checked(token, lambda: prefixed(token.text, operand))

    def _existence(self) -> Operand:
        token = self.advance()
        self.enter(token)
        operand = self.expression(_EXISTS)
        self.leave()
        return checked(token, lambda: existence(operand))

    def _primary(self) -> Operand:
        token = self.next
        match token.kind:
            case MilvusTokenKind.NAME | MilvusTokenKind.PATH:
                return self._name()
            case MilvusTokenKind.FUNCTION:
                return self._call(self.advance())
            case MilvusTokenKind.EMPTY_LIST:
                self.advance()
                return ListOf(())
            case MilvusTokenKind.STRUCT:
                raise self.error(_STRUCTS)
            case MilvusTokenKind.MARK if token.text in "([{":
                return self._bracketed(self.advance())
            case _:
                return self._literal(token)

    def _literal(self, token: MilvusToken) -> Constant:
        if token.kind not in _LITERALS:
            raise self.error("a value, a field or a condition is expected")
        self.advance()
        return checked(token, lambda: _LITERALS[token.kind](token.text))

    def _bracketed(self, token: MilvusToken) -> Operand:
        if token.text == "{":
            raise self.error("templates are not supported: write the value", token)
        self.enter(token)
        found = self.expression() if token.text == "(" else self._list()
        self.leave()
        if token.text == "(":
            self.expect(")")
        return found

    def _list(self) -> ListOf:
        items: list[Constant | ListOf] = []
        while not self.is_next("]") or not items:
            begin = self.next
            item = self.expression()
            if not isinstance(item, bool | int | float | str | ListOf):
                raise self.error("a list contains only literals: put text in quotes", begin)
            items.append(item)
            if not self.accept(","):
                break
        if not self.accept("]"):
            raise self.error("`,` or `]` is expected")
        return ListOf(tuple(items))

    def _name(self) -> Operand:
        token = self.next
        if token.kind is MilvusTokenKind.NAME and self.peek(1).text == "(":
            case = f"; {CASE}" if token.text.lower() in KEYWORDS else ""
            raise self.error(f"there is no function `{token.text}`{case}")
        found = name_or_path(self, self._known)
        if self.next.kind is not MilvusTokenKind.NULL_TEST:
            return found
        test = self.advance()
        if isinstance(found, Column):
            raise self.error(f"`{found.name}` is the column of all metadata: name a key", token)
        is_negated = "not" in test.text.lower()
        return prefixed("not", Condition(is_null(found))) if is_negated else Condition(is_null(found))

    def _call(self, token: MilvusToken) -> Operand:
        self.enter(token)
        found = call(token, self, self._known)
        self.leave()
        return found
