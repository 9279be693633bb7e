"""Parser of CEL filters: `metadata.year >= 2024 && "red" in metadata.tags && !(month in ["May", "June"])`.

The part of the language that an index can decide: comparisons of a field with literals, `in`, `&&`, `||`, `!`,
parentheses, `has`, `timestamp`, `startsWith`, `contains` and `endsWith`. Everything else is refused by its name.
"""

from typing import Final

from groundwire.dialects.vertex.filter.comparisons import compared, contained, presence, text_pattern
from groundwire.dialects.vertex.filter.lexer import CelToken, CelTokenKind, UnreadableError, tokenise
from groundwire.dialects.vertex.filter.literals import read_moment, read_number, read_text
from groundwire.dialects.vertex.filter.operands import (
    AllFields,
    Literal,
    LiteralList,
    NamedField,
    Operand,
    SizedCondition,
    condition_of,
    joined,
    leaf_condition,
    negation,
)
from groundwire.dialects.vertex.filter.refusals import (
    AFTER_OPERAND,
    COMPARISONS,
    CONSTANTS,
    RESERVED,
    TEXT_FUNCTIONS,
    function_problem,
    operand_problem,
    operator_problem,
)
from groundwire.domain.documents.metadata import is_field_name
from groundwire.domain.filters.expression import AllOf, AnyOf, Filter
from groundwire.domain.filters.field_types import FieldTypes, resolve_field
from groundwire.domain.filters.own.lexer import syntax_error
from groundwire.domain.limits import MAX_FILTER_LEVELS

METADATA: Final = "metadata"
"""Name of the map that has the fields."""
_AFTER_CONDITION: Final = frozenset({"&&", "||", ")", "]", ""})


def parse_cel(text: str, known: FieldTypes) -> Filter:
    """Parse the text of a CEL filter.

    Args:
        text: as the caller wrote it.
        known: fields of the documents that the caller may read, for names of a document's own fields.

    Raises:
        InvalidInput: the text is no such filter, or is too large; the message gives the position.
    """
    try:
        return _CelParser(text, known).parse()
    except UnreadableError as error:
        raise syntax_error(text, error.position, error.problem) from None


