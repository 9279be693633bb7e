"""Conditions of OData filters as leaves of the filter tree; each is true or false for every document.

A literal has to be of a type that the field has in a readable document. In documents with another type, or without the
field, an equality and an order are false, and an inequality is true.
"""

from typing import Final

from groundwire.dialects.azure.filter.errors import OdataError
from groundwire.dialects.azure.filter.literals import LiteralValue, literal_type
from groundwire.dialects.azure.filter.operands import FilterableFields, ItemFields, SingleOperand
from groundwire.dialects.azure.filter.quantifiers import check_quantifier
from groundwire.dialects.azure.filter.syntax import (
    ComparisonSyntax,
    JoinedSyntax,
    LiteralSyntax,
    MembershipSyntax,
    NegationSyntax,
    OperandSyntax,
    PathSyntax,
    QuantifierSyntax,
)
from groundwire.domain.documents.metadata import comparable_value
from groundwire.domain.filters.expression import (
    AllOf,
    AnyElement,
    AnyOf,
    Compare,
    Exists,
    Filter,
    HasLength,
    Not,
    Operator,
    all_elements,
)
from groundwire.domain.filters.field_types import FieldType
from groundwire.domain.filters.moments import Moment
from groundwire.domain.filters.outcomes import Language

_ODATA: Final = Language.ODATA
_EQUALITIES: Final = (Operator.EQ, Operator.NE)
_ORDERED: Final = frozenset({FieldType.NUMBER, FieldType.DATE})
_NAMES: Final = {
    FieldType.BOOLEAN: "true or false",
    FieldType.DATE: "a date",
    FieldType.NUMBER: "a number",
    FieldType.TEXT: "a text",
}
_LITERALS: Final = {
    FieldType.BOOLEAN: "true",
    FieldType.DATE: "2024-05-31T00:00:00Z",
    FieldType.NUMBER: "5, without quotes",
    FieldType.TEXT: "'a', in single quotes",
}


def condition_filter(syntax: OperandSyntax, fields: FilterableFields | ItemFields) -> Filter:
    """Return the filter of a condition.

    Raises:
        OdataError: it names what is unknown, or is no condition on a value of this type.
    """
    match syntax:
        case JoinedSyntax(is_conjunction, parts):
            kind = AllOf if is_conjunction else AnyOf
            return kind(tuple([condition_filter(part, fields) for part in parts]))
        case NegationSyntax(part):
            return Not(condition_filter(part, fields))
        case QuantifierSyntax():
            return _quantifier(syntax, fields)
        case LiteralSyntax():
            return _constant(syntax)
        case _:
            return _leaf(syntax, fields.single(syntax if isinstance(syntax, PathSyntax) else syntax.path))


def _constant(syntax: LiteralSyntax) -> Filter:
    if not isinstance(syntax.value, bool):
        raise OdataError(syntax.position, "a literal alone is not a condition: compare a field with it")
    return AllOf(()) if syntax.value else AnyOf(())


def _leaf(syntax: PathSyntax | ComparisonSyntax | MembershipSyntax, operand: SingleOperand) -> Filter:
    match syntax:
        case ComparisonSyntax():
            return _comparison(syntax, operand)
        case MembershipSyntax():
            return _membership(syntax, operand)
        case PathSyntax(_, position):
            if operand.types is not None and FieldType.BOOLEAN not in operand.types:
                problem = f"`{operand.shown}` is {_listed(operand.types)} and not a condition: compare it with eq"
                raise OdataError(position, problem)
            return Compare(operand.name, Operator.EQ, value=True, language=_ODATA)


def _comparison(syntax: ComparisonSyntax, operand: SingleOperand) -> Filter:
    operator, value, position = syntax.operator, syntax.literal.value, syntax.literal.position
    # In this system only numbers and dates have an order.
    if operator not in _EQUALITIES and literal_type(value) not in _ORDERED:
        raise OdataError(syntax.position, _no_order(value))
    _check_type(operand, _types_of(value), position)
    match value:
        case None:
            return _negated_if(operator is Operator.EQ, Exists(operand.name))
        case Moment(day) if operator not in _EQUALITIES:
            return Compare(operand.name, value.day_operator(operator), day, _ODATA)
        case Moment(_, False):
            # No stored date is another time of day than its beginning.
            return _negated_if(operator is Operator.NE, Compare(operand.name, Operator.IN, (), _ODATA))
        case Moment(day):
            return Compare(operand.name, operator, day, _ODATA)
        case _:
            return Compare(operand.name, operator, value, _ODATA)


def _negated_if(is_negated: bool, where: Filter) -> Filter:  # noqa: FBT001
    return Not(where) if is_negated else where


def _membership(syntax: MembershipSyntax, operand: SingleOperand) -> Filter:
    types = frozenset({FieldType.TEXT}).union(*map(_types_of, syntax.texts))
    _check_type(operand, types, syntax.path.position)
    return Compare(operand.name, Operator.IN, syntax.texts, _ODATA)


def _quantifier(syntax: QuantifierSyntax, fields: FilterableFields | ItemFields) -> Filter:
    if isinstance(fields, ItemFields):
        raise OdataError(syntax.position, "an item is not a list, so it has no `any` and no `all`")
    name, items = fields.items(syntax.path)
    if syntax.condition is None:
        return HasLength(name, Operator.GE, 1, _ODATA)
    check_quantifier(syntax, syntax.condition)
    condition = condition_filter(syntax.condition, items.named(syntax.variable))
    return all_elements(name, condition, _ODATA) if syntax.is_all else AnyElement(name, condition, _ODATA)


def _check_type(operand: SingleOperand, kinds: frozenset[FieldType], position: int) -> None:
    """Check that the field has one of the types in a readable document; with none of them the literal is null."""
    if operand.types is None or not kinds or operand.types & kinds:
        return
    literal = " or ".join(_NAMES[kind] for kind in sorted(kinds))
    remedy = " or ".join(_LITERALS[kind] for kind in sorted(operand.types))
    problem = f"`{operand.shown}` is {_listed(operand.types)} and cannot be compared with {literal}: write {remedy}"
    raise OdataError(position, problem)


def _types_of(value: LiteralValue) -> frozenset[FieldType]:
    """Return the types of stored values that can equal the literal: a text that spells a date is that date."""
    kind = literal_type(value)
    if isinstance(value, str) and not isinstance(comparable_value(value), str):
        return frozenset({FieldType.TEXT, FieldType.DATE})
    return frozenset() if kind is None else frozenset({kind})


def _listed(types: frozenset[FieldType]) -> str:
    return " or ".join(_NAMES[each] for each in sorted(types))


def _no_order(value: LiteralValue) -> str:
    match value:
        case None:
            return "null has no order: use eq or ne"
        case bool():
            return "true and false have no order: use eq or ne"
        case _:
            return "text has no order: use eq or ne; write a number or a date without quotes"
