"""Combinations of operands by the operators of Milvus expressions: conditions, arithmetic, or an error with its remedy.

Every error is an `ExpressionError`.
"""

from typing import Final

from groundwire.dialects.foundry.filter import conditions
from groundwire.dialects.foundry.filter.arithmetic import calculate
from groundwire.dialects.foundry.filter.errors import ExpressionError
from groundwire.dialects.foundry.filter.operands import (
    Calculation,
    Column,
    Condition,
    Constant,
    Field,
    Length,
    ListOf,
    Operand,
)
from groundwire.domain.filters.expression import AllOf, AnyOf, Filter, Not, Operator

_COMPARISONS: Final = {
    "==": Operator.EQ,
    "!=": Operator.NE,
    "<": Operator.LT,
    "<=": Operator.LE,
    ">": Operator.GT,
    ">=": Operator.GE,
}
_ARITHMETIC: Final = ("+", "-", "*", "/", "%")
_NOT_HINT: Final = "`not` binds closer than a comparison: write `not (…)`"


def to_condition(operand: Operand) -> Filter:
    """Return the operand as a condition.

    Raises:
        ExpressionError: it is not valid.
    """
    match operand:
        case Condition(where):
            return where
        case bool():
            return AllOf(()) if operand else AnyOf(())
        case Field():
            raise ExpressionError("a field alone is not a condition: write for example `… == true`")
        case Column(name):
            raise _column_error(name)
        case _:
            raise ExpressionError("a condition is expected, such as `year >= 2024`")


def junction(operator: str, parts: list[Filter]) -> Condition:
    """Return the conjunction or disjunction."""
    return Condition(AllOf(tuple(parts)) if operator == "and" else AnyOf(tuple(parts)))


def prefixed(operator: str, operand: Operand) -> Operand:
    """Return the operand after `not`, `-` or `+`.

    Raises:
        ExpressionError: the operator does not take it, or is `~`.
    """
    match operator, operand:
        case "~", _:
            raise ExpressionError("`~` is not supported")
        case "not", bool():
            return not operand
        case "not", Condition(where):
            return Condition(Not(where))
        case "not", _:
            raise ExpressionError(_NOT_HINT)
        case _, bool():
            raise ExpressionError(f"`{operator}` takes a number")
        case _, int() | float():
            return -operand if operator == "-" else operand
        case _:
            raise ExpressionError(f"`{operator}` is supported only before a number")


def binary(operator: str, left: Operand, right: Operand) -> Operand:
    """Return the combination by an operator other than `and`, `or` and `in`.

    Raises:
        ExpressionError: the operator does not take these, or is not served.
    """
    if operator in _COMPARISONS:
        return _compared(left, _COMPARISONS[operator], right)
    if operator in _ARITHMETIC:
        return _calculated(operator, left, right)
    if operator == "like":
        return _like(left, right)
    raise ExpressionError(f"`{operator}` is not supported")


def membership(left: Operand, right: Operand, *, is_negated: bool) -> Condition:
    """Return the condition of `in` or `not in`.

    Raises:
        ExpressionError: the left is no field, or the right no list of single values.
    """
    if not isinstance(right, ListOf):
        raise ExpressionError(
            'a list such as ["a", "b"] is expected after `in`; for the list of a field, use json_contains'
        )
    options = tuple(item for item in right.items if not isinstance(item, ListOf))
    if len(options) < len(right.items):
        raise ExpressionError("the list of `in` holds single values")
    where = conditions.is_among(_field(left, "in"), options)
    return Condition(Not(where) if is_negated else where)


def existence(operand: Operand) -> Condition:
    """Return the condition of `exists`.

    Raises:
        ExpressionError: the operand is no field.
    """
    return Condition(conditions.exists(_field(operand, "exists")))


