"""Leaves of a filter on one stored value: comparison, presence, text pattern, length."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum, StrEnum
from operator import eq, ge, gt, le, lt
from typing import Any, Final

from groundwire.domain.documents.metadata import Scalar, Value, comparable_value
from groundwire.domain.filters.outcomes import FALSE, OUTCOMES, TRUE, Language, Outcomes, Truth, negated, truth_of
from groundwire.domain.filters.words import has_phrase, words_of


class Operator(StrEnum):
    """Comparison of a field; `NE` is the negation of `EQ`."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IN = "in"

    @property
    def mirrored(self) -> "Operator":
        """Operator that holds when both sides change places."""
        return _MIRRORED.get(self, self)


_MIRRORED: Final = {
    Operator.LT: Operator.GT,
    Operator.LE: Operator.GE,
    Operator.GT: Operator.LT,
    Operator.GE: Operator.LE,
}
EQUALITIES: Final = frozenset({Operator.EQ, Operator.NE, Operator.IN})


class Kind(Enum):
    """Type of a compared value; values of different kinds are never equal, nor ordered."""

    BOOLEAN = "b"
    DATE = "d"
    NUMBER = "n"
    TEXT = "t"


@dataclass(frozen=True, slots=True)
class Compare:
    """Comparison of one field with a value, or with several, of which one must match (for `NE`: none may be equal).

    In the own language a list is compared by each of its values: one must match, and for `NE` none may be equal. The
    other languages compare single values, and `OUTCOMES` decides on lists.

    Attributes:
        value: an integer is compared exactly, never as a float.
    """

    field: str
    operator: Operator
    value: Scalar | tuple[Scalar, ...]
    language: Language = Language.OWN


@dataclass(frozen=True, slots=True)
class Exists:
    """Presence of a field; an empty list is present."""

    field: str


@dataclass(frozen=True, slots=True)
class TextMatch:
    """Pattern of a text by case: its parts in this order, with any text between two of them.

    Attributes:
        parts: at least one. The text begins with the first part and ends with the last; one part alone is the text.
            Within a part `ANY_CHARACTER` matches one character.
    """

    field: str
    parts: tuple[str, ...]
    language: Language


ANY_CHARACTER: Final = "\0"
"""Wildcard for one character; no stored text has it."""


@dataclass(frozen=True, slots=True)
class HasLength:
    """Comparison of a list's number of items; of the operators `IN` is not used."""

    field: str
    operator: Operator
    length: int
    language: Language


@dataclass(frozen=True, slots=True)
class HasWords:
    """Presence of words in a text, regardless of case.

    Attributes:
        words: in lower case.
        fewest: number of different words that the text must have, at least 1.
        slop: the words are a phrase, with so much room between them; None: they are anywhere.
    """

    field: str
    words: tuple[str, ...]
    fewest: int
    slop: int | None
    language: Language


ValueTest = Compare | Exists | TextMatch | HasLength | HasWords


def value_truth(test: ValueTest, stored: Value | None) -> Truth:
    """Return the truth of the test for a stored value; None: the document has no such value."""
    match test:
        case Compare(_, Operator.NE, options, language):
            # By negation: where equality is unknown, inequality is unknown, too.
            return negated(_compared(stored, Operator.EQ, options, OUTCOMES[language]))
        case Compare(_, operator, options, language):
            return _compared(stored, operator, options, OUTCOMES[language])
        case Exists():
            return truth_of(stored is not None)
        case TextMatch(_, parts, language):
            return _matched(stored, parts, OUTCOMES[language])
        case HasWords():
            return _worded(stored, test)
        case HasLength(_, operator, length, language):
            return _measured(stored, operator, length, OUTCOMES[language])


_Comparison = Callable[[Any, Any], bool]
COMPARISONS: Final[Mapping[Operator, _Comparison]] = {
    Operator.EQ: eq,
    Operator.IN: eq,
    Operator.LT: lt,
    Operator.LE: le,
    Operator.GT: gt,
    Operator.GE: ge,
}


def options_of(value: Scalar | tuple[Scalar, ...], outcomes: Outcomes) -> list[Scalar]:
    """Return the wanted values in the form in which the language compares them; an integer stays exact."""
    return [compared_value(option, outcomes) for option in (value if isinstance(value, tuple) else (value,))]


