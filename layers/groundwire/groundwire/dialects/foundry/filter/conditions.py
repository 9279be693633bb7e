"""Conditions of Milvus expressions as leaves of the filter tree: an absent or unfitting value makes each unknown.

Milvus has this rule from 2.6.20 and 3 on.
"""

import unicodedata
from collections.abc import Callable, Iterator
from typing import Final

from groundwire.dialects.foundry.filter.arithmetic import calculation_range
from groundwire.dialects.foundry.filter.errors import ExpressionError
from groundwire.dialects.foundry.filter.operands import Calculation, Constant, Field, ListOf
from groundwire.domain.filters.expression import (
    ELEMENT,
    AllOf,
    AnyElement,
    AnyOf,
    Compare,
    ElementAt,
    Exists,
    Filter,
    HasLength,
    HasWords,
    Not,
    Operator,
    TextMatch,
)
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.filters.value_tests import ANY_CHARACTER, COMPARISONS
from groundwire.domain.filters.words import words_of
from groundwire_readers.text.normalisation import normalise

_MILVUS: Final = Language.MILVUS
ORDERS: Final = frozenset({Operator.LT, Operator.LE, Operator.GT, Operator.GE})
_NO_ITEM: Final = AnyOf(())


def compare_field(field: Field, operator: Operator, value: Constant) -> Filter:
    """Return the comparison of a field with a literal.

    Raises:
        ExpressionError: the value has no order; the message says so.
    """
    if operator in ORDERS and isinstance(value, bool):
        raise ExpressionError("true and false have no order: write `==` or `!=`")
    return _at(field, lambda name: Compare(name, operator, _compared(value), _MILVUS))


def compare_list(field: Field, operator: Operator, value: ListOf) -> Filter:
    """Return the comparison of a field's list with a list: equal in length, and item by item.

    Raises:
        ExpressionError: a list has no order; the message says so.
    """
    if operator in ORDERS:
        raise ExpressionError("a list has no order: write `==` or `!=`")

    def equal(name: str) -> Filter:
        length = HasLength(name, Operator.EQ, len(value.items), _MILVUS)
        return AllOf((length, *(_item_equals(name, position, item) for position, item in enumerate(value.items))))

    found = _at(field, equal)
    return Not(found) if operator is Operator.NE else found


def _item_equals(name: str, position: int, item: Constant | ListOf) -> Filter:
    if isinstance(item, ListOf):
        # No stored list has a list as an item: false for lists, unknown for other values.
        return HasLength(name, Operator.LT, 0, _MILVUS)
    # Items of different types differ, as in no other comparison of this language.
    return ElementAt(name, position, Compare(ELEMENT, Operator.EQ, _compared(item), Language.CEL))


def compare_calculation(left: Calculation, operator: Operator, value: Constant) -> Filter:
    """Return the comparison of a sum or product with a number.

    Raises:
        ExpressionError: the value is no number; the message says so.
    """
    if isinstance(value, bool | str):
        raise ExpressionError("a calculation compares with a number")
    number, is_product = left.number, left.is_product
    return _at(left.field, lambda name: calculation_range(name, operator, value, number=number, is_product=is_product))


def compare_length(field: Field, operator: Operator, value: Constant) -> Filter:
    """Return the comparison of a list's number of items.

    Raises:
        ExpressionError: the value is no whole number; the message says so.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ExpressionError("array_length compares with a whole number")
    return _at(field, lambda name: HasLength(name, operator, value, _MILVUS))


def compare_constants(left: Constant, operator: Operator, right: Constant) -> bool:
    """Return the truth of a comparison of two literals.

    Raises:
        ExpressionError: they are not of one type, or have no order; the message says so.
    """
    if not same_type(left, right):
        raise ExpressionError("the two values are of different types")
    if operator in ORDERS and isinstance(left, bool):
        raise ExpressionError("true and false have no order: write `==` or `!=`")
    return left != right if operator is Operator.NE else COMPARISONS[operator](left, right)


def same_type(left: Constant, right: Constant) -> bool:
    """Return whether both are text, both truth values, or both numbers."""
    return all(isinstance(left, kind) == isinstance(right, kind) for kind in (str, bool))


def is_among(field: Field, options: tuple[Constant, ...]) -> Filter:
    """Return the condition that a field's value is one of several."""
    values = tuple(map(_compared, options))
    return _at(field, lambda name: Compare(name, Operator.IN, values, _MILVUS))


