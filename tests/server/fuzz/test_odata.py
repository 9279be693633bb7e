"""Twenty thousand spoilt OData filters: each is a filter or an error in the form of Azure AI Search."""

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

import pytest

from groundwire.dialects.azure.filter.parser import parse_odata
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import matches, surely_fails
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.domain.filters.size import check_size
from groundwire.domain.limits import MAX_FILTER_CHARACTERS
from tests.support.documents.filters.odata_cases import DEFINED, KNOWN, TOKENS, any_filter, text_of
from tests.support.documents.filters.step_count import is_read_in_linear_steps

FILTERS: Final = 10_000
_ERROR: Final = re.compile(r"Invalid expression: [^\r\n]+\.\r\nParameter name: \$filter")
_CHARACTERS: Final = "\x00\x1f\u202e\ud800\U0001f600'\"()/:,.-+ \t\r\ntTeZ09_=<>!&|%$@[]{}\\"
_MOST_CHARACTERS_OF_AN_ERROR: Final = 1_600


def with_tokens(text: str, random: Random) -> str:
    words = text.split(" ")
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(words) + 1)
        words[at : at + random.randrange(2)] = random.choices(TOKENS, k=random.randrange(3))
    return random.choice((" ", "")).join(words) if random.random() < 0.2 else " ".join(words)


def with_characters(text: str, random: Random) -> str:
    marks = list(text)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(marks) + 1)
        marks[at : at + random.randrange(3)] = random.choices(_CHARACTERS, k=random.randrange(3))
    return "".join(marks)


def with_parts(text: str, random: Random) -> str:
    start, end = sorted(random.choices(range(len(text) + 1), k=2))
    kept = text[start:end]
    return random.choice((kept, text[:start] + text[end:], kept * random.randrange(2, 60), text + kept))


@pytest.mark.parametrize("spoil", [with_tokens, with_characters, with_parts])
def test_no_text_breaks_the_parser(spoil: Callable[[str, Random], str]) -> None:
    random, outcomes = Random(56), Counter[str]()
    for _ in range(FILTERS):
        text = spoil(text_of(any_filter(random, wild=0.2), random), random)
        assert is_read_in_linear_steps(lambda each: outcomes.update([outcome(each)]), text), text
    assert outcomes.keys() >= {"read", "Syntax", "At"}
    assert min(outcomes["read"], outcomes["Syntax"]) > FILTERS // 100, outcomes


def outcome(text: str) -> str:
    """Return whether the text was read, or the first word of the error."""
    try:
        where = parse_odata(text, KNOWN, DEFINED)
    except InvalidInput as error:
        return first_word(str(error))
    assert len(text) <= MAX_FILTER_CHARACTERS
    check_size(where)
    index_filter(where)
    assert matches(where, {}) is not surely_fails(where, {})
    return "read"


def first_word(message: str) -> str:
    assert _ERROR.fullmatch(message), message
    assert len(message) <= _MOST_CHARACTERS_OF_AN_ERROR
    message.encode()
    return message.split(" ")[2]
