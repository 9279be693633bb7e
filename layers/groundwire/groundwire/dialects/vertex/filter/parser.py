"""Parser of CEL filters: `metadata.year >= 2024 && "red" in metadata.tags && !(month in ["May", "June"])`.

The part of the language that an index can decide: comparisons of a field with literals, `in`, `&&`, `||`, `!`,
parentheses, `has`, `timestamp`, `startsWith`, `contains` and `endsWith`. Everything else is refused by its name.
"""

from collections.abc import Mapping
from typing import Final

from groundwire.dialects.vertex.filter.comparisons import compared, contained, presence, text_pattern
from groundwire.dialects.vertex.filter.lexer import LEXER, CelToken, CelTokenKind
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
from groundwire.domain.filters.grammar import Infix, PrecedenceParser, UnreadableError, syntax_error
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_LEVELS

METADATA: Final = "metadata"
"""Name of the map that has the fields."""
_OPERATORS: Final = {
    "||": Infix(1, is_chain=True),
    "&&": Infix(2, is_chain=True),
    **dict.fromkeys(COMPARISONS, Infix(3)),
}
_JUNCTIONS: Final[Mapping[str, type[AllOf] | type[AnyOf]]] = {"||": AnyOf, "&&": AllOf}
_TOO_DEEP: Final = f"parentheses and lists can be nested at most {MAX_FILTER_LEVELS} deep"
_AFTER_CONDITION: Final = ("&&", "||", ")", "]", "")


def parse_cel(text: str, known: FieldTypes) -> Filter:
    """Parse the text of a CEL filter.

    Args:
        text: as the caller wrote it.
        known: fields of the documents that the caller may read, for names of a document's own fields.

    Raises:
        InvalidInput: the text is no such filter, or is too large; the message gives the position.
    """
    if len(text) > MAX_FILTER_CHARACTERS:
        problem = f"a filter can have at most {MAX_FILTER_CHARACTERS} characters, not {len(text)}"
        raise syntax_error(text, UnreadableError(MAX_FILTER_CHARACTERS, problem))
    try:
        return _CelParser(text, known).parse()
    except UnreadableError as error:
        raise syntax_error(text, error) from None


class _CelParser(PrecedenceParser[CelTokenKind, Operand]):
    """Parser of one filter."""

    def __init__(self, text: str, known: FieldTypes) -> None:
        super().__init__(LEXER.tokens(text), _OPERATORS, most_levels=MAX_FILTER_LEVELS, too_deep=_TOO_DEEP)
        self._known = known

    def parse(self) -> Filter:
        if self.is_at_end():
            raise self.error("it is empty; write for example `year >= 2024`")
        where = self._condition(self.expression()).where
        if not self.is_at_end():
            raise self.unexpected(AFTER_OPERAND)
        return where

    def _part(self, operand: Operand, first: CelToken) -> Operand:  # noqa: ARG002
        return self._condition(operand)

    def _combined(self, operator: CelToken, operands: list[Operand]) -> Operand:
        if operator.text in _JUNCTIONS:
            return joined(list(map(condition_of, operands)), _JUNCTIONS[operator.text])
        left, right = operands
        if self.is_next(*COMPARISONS):
            raise self.error("a comparison cannot be compared: write `1 < year && year < 5`")
        if operator.text != "in":
            return leaf_condition(compared(left, COMPARISONS[operator.text], right), left.position)
        if isinstance(left, Literal) and isinstance(left.value, str) and isinstance(right, AllFields):
            return leaf_condition(presence(self._field(left.value, left.position)), left.position)
        return leaf_condition(contained(left, right), left.position)

    def _operand(self) -> Operand:
        """Read a value with its members and the `!` before it."""
        marks: list[int] = []
        # A loop, so that a long row of marks needs no recursion.
        while self.is_next("!"):
            marks.append(self.advance().position)
        operand = self._primary()
        while self.is_next(".", "["):
            operand = self._selected(operand) if self.advance().text == "." else self._indexed(operand)
        if not marks:
            return operand
        if not isinstance(operand, SizedCondition) and self.is_next(*COMPARISONS):
            problem = "`!` binds closer than a comparison: put the comparison in parentheses"
            raise UnreadableError(operand.position, problem)
        condition = self._condition(operand)
        for position in reversed(marks):
            condition = negation(condition, position)
        return condition

    def unexpected(self, expected: str) -> UnreadableError:
        return self.error(operator_problem(self.next, expected))

    def _selected(self, operand: Operand) -> Operand:
        name = self.next
        if name.kind is not CelTokenKind.WORD or name.text in CONSTANTS or name.text == "in":
            raise self.error("a field name is expected after `.`")
        self.advance()
        if self.accept("("):
            return self._text_function(operand, name)
        if not isinstance(operand, AllFields):
            raise UnreadableError(name.position, f"a value has no members, so `{name.text}` is not allowed")
        return self._field(name.text, name.position)

    def _indexed(self, operand: Operand) -> Operand:
        position = self.next.position
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
        token = self.advance()
        match token.kind:
            case CelTokenKind.NUMBER:
                return Literal(read_number(token), token.position)
            case CelTokenKind.QUOTED | CelTokenKind.RAW:
                return Literal(read_text(token), token.position)
            case CelTokenKind.WORD:
                return self._named(token)
            case _ if token.text == "(":
                return self._nested(")")
            case _ if token.text == "[":
                return self._list(token)
            case _ if token.text == "-" and self.next.kind is CelTokenKind.NUMBER:
                return Literal(read_number(self.advance(), "-"), token.position)
            case _:
                raise UnreadableError(token.position, operand_problem(token))

    def _named(self, token: CelToken) -> Operand:
        if token.text in CONSTANTS:
            return Literal(CONSTANTS[token.text], token.position)
        if self.accept("("):
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
        while not self.accept("]"):
            item = self._item()
            if not isinstance(item, Literal):
                raise UnreadableError(item.position, "a list can contain only texts, numbers, true or false")
            items.append(item)
            if not self.is_next("]"):
                self.expect(",", "`,` or `]` is expected")
        return LiteralList(tuple(items), opening.position)

    def _item(self) -> Operand:
        self.enter()
        operand = self._operand()
        self.leave()
        return operand

    def _nested(self, closing: str) -> Operand:
        self.enter()
        operand = self.expression()
        self.expect(closing, f"`{closing}`, `&&`, `||` or a comparison is expected")
        self.leave()
        return operand

    def _condition(self, operand: Operand) -> SizedCondition:
        """Return the operand as a condition; a mark of another language after it is the error that helps."""
        if not isinstance(operand, SizedCondition) and not self.is_next(*_AFTER_CONDITION):
            raise self.unexpected(AFTER_OPERAND)
        return condition_of(operand)

    def _field(self, name: str, position: int) -> NamedField:
        if not is_field_name(name):
            raise UnreadableError(position, "a field name has letters, digits, `_` and `-`, and starts with a letter")
        return NamedField(resolve_field(name, self._known), position)

    def _starts_operand(self, token: CelToken) -> bool:
        """Return whether the word is an operator of another language before an operand, such as `NOT year`."""
        return (
            token.text.lower() == "not"
            and self.next.kind not in (CelTokenKind.MARK, CelTokenKind.END)
            and (self.next.text != "in")
        )