def compared_value(value: Scalar, outcomes: Outcomes) -> Scalar:
    """Return the value in the form in which the language compares it."""
    if isinstance(value, int | float):
        return value
    comparable = comparable_value(value)
    return comparable if outcomes.has_dates or not isinstance(comparable, date) else comparable.isoformat()


def kind_of(value: Scalar) -> Kind:
    """Return the kind of a value."""
    match value:
        # Before the numbers: in Python a boolean is an integer.
        case bool():
            return Kind.BOOLEAN
        case int() | float():
            return Kind.NUMBER
        case str():
            return Kind.TEXT
        case _:
            return Kind.DATE


def _compared(
    stored: Value | None, operator: Operator, value: Scalar | tuple[Scalar, ...], outcomes: Outcomes
) -> Truth:
    if stored is None:
        return outcomes.absent
    options = options_of(value, outcomes)
    if not isinstance(stored, tuple):
        return _scalar_truth(stored, operator, options, outcomes)
    if outcomes.list_equals is None:
        return truth_of(any(_scalar_truth(item, operator, options, outcomes) == TRUE for item in stored))
    return outcomes.list_equals if operator in EQUALITIES else outcomes.unsupported


def _scalar_truth(stored: Scalar, operator: Operator, options: Iterable[Scalar], outcomes: Outcomes) -> Truth:
    """Return true where one option matches, and false where none does and one is of the value's kind."""
    held, compare = compared_value(stored, outcomes), COMPARISONS[operator]
    kind, is_comparable, has_options = kind_of(held), False, False
    for option in options:
        has_options = True
        if kind_of(option) is kind and can_compare(kind, operator, outcomes):
            is_comparable = True
            if compare(held, option):
                return TRUE
    if is_comparable or not has_options:
        return FALSE
    return outcomes.unequal_type if operator in EQUALITIES else outcomes.unsupported


def can_compare(kind: Kind, operator: Operator, outcomes: Outcomes) -> bool:
    """Return whether values of the kind can be compared by this operator."""
    return kind is not Kind.BOOLEAN or operator in EQUALITIES or outcomes.orders_booleans


def _matched(stored: Value | None, parts: tuple[str, ...], outcomes: Outcomes) -> Truth:
    if stored is None:
        return outcomes.absent
    if isinstance(stored, tuple):
        if outcomes.list_equals is None:
            return truth_of(any(_matched(item, parts, outcomes) == TRUE for item in stored))
        return outcomes.unsupported
    if isinstance(stored, date):
        stored = stored.isoformat()
    return truth_of(matches_parts(stored, parts)) if isinstance(stored, str) else outcomes.unsupported


def matches_parts(text: str, parts: tuple[str, ...]) -> bool:
    """Return whether the text is the parts in this order with any text between two of them."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return len(text) == len(first) and _is_at(text, first, 0)
    end = len(text) - len(last)
    if end < len(first) or not _is_at(text, first, 0) or not _is_at(text, last, end):
        return False
    position = len(first)
    for part in parts[1:-1]:
        # The first place is as good as any later one.
        found = next((at for at in range(position, end - len(part) + 1) if _is_at(text, part, at)), None)
        if found is None:
            return False
        position = found + len(part)
    return position <= end


def _is_at(text: str, part: str, start: int) -> bool:
    if ANY_CHARACTER not in part:
        return text.startswith(part, start)
    pairs = zip(text[start : start + len(part)], part, strict=True)
    return all(wanted in (found, ANY_CHARACTER) for found, wanted in pairs)


def _worded(stored: Value | None, test: HasWords) -> Truth:
    if stored is None:
        return OUTCOMES[test.language].absent
    if not isinstance(stored, str | date):
        return OUTCOMES[test.language].unsupported
    held = words_of(stored if isinstance(stored, str) else stored.isoformat())
    if test.slop is not None:
        return truth_of(has_phrase(held, test.words, test.slop))
    return truth_of(len(set(held) & set(test.words)) >= test.fewest)


def _measured(stored: Value | None, operator: Operator, length: int, outcomes: Outcomes) -> Truth:
    if stored is None:
        return outcomes.absent
    if not isinstance(stored, tuple):
        return outcomes.unsupported
    if operator is Operator.NE:
        return truth_of(len(stored) != length)
    return truth_of(COMPARISONS[operator](len(stored), length))
