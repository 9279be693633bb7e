"""Functions of Milvus expressions: conditions on lists, their length, and words of a text."""

from typing import Final

from groundwire.dialects.foundry.filter import conditions
from groundwire.dialects.foundry.filter.errors import checked
from groundwire.dialects.foundry.filter.lexer import OPTION, MilvusToken, MilvusTokenKind
from groundwire.dialects.foundry.filter.operands import (
    Column,
    Condition,
    Field,
    Length,
    ListOf,
    Operand,
    field_at_path,
    named_field,
)
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.field_types import FieldTypes
from groundwire.domain.filters.grammar import PrecedenceParser
from groundwire.domain.filters.words import words_of

_PASSAGE_TEXT: Final = ("content", "text")
"""Names by which other systems have a passage's text as a field."""
_MOST: Final = 1_000
_MOST_WORDS: Final = 64
_LITERAL = bool | int | float | str


MilvusTokens = PrecedenceParser[MilvusTokenKind, Operand]
"""Tokens of an expression, and the reader of the expressions in it."""


def call(token: MilvusToken, tokens: MilvusTokens, known: FieldTypes) -> Operand:
    """Read the arguments of a function, and return its result.

    Args:
        token: name of the function, the last token that was read.
        tokens: the tokens after it.
        known: fields of the documents that the caller may read.

    Raises:
        UnreadableError: the arguments do not fit the function, or it is not served.
    """
    tokens.expect("(")
    if token.text in ("text_match", "phrase_match"):
        return Condition(_words(token, tokens, known))
    if token.text == "array_length":
        if tokens.next.kind not in (MilvusTokenKind.NAME, MilvusTokenKind.PATH):
            raise tokens.error("array_length takes a field")
        field = _field(name_or_path(tokens, known), token, tokens)
        tokens.expect(")")
        return Length(field)
    field = _field(tokens.expression(), token, tokens)
    tokens.expect(",")
    begin, items = tokens.next, tokens.expression()
    tokens.expect(")")
    return Condition(_containment(token, field, items, tokens, begin))


def name_or_path(tokens: MilvusTokens, known: FieldTypes) -> Field | Column:
    """Read a name or path, which is the next token, and return what it denotes.

    Raises:
        UnreadableError: a key of the path has an invalid escape.
    """
    token = tokens.advance()
    if token.kind is MilvusTokenKind.NAME:
        return named_field(token.text, known)
    return checked(token, lambda: field_at_path(token.text, known))


def _words(token: MilvusToken, tokens: MilvusTokens, known: FieldTypes) -> Filter:
    name = tokens.next
    if name.kind is not MilvusTokenKind.NAME:
        raise tokens.error(f"{token.text} takes a plain name")
    field = _field(name_or_path(tokens, known), token, tokens)
    if field.name in _PASSAGE_TEXT and field.name not in known:
        raise tokens.error("the text of passages is no field: put the words into the query", name)
    tokens.expect(",")
    begin, words = tokens.next, tokens.expression()
    if not isinstance(words, str):
        raise tokens.error(f"the second argument of {token.text} is text in quotes", begin)
    if len(words_of(words)) > _MOST_WORDS:
        raise tokens.error(f"{token.text} takes at most {_MOST_WORDS} words", begin)
    number = _option(token, tokens)
    tokens.expect(")")
    if token.text == "text_match":
        return conditions.has_words(field, words, 1 if number is None else number)
    return conditions.has_words(field, words, 1, number or 0)


def _option(token: MilvusToken, tokens: MilvusTokens) -> int | None:
    """Read the number after the words, if there is one."""
    if not tokens.accept(","):
        return None
    least = 0
    if token.text == "text_match":
        tokens.expect(OPTION)
        tokens.expect("=")
        least = 1
    begin, number = tokens.next, tokens.expression()
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= _MOST:
        raise tokens.error(f"a whole number from {least} to {_MOST} is expected", begin)
    return number


def _containment(token: MilvusToken, field: Field, items: Operand, tokens: MilvusTokens, begin: MilvusToken) -> Filter:
    if token.text.endswith("_contains"):
        if isinstance(items, _LITERAL | ListOf):
            return conditions.contains(field, items)
        raise tokens.error(f"the second argument of {token.text} is a literal: put text in quotes", begin)
    if not isinstance(items, ListOf):
        raise tokens.error(f"the second argument of {token.text} is a list of literals", begin)
    if token.text.endswith("_any"):
        return conditions.contains_any(field, items)
    return conditions.contains_all(field, items)


def _field(operand: Operand, token: MilvusToken, tokens: MilvusTokens) -> Field:
    if isinstance(operand, Field):
        return operand
    raise tokens.error(f"the first argument of {token.text} is a field or path", token)
