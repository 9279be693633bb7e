"""Every production of Milvus's grammar: accepted with its meaning, or refused by name with its position."""

from contextlib import suppress
from random import Random

import pytest

from groundwire.dialects.foundry.filter.parser import parse_filter
from groundwire.domain.documents.metadata import metadata_from_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import matches
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.domain.filters.size import check_size
from groundwire.domain.limits import MAX_FILTER_CHARACTERS, MAX_FILTER_LEVELS
from tests.support.documents.filters.clauses import row_passes
from tests.support.documents.filters.milvus_cases import any_filter, any_row, text_of
from tests.support.documents.filters.step_count import is_read_in_linear_steps

HELD = {
    "n": 5.0,
    "t": "abc",
    "u": "a b\\c",
    "flag": True,
    "tags": ("a", "b"),
    "sizes": (1.0, 9.0),
    "x-y": 1.0,
    "w": "The quick brown fox.",
}

TRUE = [
    # Literals.
    "n == 5 and n == 05 and n == 0x5 and n == 0X5 and n == 0b101 and n == 0B101",
    "n == 5. and n == 5.0 and n == .5e1 and n == 50e-1",
    "n == 0x5p0 and n == 0xA.p-1 and n == 0x.5P4 and n == 0x1.4p2",
    "t == \"abc\" and t == 'abc' and t == u8'abc' and t == u\"abc\" and t == U'abc' and t == L'abc'",
    r"t == '\x61\142\u0063' and t == 'a\U00000062c' and t == r'abc' and t == R'abc' and u == 'a\x20b\\c'",
    "flag == true and flag == True and flag == TRUE and flag != false and flag != False and flag != FALSE",
    "n == - -5 and n == +5",
    "n in [1, 5,] and n in [5] and n not in [1] and n NOT IN [ \t] and n not in []",
    "tags == ['a', 'b'] and ['a', 'b'] == tags and sizes == [1, 9.0] and tags != ['a'] and tags != ['a', 1]",
    "tags != [['a'], 'b'] and sizes != ['1', '9']",
    # Names and paths.
    'metadata["n"] == 5 and $meta["n"] == 5 and $meta[r"n"] == 5 and metadata[\'x-y\'] == 1',
    "tags[0] == 'a' and metadata['tags'][1] == 'b' and not (tags[1] == 'a')",
    r'metadata["\u006e"] == 5',
    # Tests of presence.
    "x is null and n is not null and x IS NULL and n IS NOT NULL and tags[2] is null and tags[1] is not null",
    "exists n and not exists x and EXISTS metadata['n'] and exists(n) and exists tags[0] and not exists tags[7]",
    # Patterns.
    "t like 'a%' and t LIKE '%c' and t like '_b_' and t like '%b%' and t like 'abc' and not (t like 'a_')",
    r"u like r'a%\\c' and u like 'a%\\\\c' and not (t like r'a\%') and not t like 'b%' and !t like 'x'",
    # Precedence.
    "n == 1 or n == 5 and t == 'abc' and not (n == 1 or t == 'x')",
    "n == 1 && n == 1 || n == 5 and !(n == 1) AND NOT (n == 2) OR false",
    "2 + 3 * 2 == 8 and (2 + 3) * 2 == 10 and 7 / 2 == 3 and -7 / 2 == -3 and -7 % 3 == -1 and 7 / 2.0 == 3.5",
    "1 == 1 and 'a' < 'b' and true == True and true and not false and !false and 1 != 2",
    # Ranges.
    "1 < n < 9 and 1 < n <= 5 and 5 <= n < 6 and 9 > n > 1 and 5 >= n >= 5 and 'a' <= t <= 'b'",
    "1 < metadata['n'] < 9 and 0 < sizes[0] < 2 and not (6 < n < 9) and 4 + 0 < n < 5 + 1",
    "n > 4 and n >= 5 and n < 6 and n <= 5 and 4 < n and 5 >= n and n != 4",
    # Arithmetic of one field and one number.
    "n + 1 == 6 and 1 + n == 6 and n - 1 == 4 and n * 2 == 10 and 2 * n == 10 and 6 == n + 1 and n * -2 == -10",
    "n + 1 != 5 and n * 2 >= 10 and n * 2 > 9.9 and n * -1 < 0 and n - 9 <= -4 and n * 0 == 0 and not (n * 0 > 0)",
    "not (n + 1 == 1e300) and n + 0.1 == 5.1 and sizes[1] - 1 == 8",
    # Functions.
    "json_contains(tags, 'a') and JSON_CONTAINS(metadata['tags'], 'b') and array_contains(sizes, 1)",
    "json_contains_all(tags, ['a', 'b']) and ARRAY_CONTAINS_ALL(sizes, [1]) and not (json_contains(tags, ['a']))",
    "json_contains_any(tags, ['x', 'a']) and array_contains_any(sizes, [9, 'x']) and json_contains_all(tags, [])",
    "not (json_contains_all(tags, ['a', ['b']])) and not (json_contains_any(tags, [['a']]))",
    "array_length(tags) == 2 and 2 == array_length(tags) and ARRAY_LENGTH(metadata['tags']) > 1",
    "text_match(w, 'FOX') and TEXT_MATCH(w, 'cat fox') and not (text_match(w, 'cat')) and not (text_match(w, ''))",
    "text_match(w, 'the fox cat', minimum_should_match=2) and not (text_match(w, 'fox cat', MINIMUM_SHOULD_MATCH=2))",
    "phrase_match(w, 'quick brown') and not (PHRASE_MATCH(w, 'quick fox')) and phrase_match(w, 'quick fox', 1)",
    "not (phrase_match(w, 'fox quick', 2)) and phrase_match(w, 'brown quick', 2)",
    "not (phrase_match(w, 'fox fox', 9))",
    "not (phrase_match(w, '', 9))",
    "(((n == 5)))",
    "n==5and t=='abc'",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_the_grammar_has_is_accepted_with_its_meaning(text: str) -> None:
    assert matches(parse_filter(text, {}), HELD)


REFUSED = [
    # Text, column of the fault, part of the message.
    ("not a == 1", 1, "write `not (…)`"),
    ("b == 1 and not a in [1]", 12, "write `not (…)`"),
    ("not a not in [1]", 1, "write `not (…)`"),
    ("NOT a", 1, "write `not (…)`"),
    ("a not like 'x'", 3, "as `not (… like …)`"),
    ("3 < a > 1", 7, "one direction"),
    ("1 < 2 < 3", 7, "different types"),
    ("1 < a + 1 < 5", 11, "one direction"),
    ("true < a < false", 6, "numbers or texts"),
    ("1 < a < 'x'", 3, "one type"),
    ("b < a < 5", 3, "numbers or texts"),
    ("1 < metadata < 5", 3, "name a key"),
    ("a == b", 3, "put text in quotes"),
    ("a == null", 3, "is null"),
    ("a + b == 1", 3, "two fields"),
    ("5 - a == 1", 3, "minus a field"),
    ("a % 2 == 1", 3, "`%` of a field is not supported"),
    ("a / 2 == 1", 3, "`/` of a field is not supported"),
    ("2 / a == 1", 3, "`/` of a field is not supported"),
    ("a == 1 / 0", 8, "division by zero"),
    ("a == 1.0 % 2", 10, "whole numbers"),
    ("a + 1 + 1 == 2", 7, "one field and one number"),
    ("a + 'x' == 1", 3, "takes numbers"),
    ("a + 1 == 'x'", 7, "compares with a number"),
    ("a + 1 in [2]", 7, "takes a field"),
    ("-a == 1", 1, "`-` is supported only before a number"),
    ("a ** 2 == 4", 3, "`**` is not supported"),
    ("a & 1 == 1", 3, "`&` is not supported"),
    ("a | 1", 3, "`|` is not supported"),
    ("a ^ 1", 3, "`^` is not supported"),
    ("~a == 1", 1, "`~` is not supported"),
    ("a << 1 == 2", 3, "`<<` is not supported"),
    ("a >> 1 == 2", 3, "`>>` is not supported"),
    ("a =~ 'x'", 3, "`=~` is not supported"),
    ("a !~ 'x'", 3, "`!~` is not supported"),
    ("random_sample(0.1)", 1, "`random_sample` is not supported"),
    ("a == 1 and RANDOM_SAMPLE(0.1)", 12, "`random_sample` is not supported"),
    ("element_filter(a, $[b] == 1)", 1, "`element_filter` is not supported"),
    ("match_any(a, b)", 1, "`match_any` is not supported"),
    ("match_all(a, b)", 1, "`match_all` is not supported"),
    ("match_least(a, b, threshold=1)", 1, "`match_least` is not supported"),
    ("match_most(a, b, threshold=1)", 1, "`match_most` is not supported"),
    ("match_exact(a, b, threshold=1)", 1, "`match_exact` is not supported"),
    ("st_equals(a, 'x')", 1, "`st_equals` is not supported"),
    ("ST_DWITHIN(a, 'x', 1)", 1, "`st_dwithin` is not supported"),
    ("st_isvalid(a)", 1, "`st_isvalid` is not supported"),
    ("a > ISO '2024-01-01'", 5, "`iso` is not supported"),
    ("iso '2024-01-01' < a", 1, "`iso` is not supported"),
    ("a + INTERVAL 'P1D' > iso 'x'", 5, "`interval` is not supported"),
    ("threshold == 1", 1, 'metadata["threshold"]'),
    ("like == 1", 1, "a value, a field or a condition"),
    ("a == {x}", 6, "templates are not supported"),
    ("a[b] == 1", 1, "structs"),
    ("a[1][b] == 1", 1, "structs"),
    ("$[b] == 1", 1, "structs"),
    ("$ == 1", 1, "structs"),
    ("Text_Match(a, 'x')", 1, "all lower or all upper case"),
    ("foo(a)", 1, "no function `foo`"),
    ("a == 1 And b == 1", 8, "all lower or all upper case"),
    ("Not (a == 1)", 1, "all lower or all upper case"),
    ("a Is null", 3, "single blanks"),
    ("a is  null", 3, "single blanks"),
    ("(a) is null", 5, "an operator or the end"),
    ("metadata is null", 1, "name a key"),
    ("$meta is null", 1, "name a key"),
    ("exists metadata", 1, "name a key"),
    ("exists $meta", 1, "name a key"),
    ("exists 1", 1, "takes a field"),
    ("metadata == 1", 10, "name a key"),
    ("a.b == 1", 2, "no dots"),
    ("a[-1] == 1", 2, "an operator or the end"),
    ("a[01] == 1", 2, "an operator or the end"),
    ('a ["x"] == 1', 3, "an operator or the end"),
    ('a in["x"]', 3, "a blank is needed"),
    ("a == 08", 7, "an operator or the end"),
    ("a in (1, 2)", 8, "`)` is expected"),
    ("a in 1", 3, "a list such as"),
    ("'x' in a", 5, "json_contains"),
    ("'x' in ['x']", 5, "takes a field"),
    ("a in [b]", 7, "put text in quotes"),
    ("a in [[1]]", 3, "single values"),
    ("a in [,]", 7, "a value, a field or a condition"),
    ("a between 1 and 2", 3, "an operator or the end"),
    ("a = 1", 3, "`==`"),
    ("a <> 1", 4, "a value, a field or a condition"),
    ("a == 1;", 7, "';' is not expected"),
    ("a == 1 -- c", 9, "`-` is supported only before a number"),
    ("a == 'it''s'", 10, "an operator or the end"),
    ("a == 'x", 6, "a quote is not closed"),
    (r"a == '\q'", 6, "is not an escape"),
    (r"a == '\ud800'", 6, "is no character"),
    (r"a == '\xe9'", 6, r"\u00e9"),
    (r"a like 'x\\'", 3, "a backslash ends"),
    (r"a like '\x00'", 3, "in no text"),
    ("a like b", 3, "a pattern in quotes"),
    ("a like 1", 3, "a pattern in quotes"),
    ("'x' like 'x'", 5, "takes a field"),
    ("a == 1e999", 6, "too large"),
    ("a == 99999999999999999999", 6, "64 bits"),
    ("a == 9223372036854775807 * 9", 26, "too large"),
    ("a < true", 3, "no order"),
    ("true < false", 6, "no order"),
    ("a < [1]", 3, "no order"),
    ("[1] == [1]", 5, "only a field and a literal"),
    ("a", 1, "a field alone"),
    ("a == 1 or a", 11, "a field alone"),
    ("1", 1, "a condition is expected"),
    ("(a == 1) == true", 10, "a condition cannot be compared"),
    ("(a == 1", 8, "`)` is expected"),
    ("a == 1)", 7, "an operator or the end"),
    ("a ==", 5, "a value, a field or a condition"),
    ("text_match(metadata['a'], 'x')", 12, "a plain name"),
    ("phrase_match(a[0], 'x')", 14, "a plain name"),
    ("text_match(content, 'x')", 12, "the text of passages"),
    ("text_match(a, b)", 15, "text in quotes"),
    ("text_match(a, 'x', 2)", 20, "`minimum_should_match` is expected"),
    ("text_match(a, 'x', minimum_should_match=0)", 41, "from 1 to 1000"),
    ("phrase_match(a, 'x', -1)", 22, "from 0 to 1000"),
    ("json_contains(a)", 16, "`,` is expected"),
    ("json_contains('x', a)", 1, "a field or path"),
    ("json_contains(a, b)", 18, "a literal"),
    ("json_contains_any(a, 1)", 22, "a list of literals"),
    ("array_length(1) == 1", 14, "takes a field"),
    ("array_length(metadata) == 1", 1, "a field or path"),
    ("array_length(a) == 1.0", 17, "a whole number"),
    ("array_length(a) + 1 == 1", 17, "one field and one number"),
    ("a == 'é' and b = 1", 16, "`==`"),
    ("a == '中文' and b = 1", 17, "`==`"),
    ("(" * 65 + "a == 1" + ")" * 65, 65, "64 deep"),
    ("!" * 65 + "(a == 1)", 66, "64 deep"),
    ("not (" * 64 + "a == 1" + ")" * 64, 320, "64 deep"),
    ("exists " * 65 + "a", 449, "64 deep"),
    (f"json_contains_all(a, [{'1,' * 1_500}])", 22, "at most 2000"),
    ("a" * 4_001, 4_001, "at most 4000 characters"),
]


@pytest.mark.parametrize(("text", "column", "problem"), REFUSED)
def test_the_rest_is_refused_by_name_with_its_column_in_the_callers_text(text: str, column: int, problem: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_filter(text, {})
    assert problem in str(refused.value)
    assert f"at character {column}" in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "not (" * (MAX_FILTER_LEVELS - 1) + "a == 1" + ")" * (MAX_FILTER_LEVELS - 1),
        "(" * MAX_FILTER_LEVELS + "a == 1" + ")" * MAX_FILTER_LEVELS,
        "or ".join(["a==1 "] * 500),
        "and ".join(["a==1 "] * 400),
    ],
)
def test_filters_within_the_bounds_are_read(text: str) -> None:
    check_size(parse_filter(text, {}))