def range_between(left: Operand, first: str, middle: Operand, second: str, right: Operand) -> Condition:
    """Return the condition of a chain such as `1 < year <= 5`.

    Raises:
        ExpressionError: the bounds are not two numbers or two texts.
    """
    field = _field(middle, "a chain of comparisons")
    for bound in (left, right):
        if isinstance(bound, bool) or not isinstance(bound, int | float | str):
            raise ExpressionError("both ends of a chain are numbers or texts")
    low, high = _constant(left), _constant(right)
    if not conditions.same_type(low, high):
        raise ExpressionError("both ends of a chain have one type")
    start = conditions.compare_field(field, _COMPARISONS[first].mirrored, low)
    return Condition(AllOf((start, conditions.compare_field(field, _COMPARISONS[second], high))))


def _field(operand: Operand, place: str) -> Field:
    match operand:
        case Field():
            return operand
        case Column(name):
            raise _column_error(name)
        case _:
            raise ExpressionError(f"`{place}` takes a field")


def _constant(operand: Operand) -> Constant:
    if isinstance(operand, bool | int | float | str):
        return operand
    raise ExpressionError("a literal is expected: put text in quotes")


def _compared(left: Operand, operator: Operator, right: Operand) -> Operand:
    if isinstance(left, bool | int | float | str | ListOf):
        if isinstance(right, bool | int | float | str) and not isinstance(left, ListOf):
            return conditions.compare_constants(left, operator, right)
        left, operator, right = right, operator.mirrored, left
    match left, right:
        case Column(name), _:
            raise _column_error(name)
        case Condition(), _:
            raise ExpressionError(
                "a condition cannot be compared: join conditions with `and`; a chain has one direction"
            )
        case Field(), ListOf():
            return Condition(conditions.compare_list(left, operator, right))
        case _, (bool() | int() | float() | str()) as value:
            return Condition(_compared_value(left, operator, value))
        case _:
            raise ExpressionError("only a field and a literal can be compared: put text in quotes, or write `is null`")


def _compared_value(left: Operand, operator: Operator, value: Constant) -> Filter:
    match left:
        case Field():
            return conditions.compare_field(left, operator, value)
        case Calculation():
            return conditions.compare_calculation(left, operator, value)
        case Length(field):
            return conditions.compare_length(field, operator, value)
        case _:
            raise ExpressionError("a list is compared with a field")


def _calculated(operator: str, left: Operand, right: Operand) -> Operand:
    numbers = [each for each in (left, right) if isinstance(each, int | float) and not isinstance(each, bool)]
    match left, right:
        case Column(name), _:
            raise _column_error(name)
        case (Calculation() | Length(), _) | (_, Calculation() | Length()):
            raise ExpressionError("arithmetic takes one field and one number, and no more")
        # Milvus, too, calculates with one field and one constant.
        case Field(), Field():
            raise ExpressionError("arithmetic of two fields is not supported")
        case _ if len(numbers) == 2:  # noqa: PLR2004
            return calculate(operator, *numbers)
        case _ if operator in "/%" and numbers:
            reason = ": division by zero" if isinstance(left, Field) and not numbers[0] else ""
            raise ExpressionError(f"`{operator}` of a field is not supported{reason}")
        case (Field(), _) | (_, Field()) if numbers:
            return _calculation(operator, left, right, numbers[0])
        case _:
            raise ExpressionError(f"`{operator}` takes numbers, or a field and a number")


def _calculation(operator: str, left: Operand, right: Operand, number: float) -> Calculation:
    field = left if isinstance(left, Field) else right
    if not isinstance(field, Field) or (operator == "-" and field is right):
        raise ExpressionError("a number minus a field is not supported")
    return Calculation(field, operator == "*", -number if operator == "-" else number)


def _like(left: Operand, right: Operand) -> Condition:
    if not isinstance(right, str):
        raise ExpressionError("a pattern in quotes is expected after `like`")
    return Condition(conditions.is_like(_field(left, "like"), right))


def _column_error(name: str) -> ExpressionError:
    return ExpressionError(f'`{name}` is the column of all metadata: name a key, {name}["…"]')
