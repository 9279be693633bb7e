"""Operands of CEL expressions: fields, literals, lists of literals, and conditions with their size."""

from dataclasses import dataclass
from typing import Final

from groundwire.dialects.vertex.filter.literals import LiteralValue
from groundwire.domain.filters.expression import AllOf, AnyElement, AnyOf, Compare, ElementAt, Filter, Not
from groundwire.domain.filters.grammar import UnreadableError
from groundwire.domain.limits import MAX_FILTER_LEVELS, MAX_FILTER_NODES

ALWAYS: Final = AllOf(())
NEVER: Final = AnyOf(())


@dataclass(frozen=True, slots=True)
class NamedField:
    """Field of a document, and the position of its name in the text."""

    name: str
    position: int


@dataclass(frozen=True, slots=True)
class AllFields:
    """Map `metadata`, whose members are the fields."""

    position: int


@dataclass(frozen=True, slots=True)
class Literal:
    """Value that is written in an expression."""

    value: LiteralValue
    position: int


@dataclass(frozen=True, slots=True)
class LiteralList:
    """List of literals."""

    items: tuple[Literal, ...]
    position: int


@dataclass(frozen=True, slots=True)
class SizedCondition:
    """Part of the filter that is true or false.

    Attributes:
        levels: levels of its tree.
        nodes: nodes of its tree, values in lists included.
    """

    where: Filter
    position: int
    levels: int
    nodes: int


Operand = NamedField | AllFields | Literal | LiteralList | SizedCondition


def leaf_condition(where: Filter, position: int) -> SizedCondition:
    """Return the condition of a tree that one comparison or function compiles to."""
    levels, nodes = _size(where)
    return _checked(SizedCondition(where, position, levels, nodes))


def negation(part: SizedCondition, position: int) -> SizedCondition:
    """Return the negation.

    Raises:
        UnreadableError: the tree is too large.
    """
    return _checked(SizedCondition(Not(part.where), position, part.levels + 1, part.nodes + 1))


def joined(parts: list[SizedCondition], kind: type[AllOf] | type[AnyOf]) -> SizedCondition:
    """Return the conjunction or disjunction.

    Raises:
        UnreadableError: the tree is too large.
    """
    levels, nodes = 1 + max(part.levels for part in parts), 1 + sum(part.nodes for part in parts)
    return _checked(SizedCondition(kind(tuple(part.where for part in parts)), parts[-1].position, levels, nodes))


def condition_of(operand: Operand) -> SizedCondition:
    """Return the operand as a condition.

    Raises:
        UnreadableError: it is not true or false, or only in some documents.
    """
    match operand:
        case SizedCondition():
            return operand
        case Literal(bool() as value, position):
            return leaf_condition(ALWAYS if value else NEVER, position)
        case NamedField(_, position):
            problem = "a field alone is not a condition: write for example `draft == true`"
        case _:
            position, problem = operand.position, "a value alone is not a condition: write for example `year == 2024`"
    raise UnreadableError(position, problem)


def _checked(condition: SizedCondition) -> SizedCondition:
    # Checked at each step, so that no deeper tree is ever built or walked.
    if condition.levels > MAX_FILTER_LEVELS:
        raise UnreadableError(condition.position, f"conditions can be nested at most {MAX_FILTER_LEVELS} deep")
    if condition.nodes > MAX_FILTER_NODES:
        raise UnreadableError(condition.position, f"a filter can have at most {MAX_FILTER_NODES} conditions and values")
    return condition


def _size(where: Filter) -> tuple[int, int]:
    """Return the levels and nodes of a tree that is known to be of a few levels."""
    match where:
        case AllOf(parts) | AnyOf(parts):
            pass
        case Not(part) | AnyElement(_, part) | ElementAt(_, _, part):
            parts = (part,)
        case Compare(_, _, tuple() as options):
            return 1, 1 + len(options)
        case _:
            return 1, 1
    sizes = [_size(part) for part in parts]
    return 1 + max((levels for levels, _ in sizes), default=0), 1 + sum(nodes for _, nodes in sizes)