def is_like(field: Field, pattern: str) -> Filter:
    """Return the condition that a field's text has this pattern.

    Raises:
        ExpressionError: the pattern is none; the message says so.
    """
    parts = _pattern_parts(pattern)
    return _at(field, lambda name: TextMatch(name, parts, _MILVUS))


def has_words(field: Field, words: str, fewest: int, slop: int | None = None) -> Filter:
    """Return the condition of `text_match`, and with `slop` that of `phrase_match`."""
    return _at(field, lambda name: HasWords(name, words_of(normalise(words)), fewest, slop, _MILVUS))


def exists(field: Field) -> Filter:
    """Return the condition of `exists`, which is never unknown; an empty list does not exist."""
    return _at(field, lambda name: AllOf((Exists(name), Not(HasLength(name, Operator.EQ, 0, Language.OWN)))))


def is_null(field: Field) -> Filter:
    """Return the condition of `is null`, which is never unknown; an empty list is not null."""
    return _at(field, lambda name: Not(Exists(name)))


def contains(field: Field, item: Constant | ListOf) -> Filter:
    """Return the condition that a field's list has this item."""
    if isinstance(item, ListOf):
        return _at(field, lambda name: AnyElement(name, _NO_ITEM, _MILVUS))
    return contains_any(field, ListOf((item,)))


def contains_any(field: Field, items: ListOf) -> Filter:
    """Return the condition that a field's list has one of these items; no list has an item of none."""
    # Items of stored lists are no lists.
    options = tuple(_compared(item) for item in items.items if not isinstance(item, ListOf))
    return _at(field, lambda name: AnyElement(name, Compare(ELEMENT, Operator.IN, options, _MILVUS), _MILVUS))


def contains_all(field: Field, items: ListOf) -> Filter:
    """Return the condition that a field's list has all of these items; every list has all of none."""
    if not items.items:
        # Every list passes; a value that is no list stays unknown.
        return _at(field, lambda name: HasLength(name, Operator.GE, 0, _MILVUS))
    parts = tuple(contains(field, item) for item in items.items)
    return parts[0] if len(parts) == 1 else AllOf(parts)


def _compared(value: Constant) -> Constant:
    """Return the value in the form of stored ones, which are normalised."""
    return normalise(value) if isinstance(value, str) else value


def _at(field: Field, condition: Callable[[str], Filter]) -> Filter:
    """Return the condition on the field, or on its item."""
    if field.position is None:
        return condition(field.name)
    return ElementAt(field.name, field.position, condition(ELEMENT))


def _pattern_parts(pattern: str) -> tuple[str, ...]:
    """Return the parts of a pattern between its `%`, with `ANY_CHARACTER` for `_`.

    A backslash takes the meaning from the next character.

    Raises:
        ExpressionError: a backslash ends it, or a character is in no text; the message says so.
    """
    parts = [""]
    # `_` stands for one character, however the caller's text composes it.
    for mark, is_literal in _characters(unicodedata.normalize("NFC", pattern)):
        if is_literal or mark not in "%_":
            parts[-1] += mark
        elif mark == "_":
            parts[-1] += ANY_CHARACTER
        # Several `%` in a row mean the same as one.
        elif len(parts) == 1 or parts[-1]:
            parts.append("")
    return tuple(parts)


def _characters(pattern: str) -> Iterator[tuple[str, bool]]:
    """Yield the characters, each with whether it is literal."""
    is_literal = False
    for mark in pattern:
        if mark == ANY_CHARACTER or "\ud800" <= mark <= "\udfff":
            raise ExpressionError("the pattern has a character that is in no text")
        if mark == "\\" and not is_literal:
            is_literal = True
            continue
        yield mark, is_literal
        is_literal = False
    if is_literal:
        raise ExpressionError("a backslash ends the pattern: write it twice for a backslash")
