"""Functions of Milvus expressions: conditions on lists, their length, and words of a text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from groundwire.dialects.foundry.filter import conditions
from groundwire.dialects.foundry.filter.lexer import OPTION, MilvusToken, MilvusTokenKind
from groundwire.dialects.foundry.filter.operands import Column, Condition, Field, Length, ListOf, Operand
from groundwire.dialects.foundry.filter.tokens import Tokens
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.field_types import FieldTypes
from groundwire.domain.filters.words import words_of

_PASSAGE_TEXT: Final = ("content", "text")
"""Names by which other systems have a passage's text as a field."""
_MOST: Final = 1_000
_MOST_WORDS: Final = 64
_LITERAL = bool | int | float | str


@dataclass(frozen=True, slots=True)
class ArgumentReaders:
    """Readers of the arguments of a function.

    Attributes:
        expression: reads an expression.
        name_or_path: reads a name or path, which is the next token.
        known: fields of the documents that the caller may read.
    """

    expression: Callable[[], Operand]
    name_or_path: Callable[[], Field | Column]
    known: FieldTypes


def call(token: MilvusToken, tokens: Tokens, read: ArgumentReaders) -> Operand:
    """Read the arguments of a function, and return its result.

    Args:
        token: name of the function, the last token that was read.
        tokens: the tokens after it.
        read: readers of the arguments.

    Raises:
        InvalidInput: the arguments do not fit the function, or it is not served.
    """
    tokens.expect("(")
    if token.text in ("text_match", "phrase_match"):
        return Condition(_words(token, tokens, read))
    if token.text == "array_length":
        if tokens.next.kind not in (MilvusTokenKind.NAME, MilvusTokenKind.PATH):
            raise tokens.error("array_length takes a field")
        field = _field(read.name_or_path(), token, tokens)
        tokens.expect(")")
        return Length(field)
    field = _field(read.expression(), token, tokens)
    tokens.expect(",")
    begin, items = tokens.next, read.expression()
    tokens.expect(")")
    return Condition(_containment(token, field, items, tokens, begin))


def _words(token: MilvusToken, tokens: Tokens, read: ArgumentReaders) -> Filter:
    name = tokens.next
    if name.kind is not MilvusTokenKind.NAME:
        raise tokens.error(f"{token.text} takes a plain name")
    field = _field(read.name_or_path(), token, tokens)
    if field.name in _PASSAGE_TEXT and field.name not in read.known:
        raise tokens.error("the text of passages is no field: put the words into the query", name)
    tokens.expect(",")
    begin, words = tokens.next, read.expression()
    if not isinstance(words, str):
        raise tokens.error(f"the second argument of {token.text} is text in quotes", begin)
    if len(words_of(words)) > _MOST_WORDS:
        raise tokens.error(f"{token.text} takes at most {_MOST_WORDS} words", begin)
    number = _option(token, tokens, read)
    tokens.expect(")")
    if token.text == "text_match":
        return conditions.has_words(field, words, 1 if number is None else number)
    return conditions.has_words(field, words, 1, number or 0)


def _option(token: MilvusToken, tokens: Tokens, read: ArgumentReaders) -> int | None:
    """Read the number after the words, if there is one."""
    if not tokens.accept(","):
        return None
    least = 0
    if token.text == "text_match":
        tokens.expect(OPTION)
        tokens.expect("=")
        least = 1
    begin, number = tokens.next, read.expression()
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= _MOST:
        raise tokens.error(f"a whole number from {least} to {_MOST} is expected", begin)
    return number


def _containment(token: MilvusToken, field: Field, items: Operand, tokens: Tokens, begin: MilvusToken) -> Filter:
    if token.text.endswith("_contains"):
        if isinstance(items, _LITERAL | ListOf):
            return conditions.contains(field, items)
        raise tokens.error(f"the second argument of {token.text} is a literal: put text in quotes", begin)
    if not isinstance(items, ListOf):
        raise tokens.error(f"the second argument of {token.text} is a list of literals", begin)
    if token.text.endswith("_any"):
        return conditions.contains_any(field, items)
    return conditions.contains_all(field, items)


def _field(operand: Operand, token: MilvusToken, tokens: Tokens) -> Field:
    if isinstance(operand, Field):
        return operand
    raise tokens.error(f"the first argument of {token.text} is a field or path", token)
