"""CEL filters beside another implementation, cel-python 0.5.0: syntax, and truths of the leaves that both have.

Each filter is written twice. The product reads whole numbers, hexadecimal and unsigned ones, and names in any form;
cel-python reads doubles and `metadata["name"]`, because an integer and a double are never equal there. Equality of
values of different types is left out for the same reason: `KNOWN_DISAGREEMENTS` has it, with the reason for each.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from random import Random

import celpy
import pytest
from celpy import celtypes
from celpy.celparser import CELParseError
from celpy.evaluation import CELEvalError

from groundwire.dialects.vertex.filter.parser import parse_cel
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import truth
from groundwire.domain.filters.outcomes import FALSE, TRUE, UNKNOWN, Truth
from tests.support.documents.filters.cel_cases import any_document, any_filter, any_text

CASES = 2_000


@pytest.fixture(autouse=True)
def readable_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """cel-python fails where it shows an error without the tree that it occurred in, as it does for two in one `||`."""
    monkeypatch.setattr(CELEvalError, "__repr__", Exception.__repr__)


def value_of(value: Value) -> celtypes.Value:
    match value:
        case bool():
            return celtypes.BoolType(value)
        case int() | float():
            return celtypes.DoubleType(value)
        case str():
            return celtypes.StringType(value)
        case date():
            return celtypes.TimestampType(datetime(value.year, value.month, value.day, tzinfo=UTC))
        case _:
            return celtypes.ListType([value_of(item) for item in value])


def oracle_truth(text: str, held: Metadata) -> Truth:
    environment = celpy.Environment()
    members = celtypes.MapType({celtypes.StringType(name): value_of(value) for name, value in held.items()})
    try:
        found = environment.program(environment.compile(text)).evaluate({"metadata": members})
    except CELEvalError:
        return UNKNOWN
    assert isinstance(found, celtypes.BoolType)
    return TRUE if found else FALSE


def test_two_thousand_random_filters_have_the_truth_that_cel_python_finds() -> None:
    random, found = Random(2024), Counter[Truth]()
    for _ in range(CASES):
        text, held = any_filter(random), any_document(random)
        expected = oracle_truth(text.plain, held)
        assert truth(parse_cel(text.ours, {}), held) == expected, (text, held)
        assert truth(parse_cel(text.plain, {}), held) == expected, (text, held)
        found[expected] += 1
    assert min(found[each] for each in (TRUE, FALSE, UNKNOWN)) > CASES // 10


def test_dates_are_to_points_in_time_what_cel_python_finds() -> None:
    random = Random(31)
    for text, day in _points_in_time(random):
        held: Metadata = {} if day is None else {"due": day}
        assert truth(parse_cel(text, {}), held) == oracle_truth(text, held), (text, day)


def _points_in_time(random: Random) -> Iterator[tuple[str, date | None]]:
    for _ in range(400):
        day = date(2024, 5, 31)
        moment = datetime(2024, 5, 31, tzinfo=UTC) + timedelta(
            days=random.randrange(-1, 2), seconds=random.choice((0, 0, 1, 43_200, 86_399))
        )
        literal = f'timestamp("{moment:%Y-%m-%dT%H:%M:%S}{random.choice(("Z", "+02:00", "-11:30"))}")'
        operator = random.choice(("==", "!=", "<", "<=", ">", ">="))
        sides = random.sample((literal, "metadata.due"), 2)
        yield f"{sides[0]} {operator} {sides[1]}", random.choice((day, day, day, None))


NOT_SUPPORTED = (
    *("is not supported", "are not supported", "is a reserved word of CEL", "is not a number", "starts with `.`"),
    *("alone is not a condition", "cannot be compared", "binds closer", "has no members", "has no order"),
    *(
        "a list is expected",
        "a list can contain only",
        "a field name has",
        "in quotes",
        "`metadata` contains the fields",
    ),
    *(
        "is a function",
        "`has` takes",
        "`timestamp` takes",
        "takes a text",
        "write `||`",
        "write `&&`",
        "64 bits",
    ),
)
"""Refusals of what CEL has and a filter lacks, and of conditions that are true or false for no document.

`OR (a == 1)` is a call in CEL, `1.` a number in cel-python alone, and `if` a name there though CEL keeps it.
"""


def test_what_the_product_reads_is_cel_and_what_it_refuses_of_cel_is_refused_by_name() -> None:
    random, found = Random(17), Counter[tuple[bool, bool]]()
    environment = celpy.Environment()
    for _ in range(2 * CASES):
        text = any_text(random)
        problem = problem_of(text)
        try:
            environment.compile(text)
        except CELParseError:
            is_cel = False
        else:
            is_cel = True
        found[problem is None, is_cel] += 1
        assert problem is not None or is_cel, text
        assert problem is None or not is_cel or any(each in problem for each in NOT_SUPPORTED), (text, problem)
    assert found[True, True] > CASES // 10
    assert found[False, False] > CASES // 10


def problem_of(text: str) -> str | None:
    try:
        parse_cel(text, {})
    except InvalidInput as error:
        return str(error)
    return None


KNOWN_DISAGREEMENTS = [
    # The specification: an integer can equal a double, and values of other types that differ are unequal. cel-python
    # has an error for each.
    ("metadata.n == 1", TRUE, UNKNOWN),
    ('metadata.n == "1"', FALSE, UNKNOWN),
    ('metadata.n != "1"', TRUE, UNKNOWN),
    ("metadata.n == null", FALSE, UNKNOWN),
    ('metadata.n in ["1", 1]', TRUE, UNKNOWN),
    ('metadata.n in ["1"]', FALSE, UNKNOWN),
    ('metadata.tags == "a"', FALSE, UNKNOWN),
    ('metadata.tags in ["a"]', FALSE, UNKNOWN),
    ('"a" in metadata.sizes', FALSE, UNKNOWN),
    # The specification: an order of a boolean and a number is an error. cel-python takes false for 0.
    ("metadata.flag < 1", UNKNOWN, FALSE),
    # The specification: `in` has a list on the right. cel-python searches the text.
    ('"x" in metadata.t', UNKNOWN, TRUE),
    # A text that spells a date is that date, in stored metadata and in a filter.
    ('metadata.due == "2024-05-31"', TRUE, FALSE),
]


@pytest.mark.parametrize(("text", "ours", "theirs"), KNOWN_DISAGREEMENTS)
def test_known_disagreements_are_unchanged(text: str, ours: Truth, theirs: Truth) -> None:
    held: Metadata = {
        "n": 1.0, "flag": True, "t": "xyz", "tags": ("a", "b"), "sizes": (1.0,), "due": date(2024, 5, 31)
    }  # fmt: skip
    assert (truth(parse_cel(text, {}), held), oracle_truth(text, held)) == (ours, theirs)


@pytest.mark.parametrize("text", ["has(a)", 'has(metadata["a"])'])
def test_presence_of_a_name_in_any_form_is_read_though_cel_evaluates_that_of_a_member_alone(text: str) -> None:
    assert truth(parse_cel(text, {}), {"a": 1.0}) == TRUE