_FRAGMENTS = (
    *("and", "or", "not", "in", "like", "exists", "is null", "==", "<", ">=", "!", "-", "+", "*", "/", "**", "&"),
    *("(", ")", "[", "]", ",", "a", 'metadata["k"]', "tags[0]", "metadata", "$meta", "$", "{x}", "1", "0x1", "1e9"),
    *("'x'", '"', "'", "\\", "r'%_'", "json_contains(", "array_length(", "text_match(", "true", "[]", "\n", "é", "\0"),
)


def test_any_text_gives_a_small_tree_or_the_error() -> None:
    random = Random(5)
    read = 0
    for _ in range(20_000):
        if random.random() < 0.5:
            text = " ".join(random.choices(_FRAGMENTS, k=random.randrange(12)))
        else:
            text = text_of(any_filter(random), random)
            for _ in range(random.randrange(3)):
                at = random.randrange(len(text) + 1)
                text = text[:at] + random.choice(_FRAGMENTS) + text[at + random.randrange(3) :]
        try:
            where = parse_filter(text, {})
        except InvalidInput:
            continue
        read += 1
        check_size(where)
        held = metadata_from_mapping(any_row(random))
        assert row_passes(index_filter(where).clause, held) >= matches(where, held), text
    assert read > 3_000


@pytest.mark.parametrize(
    "part",
    [
        *_FRAGMENTS,
        "(a or a and a == a < a in a + a * not a ** a like exists ",
        "not (a == 1 and ",
        "a[0][0",
        "0.",
        "r'\\",
    ],
)
def test_a_fragment_repeated_to_the_greatest_length_takes_steps_by_its_length(part: str) -> None:
    def decide(text: str) -> None:
        with suppress(InvalidInput):
            check_size(parse_filter(text, {}))

    text = (part * MAX_FILTER_CHARACTERS)[:MAX_FILTER_CHARACTERS]
    for each in (text, f"a == 1 or {text}"[:MAX_FILTER_CHARACTERS], f"{part} " * (MAX_FILTER_CHARACTERS // 60)):
        assert is_read_in_linear_steps(decide, each[:MAX_FILTER_CHARACTERS])
