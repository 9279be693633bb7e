"""Comparisons and functions of CEL as leaves of the filter tree.

An absent field is an error, which the tree has as "unknown"; so is an order of values of different types, while their
equality is false. A stored value is never null, and a stored date is midnight UTC.
"""

import unicodedata
from typing import Final

from groundwire.dialects.vertex.filter.operands import (
    NEVER,
    AllFields,
    Literal,
    LiteralList,
    NamedField,
    Operand,
    SizedCondition,
)
from groundwire.domain.documents.metadata import Scalar
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
    Not,
    Operator,
    TextMatch,
)
from groundwire.domain.filters.grammar import UnreadableError
from groundwire.domain.filters.moments import Moment
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.filters.value_tests import ANY_CHARACTER
from groundwire_readers.text.normalisation import normalise

_CEL: Final = Language.CEL
_NO_STORED_CHARACTER: Final = "\x01"
"""Control character, which no stored text has."""


def compared(left: Operand, operator: Operator, right: Operand) -> Filter:
    """Return the filter of a comparison other than `in`.

    Raises:
        UnreadableError: it compares no field with a literal, or orders values without order.
    """
    match left, right:
        case NamedField(name), Literal() | LiteralList():
            return _field_compared(name, operator, right)
        case Literal() | LiteralList(), NamedField(name):
            return _field_compared(name, operator.mirrored, left)
        case _:
            raise UnreadableError(*_no_comparison(left, right))


def contained(left: Operand, right: Operand) -> Filter:
    """Return the filter of `in`: a field in a list of literals, a literal in a field's list, or a name in `metadata`.

    Raises:
        UnreadableError: it is none of these.
    """
    match left, right:
        case NamedField(name), LiteralList(items):
            return Compare(name, Operator.IN, _single_values(items), _CEL)
        case Literal(value), NamedField(name):
            return AnyElement(name, _equal(ELEMENT, value), _CEL)
        case LiteralList(), NamedField(name):
            # No stored list has a list as an item; an absent field stays unknown.
            return AnyElement(name, NEVER, _CEL)
        case NamedField(_), Literal(_, position):
            raise UnreadableError(position, 'a list is expected after `in`, such as ["a", "b"]')
        case _:
            raise UnreadableError(*_no_comparison(left, right))


def text_pattern(field: NamedField, function: str, text: str) -> Filter:
    """Return the filter of `startsWith`, `contains` or `endsWith`; a text is compared by case and by its spaces."""
    part = unicodedata.normalize("NFC", text).replace(ANY_CHARACTER, _NO_STORED_CHARACTER)
    parts = {"startsWith": (part, ""), "contains": ("", part, ""), "endsWith": ("", part)}[function]
    return TextMatch(field.name, parts, _CEL)


def presence(field: NamedField) -> Filter:
    """Return the filter of `has`."""
    return Exists(field.name)


def _field_compared(name: str, operator: Operator, right: Literal | LiteralList) -> Filter:
    if operator is Operator.NE:
        # An absent field stays unknown under `Not`, as an error does in CEL.
        return Not(_field_compared(name, Operator.EQ, right))
    if operator is Operator.EQ:
        return _equal(name, right.value) if isinstance(right, Literal) else _equal_list(name, right.items)
    if isinstance(right, LiteralList) or right.value is None:
        kind = "a list" if isinstance(right, LiteralList) else "`null`"
        raise UnreadableError(right.position, f"{kind} has no order: compare it with `==` or `!=`")
    match right.value:
        case Moment(day) as moment:
            return Compare(name, moment.day_operator(operator), day, _CEL)
        case value:
            return Compare(name, operator, _stored_form(value), _CEL)


def _equal(name: str, value: Scalar | Moment | None) -> Filter:
    match value:
        case None | Moment(_, False):
            return _differs(name)
        case Moment(day, _):
            return Compare(name, Operator.EQ, day, _CEL)
        case _:
            return Compare(name, Operator.EQ, _stored_form(value), _CEL)


def _equal_list(name: str, items: tuple[Literal, ...]) -> Filter:
    """Return the filter for lists with these items in this order; a field that is no list is another value."""
    same = (ElementAt(name, position, _equal(ELEMENT, item.value)) for position, item in enumerate(items))
    of_length = HasLength(name, Operator.EQ, len(items), Language.ODATA)
    return AnyOf((_differs(name), AllOf((of_length, *same))))


def _differs(name: str) -> Filter:
    """Return the filter that is false where the field is present, and else unknown."""
    return Compare(name, Operator.IN, (), _CEL)


def _single_values(items: tuple[Literal, ...]) -> tuple[Scalar, ...]:
    """Return the values that a stored value can equal."""
    found: list[Scalar] = []
    for item in items:
        match item.value:
            case None | Moment(_, False):
                continue
            case Moment(day, _):
                found.append(day)
            case value:
                found.append(_stored_form(value))
    return tuple(found)


def _stored_form(value: Scalar) -> Scalar:
    return normalise(value) if isinstance(value, str) else value


def _no_comparison(left: Operand, right: Operand) -> tuple[int, str]:
    """Return the position of a comparison that no index can decide, and the reason."""
    if isinstance(left, SizedCondition) or isinstance(right, SizedCondition):
        return right.position, "a condition cannot be compared: join conditions with `&&` and `||`"
    for operand in (left, right):
        if isinstance(operand, AllFields):
            return operand.position, ('`metadata` contains the fields: write metadata.NAME or "NAME" in metadata')
    if isinstance(left, NamedField):
        return right.position, "a field cannot be compared with a field: write a value"
    return left.position, "a value cannot be compared with a value: name a field"
