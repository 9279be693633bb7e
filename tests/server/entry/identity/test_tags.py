"""The grammar of tags and user ids, and how far a key may go in asserting tags."""

import json
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.access.tags import (
    exact_tags,
    is_reserved,
    is_tag_covered,
    parse_max_tag,
    parse_tag,
    parse_user,
    read_tags_header,
    usable_tags,
)
from groundwire.domain.errors import InvalidInput
from tests.support.plugins.draws import examples

ANYTHING = st.text(st.characters(), max_size=300)
RESERVED_SPELLINGS = [
    "sys:admin",
    "SYS:admin",
    "Sys:Admin",
    "sys:",
    "\uff53\uff59\uff53\uff1aadmin",
    "\u017fys:admin",
    "\U0001d42c\U0001d432\U0001d42c:admin",
    "\u24e2\u24e8\u24e2:admin",
    "\u0455\u0443\u0455:admin",
    "\u0405\u0423\u0405:admin",
    "s\u03b3s:admin",
    "sys\u2236admin",
    "sys\ua789admin",
    " sys:admin",
    "s ys:admin",
    "s\u200dys:admin",
    "\u200csys:admin",
    "s\ufe0fys:admin",
    "s\u034fys:admin",
    "s\u0301ys:admin",
]
UNSEEABLE = [
    "",
    " ",
    "\u3000",
    "a\x00b",
    "a\nb",
    "a\tb",
    "a\x7fb",
    "a\x85b",
    "a\u200bb",
    "a\u202eb",
    "a\u00adb",
    "\ufeffa",
    "a\u2028b",
    "a\U000e0061b",
    "a\ud800b",
    "a\ufffdb",
]
ORDINARY = ["department:sales", "SALES", "region:north", "Q4-2024", "premium_access", "a b", "*", "sysadmin", "sys"]
FOREIGN = [
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u90e8\u9580:\u55b6\u696d",
    "\U0001f469\u200d\U0001f4bb",
    "system:x",
]


@pytest.mark.parametrize("text", RESERVED_SPELLINGS, ids=ascii)
def test_a_tag_that_reads_as_reserved_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="reserved"):
        parse_tag(text)
    assert not is_tag_covered(("*", text, "s*"), text)


@pytest.mark.parametrize("text", UNSEEABLE, ids=ascii)
def test_a_name_that_cannot_be_seen_or_was_damaged_is_refused(text: str) -> None:
    for parse in (parse_tag, parse_user):
        with pytest.raises(InvalidInput):
            parse(text)


@pytest.mark.parametrize("text", [*ORDINARY, *FOREIGN], ids=ascii)
def test_tags_as_agents_send_them_are_kept_as_they_are(text: str) -> None:
    assert parse_tag(text) == unicodedata.normalize("NFC", text)


def test_composed_and_decomposed_spellings_are_one_name() -> None:
    assert parse_tag("cafe\u0301") == parse_tag("caf\u00e9") == "caf\u00e9"
    assert parse_user("Zoe\u0308") == parse_user("Zo\u00eb")


@pytest.mark.parametrize("other", ["Sales", "sales ", "\uff53ales", "s\u0430les"], ids=ascii)
def test_tags_that_only_resemble_each_other_stay_different(other: str) -> None:
    assert parse_tag(other) != parse_tag("sales")
    assert not is_tag_covered(("sales",), parse_tag(other))


@pytest.mark.parametrize("parse", [parse_tag, parse_user])
def test_a_name_has_at_most_256_characters(parse: Callable[[str], str]) -> None:
    assert parse("a" * 256) == "a" * 256
    with pytest.raises(InvalidInput, match="256"):
        parse("a" * 257)