class _CelParser:
    """Recursive descent parser of one filter."""

    def __init__(self, text: str, known: FieldTypes) -> None:
        self._known = known
        self._tokens = tokenise(text)
        self._next = next(self._tokens)
        self._depth = 0

    def parse(self) -> Filter:
        """Parse the whole text."""
        if self._is_at_end():
            raise self._error("it is empty; write for example `year >= 2024`")
        where = self._condition(self._disjunction()).where
        if not self._is_at_end():
            raise self._error(operator_problem(self._next, AFTER_OPERAND))
        return where

    def _disjunction(self) -> Operand:
        first = self._conjunction()
        if not self._is_mark("||"):
            return first
        parts = [self._condition(first)]
        while self._accept("||"):
            parts.append(self._condition(self._conjunction()))
        return joined(parts, AnyOf)

    def _conjunction(self) -> Operand:
        first = self._relation()
        if not self._is_mark("&&"):
            return first
        parts = [self._condition(first)]
        while self._accept("&&"):
            parts.append(self._condition(self._relation()))
        return joined(parts, AllOf)

    def _relation(self) -> Operand:
        left = self._unary()
        token = self._next
        if token.text not in COMPARISONS or token.kind not in (CelTokenKind.MARK, CelTokenKind.WORD):
            return left
        self._advance()
        right = self._unary()
        if self._next.text in COMPARISONS and self._next.kind in (CelTokenKind.MARK, CelTokenKind.WORD):
            raise self._error("a comparison cannot be compared: write `1 < year && year < 5`")
        if token.text != "in":
            return leaf_condition(compared(left, COMPARISONS[token.text], right), left.position)
        if isinstance(left, Literal) and isinstance(left.value, str) and isinstance(right, AllFields):
            return leaf_condition(presence(self._field(left.value, left.position)), left.position)
        return leaf_condition(contained(left, right), left.position)

    def _unary(self) -> Operand:
        marks: list[int] = []
        while self._is_mark("!"):
            marks.append(self._advance().position)
        operand = self._member()
        if not marks:
            return operand
        if not isinstance(operand, SizedCondition) and self._next.text in COMPARISONS:
            problem = "`!` binds closer than a comparison: put the comparison in parentheses"
            raise UnreadableError(operand.position, problem)
        condition = self._condition(operand)
        for position in reversed(marks):
            condition = negation(condition, position)
        return condition

    def _member(self) -> Operand:
        operand = self._primary()
        while True:
            if self._accept("."):
                operand = self._selected(operand)
            elif self._accept("["):
                operand = self._indexed(operand)
            else:
                return operand

    def _selected(self, operand: Operand) -> Operand:
        name = self._next
        if name.kind is not CelTokenKind.WORD or name.text in CONSTANTS or name.text == "in":
            raise self._error("a field name is expected after `.`")
        self._advance()
        if self._accept("("):
            return self._text_function(operand, name)
        if not isinstance(operand, AllFields):
            raise UnreadableError(name.position, f"a value has no members, so `{name.text}` is not allowed")
        return self._field(name.text, name.position)

    def _indexed(self, operand: Operand) -> Operand:
        position = self._next.position
        index = self._nested("]")
        if not isinstance(operand, AllFields):
            raise UnreadableError(position, 'list items by position are not supported: `"x" in tags` searches a list')
        if not isinstance(index, Literal) or not isinstance(index.value, str):
            raise UnreadableError(position, 'a field name in quotes is expected: metadata["year"]')
        return self._field(index.value, index.position)

    def _text_function(self, operand: Operand, name: CelToken) -> SizedCondition:
        if name.text not in TEXT_FUNCTIONS:
            raise UnreadableError(name.position, function_problem(name.text))
        if not isinstance(operand, NamedField):
            raise UnreadableError(operand.position, f'`{name.text}` is a function: title.{name.text}("…")')
        argument = self._nested(")")
        if not isinstance(argument, Literal) or not isinstance(argument.value, str):
            raise UnreadableError(argument.position, f"`{name.text}` takes a text in quotes")
        return leaf_condition(text_pattern(operand, name.text, argument.value), operand.position)

    def _primary(self) -> Operand:
        token = self._advance()
        match token.kind:
            case CelTokenKind.NUMBER:
                return Literal(read_number(token), token.position)
            case CelTokenKind.QUOTED | CelTokenKind.RAW:
                return Literal(read_text(token), token.position)
            case CelTokenKind.WORD:
                return self._named(token)
            case _:
                return self._marked(token)

    def _marked(self, token: CelToken) -> Operand:
        if token.text == "(":
            return self._nested(")")
        if token.text == "[":
            return self._list(token)
        if token.text == "-" and self._next.kind is CelTokenKind.NUMBER:
            return Literal(read_number(self._advance(), "-"), token.position)
        raise UnreadableError(token.position, operand_problem(token))

    def _named(self, token: CelToken) -> Operand:
        if token.text in CONSTANTS:
            return Literal(CONSTANTS[token.text], token.position)
        if self._accept("("):
            return self._function(token)
        if token.text in RESERVED or token.text == "in" or self._starts_operand(token):
            raise UnreadableError(token.position, operand_problem(token))
        if token.text == METADATA:
            return AllFields(token.position)
        return self._field(token.text, token.position)

    def _function(self, name: CelToken) -> Operand:
        if name.text not in ("has", "timestamp"):
            raise UnreadableError(name.position, function_problem(name.text))
        argument = self._nested(")")
        if name.text == "has":
            if not isinstance(argument, NamedField):
                raise UnreadableError(argument.position, "`has` takes a field: has(metadata.year)")
            return leaf_condition(presence(argument), name.position)
        if not isinstance(argument, Literal) or not isinstance(argument.value, str):
            raise UnreadableError(argument.position, "`timestamp` takes a text in quotes")
        return Literal(read_moment(argument.value, argument.position), name.position)

    def _list(self, opening: CelToken) -> LiteralList:
        items: list[Literal] = []
        while not self._accept("]"):
            item = self._item()
            if not isinstance(item, Literal):
                raise UnreadableError(item.position, "a list can contain only texts, numbers, true or false")
            items.append(item)
            if not self._is_mark("]"):
                self._expect(",", "`,` or `]` is expected")
        return LiteralList(tuple(items), opening.position)

    def _item(self) -> Operand:
        self._descend()
        operand = self._unary()
        self._depth -= 1
        return operand

    def _nested(self, closing: str) -> Operand:
        self._descend()
        operand = self._disjunction()
        self._expect(closing, f"`{closing}`, `&&`, `||` or a comparison is expected")
        self._depth -= 1
        return operand

    def _descend(self) -> None:
        self._depth += 1
        if self._depth > MAX_FILTER_LEVELS:
            raise self._error(f"parentheses and lists can be nested at most {MAX_FILTER_LEVELS} deep")

    def _condition(self, operand: Operand) -> SizedCondition:
        """Return the operand as a condition; a mark of another language after it is the error that helps."""
        if not isinstance(operand, SizedCondition) and self._next.text not in _AFTER_CONDITION:
            raise self._error(operator_problem(self._next, AFTER_OPERAND))
        return condition_of(operand)

    def _field(self, name: str, position: int) -> NamedField:
        if not is_field_name(name):
            raise UnreadableError(position, "a field name has letters, digits, `_` and `-`, and starts with a letter")
        return NamedField(resolve_field(name, self._known), position)

    def _starts_operand(self, token: CelToken) -> bool:
        """Return whether the word is an operator of another language before an operand, such as `NOT year`."""
        return (
            token.text.lower() == "not"
            and self._next.kind not in (CelTokenKind.MARK, CelTokenKind.END)
            and (self._next.text != "in")
        )

    def _is_at_end(self) -> bool:
        return self._next.kind is CelTokenKind.END

    def _is_mark(self, text: str) -> bool:
        return self._next.kind is CelTokenKind.MARK and self._next.text == text

    def _accept(self, text: str) -> bool:
        """Advance past the next token and return True if it is this mark."""
        is_next = self._is_mark(text)
        if is_next:
            self._advance()
        return is_next

    def _expect(self, mark: str, problem: str) -> None:
        if not self._accept(mark):
            raise self._error(operator_problem(self._next, problem))

    def _advance(self) -> CelToken:
        token, self._next = self._next, next(self._tokens, self._next)
        return token

    def _error(self, problem: str) -> UnreadableError:
        return UnreadableError(self._next.position, problem)
