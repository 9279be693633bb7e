"""Functions of Milvus expressions: conditions on lists, their length, and words of a text."""

from collections.abc import Callable

from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.milvus import conditions
from groundwire.domain.filters.milvus.lexer import MilvusToken, MilvusTokenKind
from groundwire.domain.filters.milvus.operands import Column, Condition, Field, Length, ListOf, Operand
from groundwire.domain.filters.milvus.tokens import Tokens

_LITERAL = bool | int | float | str


def call(
    token: MilvusToken, tokens: Tokens, argument: Callable[[], Operand], name_or_path: Callable[[], Field | Column]
) -> Operand:
    """Read the arguments of a function, and return its result.

    Args:
        token: name of the function, the last token that was read.
        tokens: the tokens after it.
        argument: reads an expression.
        name_or_path: reads a name or path, which is the next token.

    Raises:
        InvalidInput: the arguments do not fit the function, or it is not served.
    """
    if token.text in ("text_match", "phrase_match"):
        raise tokens.error(f"`{token.text}` is not served as a filter: put the words into the query", token)
    tokens.expect("(")
    if token.text == "array_length":
        if tokens.next.kind not in (MilvusTokenKind.NAME, MilvusTokenKind.PATH):
            raise tokens.error("array_length takes a field")
        field = _field(name_or_path(), token, tokens)
        tokens.expect(")")
        return Length(field)
    field = _field(argument(), token, tokens)
    tokens.expect(",")
    begin, items = tokens.next, argument()
    tokens.expect(")")
    return Condition(_containment(token, field, items, tokens, begin))


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
