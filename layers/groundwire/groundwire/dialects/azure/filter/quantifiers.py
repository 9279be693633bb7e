"""Rules on the conditions of `any` and `all`, which depend on the type of the items.

`all` has the rules of `any` for the negated condition. Texts: equalities joined by `or`. Booleans: one comparison.
Numbers and points in time: `or` of `and`, with no inequality within `and`.
"""

from dataclasses import dataclass

from groundwire.dialects.azure.filter.errors import OdataError
from groundwire.dialects.azure.filter.literals import literal_type
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
from groundwire.domain.filters.expression import Operator
from groundwire.domain.filters.field_types import FieldType


@dataclass(frozen=True, slots=True)
class _Test:
    """Condition without parts, after all negations.

    Attributes:
        kind: type of the values that the item is compared with.
        is_unequal: it is a negated equality: ne, or `not` before eq, search.in or the item.
    """

    kind: FieldType
    is_unequal: bool
    position: int


@dataclass(frozen=True, slots=True)
class _Words:
    """Texts of the rules of one quantifier.

    Attributes:
        quantifier: its name.
        equal: comparison that texts can have.
        unequal: comparison that stands alone.
        joins: word that joins any conditions.
        splits: the other one.
    """

    quantifier: str
    equal: str
    unequal: str
    joins: str
    splits: str


def check_quantifier(found: QuantifierSyntax, condition: OperandSyntax) -> None:
    """Check that the condition is one that `any` or `all` can have.

    Raises:
        OdataError: it is not; the message gives the rule.
    """
    alternatives = _alternatives(condition, is_negated=found.is_all)
    tests = [test for tests in alternatives for test in tests]
    kind = tests[0].kind
    for test in tests:
        if test.kind is not kind:
            raise OdataError(test.position, "all values that an item is compared with must have one type")
    if kind is FieldType.BOOLEAN and len(tests) > 1:
        raise OdataError(tests[1].position, "items that are true or false allow only one comparison")
    words = _Words("all", "ne", "eq", "and", "or") if found.is_all else _Words("any", "eq", "ne", "or", "and")
    for alternative in alternatives:
        if kind is FieldType.TEXT:
            _check_texts(alternative, words)
        elif len(alternative) > 1:
            _check_ordered(alternative, words)


def _check_texts(alternative: list[_Test], words: _Words) -> None:
    wrong = [*(test for test in alternative if test.is_unequal), *alternative[1:]]
    if wrong:
        call = "not search.in" if words.quantifier == "all" else "search.in"
        allowed = f"`{words.equal}` and {call}, joined by `{words.joins}`"
        raise OdataError(wrong[0].position, f"for texts `{words.quantifier}` takes {allowed}")


def _check_ordered(alternative: list[_Test], words: _Words) -> None:
    for test in alternative:
        if test.is_unequal:
            problem = f"`{words.unequal}` cannot be joined with `{words.splits}` in `{words.quantifier}`"
            raise OdataError(test.position, problem)


def _alternatives(condition: OperandSyntax, *, is_negated: bool) -> list[list[_Test]]:
    """Return the disjunctive normal form of the condition, or of its negation.

    Raises:
        OdataError: it has a disjunction within a conjunction, or a part that is not about the item.
    """
    match condition:
        case NegationSyntax(part):
            return _alternatives(part, is_negated=not is_negated)
        case JoinedSyntax(is_conjunction, parts):
            found = [_alternatives(part, is_negated=is_negated) for part in parts]
            if is_conjunction is is_negated:
                return [tests for alternatives in found for tests in alternatives]
            for part, alternatives in zip(parts, found, strict=True):
                if len(alternatives) > 1:
                    inner, outer = ("and", "or") if is_negated else ("or", "and")
                    raise OdataError(
                        part.position, f"`{inner}` is not allowed within `{outer}` here: split the condition"
                    )
            return [[test for [tests] in found for test in tests]]
        case _:
            return [[_test(condition, is_negated=is_negated)]]


def _test(condition: OperandSyntax, *, is_negated: bool) -> _Test:
    match condition:
        case ComparisonSyntax(_, operator, literal, position):
            kind = literal_type(literal.value)
            if kind is None:
                raise OdataError(literal.position, "an item is never null")
            is_unequal = operator is (Operator.EQ if is_negated else Operator.NE)
            return _Test(kind, is_unequal, position)
        case MembershipSyntax(_, _, position):
            return _Test(FieldType.TEXT, is_unequal=is_negated, position=position)
        case PathSyntax(_, position):
            return _Test(FieldType.BOOLEAN, is_unequal=is_negated, position=position)
        case QuantifierSyntax(_, _, _, _, position):
            raise OdataError(position, "an item is not a list, so it has no `any` and no `all`")
        case LiteralSyntax(_, position) | NegationSyntax(_, position) | JoinedSyntax(_, _, position):
            raise OdataError(position, "a condition on the item is expected")