@pytest.mark.parametrize("text", [" ann", "ann ", "\u00a0ann"], ids=ascii)
def test_a_user_id_does_not_begin_or_end_with_a_space(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_user(text)


@settings(deadline=None, max_examples=examples(300))
@given(ANYTHING)
def test_names_are_either_refused_or_in_the_form_that_is_compared(text: str) -> None:
    for parse in (parse_tag, parse_user, parse_max_tag):
        try:
            name = parse(text)
        except InvalidInput:
            continue
        assert unicodedata.is_normalized("NFC", name)
        assert parse(name) == name


@pytest.mark.parametrize(
    ("max_tags", "tag", "covered"),
    [
        ((), "a", False),
        (("a",), "a", True),
        (("a",), "ab", False),
        (("a*",), "ab", True),
        (("a*",), "a", True),
        (("a*",), "ba", False),
        (("*",), "anything", True),
        (("dept:*",), "dept", False),
        (("dept:*", "x"), "dept:sales", True),
        (("DEPT:*",), "dept:sales", False),
        (("a*b",), "aXb", False),
        (("a*b",), "a*b", True),
        (("cafe*",), "caf\u00e9", False),
        (("s*",), "sys:x", False),
        (("s*",), "sysadmin", True),
    ],
)
def test_a_key_covers_exact_tags_and_prefixes_only(max_tags: tuple[str, ...], tag: str, *, covered: bool) -> None:
    assert is_tag_covered(max_tags, tag) is covered


@pytest.mark.parametrize("text", ["sys:*", "SYS:x", "", "a\x00*", "a" * 257])
def test_a_bound_that_could_never_be_met_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_max_tag(text)


def test_a_bound_is_compared_in_normal_form() -> None:
    assert is_tag_covered((parse_max_tag("cafe\u0301:*"),), parse_tag("caf\u00e9:x"))


@pytest.mark.parametrize(
    "header",
    [
        "",
        "department:sales",
        '"a"',
        "null",
        "{}",
        '{"a": 1}',
        "[1]",
        "[null]",
        "[true]",
        "[NaN]",
        '["a", 1]',
        '[["a"]]',
        '["a"],["b"]',
        '["a"], ["b"]',
        '["a"',
        "['a']",
        '["a",]',
        "[" * 6_000,
        "[" * 3_000 + "]" * 3_000,
        "[" + "1" * 6_000 + "]",
        "\ud800",
        json.dumps([f"{number:03}" + "a" * 250 for number in range(30)]),
    ],
    ids=lambda header: ascii(header)[:30],
)
def test_a_tag_header_that_is_not_a_plain_array_of_strings_is_refused(header: str) -> None:
    with pytest.raises(InvalidInput):
        read_tags_header(header)


@pytest.mark.parametrize(
    ("given", "usable"),
    [
        (["a", "a"], ["a"]),
        (["caf\u00e9", "cafe\u0301"], ["caf\u00e9"]),
        (["a", ""], ["a"]),
        (["sys:x", "a", "S\u0443s:x"], ["a"]),
        (["a\x00", "\ud800", "a\ufffd", "b"], ["b"]),
        (["a" * 257, "b"], ["b"]),
        ([str(number) for number in range(65)], [str(number) for number in range(65)]),
    ],
    ids=["twice", "twice in NFC", "empty", "reserved", "damaged", "too long", "65"],
)
def test_each_usable_tag_counts_once_in_order_and_a_strict_key_refuses_the_others(
    given: list[str], usable: list[str]
) -> None:
    assert usable_tags(given) == usable
    with pytest.raises(InvalidInput):
        exact_tags(given)


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ("[]", set[str]()),
        (' [ "a" ] ', {"a"}),
        ('["department:sales", "region:north", "Q4-2024"]', {"department:sales", "region:north", "Q4-2024"}),
        ('["caf\\u00e9"]', {"caf\u00e9"}),
        ('["caf\u00e9"]', {"caf\u00e9"}),
        ('["a,b"]', {"a,b"}),
        (json.dumps([str(number) for number in range(64)]), {str(number) for number in range(64)}),
    ],
    ids=range(7),
)
def test_a_tag_header_is_read_exactly(header: str, tags: set[str]) -> None:
    given = read_tags_header(header)
    assert set(exact_tags(given)) == set(usable_tags(given)) == tags


def test_the_tag_header_holds_6144_bytes_however_few_characters_they_are() -> None:
    full = json.dumps(["\u90e8" * 250, *("a" * 250 + str(n) for n in range(10, 31))], ensure_ascii=False)
    room = 6_144 - len(full.encode())
    assert room >= 0
    assert read_tags_header(full + " " * room)
    with pytest.raises(InvalidInput, match="6144"):
        read_tags_header(full + " " * (room + 1))


@settings(deadline=None, max_examples=examples(300))
@given(st.one_of(ANYTHING, st.lists(st.one_of(ANYTHING, st.integers(), st.none())).map(json.dumps)))
def test_any_tag_header_is_either_refused_or_a_set_of_proper_tags(header: str) -> None:
    try:
        given = read_tags_header(header)
    except InvalidInput:
        return
    tags = usable_tags(given)
    assert all(parse_tag(tag) == tag for tag in tags)
    assert not any(map(is_reserved, tags))
