"""Random trees of the whole filter language, and documents that they decide about."""

from random import Random
from typing import Final

from groundwire.domain.documents.indexed_fields import own_field
from groundwire.domain.documents.metadata import Metadata, Scalar, Value, metadata_from_mapping
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
    HasWords,
    Not,
    Operator,
    TextMatch,
    all_elements,
)
from groundwire.domain.filters.outcomes import Language
from groundwire.domain.filters.value_tests import ANY_CHARACTER

FIELDS: Final = ("year", "tags", "x-y", "team")
OWN_FIELDS: Final = tuple(map(own_field, ("title", "language", "source_file_name")))
_TEXTS: Final = ("", "a", "ab", "abc", "b", "2024", "2024-05-31", "2023-01-01", "é", "\U0001f600", "it's", "1.0")
_NUMBERS: Final = (-3.0, -0.5, 0.0, 1.0, 2.0, 3.5, 9.0, 2.0**53, -1e300)
_LITERALS: Final[tuple[Scalar, ...]] = (
    *_TEXTS,
    *_NUMBERS,
    *(True, False),
    *(0, 1, 2, 9, -3, 2**53, 2**53 + 1, 10**400, -(10**400)),
    metadata_from_mapping({"d": "2024-05-31"})["d"],  # type: ignore[list-item]
)
_PARTS: Final = ("", "a", "b", "2024", f"{ANY_CHARACTER}b", f"a{ANY_CHARACTER}", "-0", "é")
_COMPARISONS: Final = tuple(Operator)
_ORDERS: Final = tuple(set(Operator) - {Operator.IN})


def any_value(random: Random) -> Value:
    match random.randrange(6):
        case 0:
            return tuple(random.choices(_TEXTS, k=random.randrange(4)))
        case 1:
            return tuple(random.choices(_NUMBERS, k=random.randrange(4)))
        case 2:
            return random.choice(_NUMBERS)
        case 3:
            return random.choice((True, False))
        case _:
            return random.choice(_TEXTS)


def any_document(random: Random) -> Metadata:
    """Return metadata as it is stored, and the document's own fields."""
    held = metadata_from_mapping(
        {name: any_value(random) for name in random.sample(FIELDS, random.randrange(len(FIELDS) + 1))}
    )
    return {**held, **{name: random.choice(_TEXTS) for name in OWN_FIELDS}}


def any_tree(random: Random, depth: int = 3, fields: tuple[str, ...] = (*FIELDS, OWN_FIELDS[0])) -> Filter:
    return _tree(random, depth, fields, tuple(Language))


def tree_of(random: Random, language: Language, depth: int = 3) -> Filter:
    """Return a tree all of whose leaves have the rules of one language."""
    return _tree(random, depth, FIELDS, (language,))


def _tree(random: Random, depth: int, fields: tuple[str, ...], languages: tuple[Language, ...]) -> Filter:
    def parts() -> tuple[Filter, ...]:
        return tuple(_tree(random, depth - 1, fields, languages) for _ in range(random.randrange(4)))

    match random.randrange(6 if depth else 3):
        case 3:
            return AllOf(parts())
        case 4:
            return AnyOf(parts())
        case 5:
            return Not(_tree(random, depth - 1, fields, languages))
        case _:
            return _leaf(random, depth, random.choice(fields), languages)


def _leaf(random: Random, depth: int, field: str, languages: tuple[Language, ...]) -> Filter:
    language = random.choice(languages)
    match random.randrange(10):
        case 0:
            return Exists(field)
        case 1:
            return _text_test(random, field, language)
        case 2:
            return HasLength(field, random.choice(_ORDERS), random.randrange(-1, 4), language)
        case 3 | 4:
            condition = _tree(random, min(depth, 2), (ELEMENT,), languages)
            quantified = random.choice((AnyElement, all_elements))
            return quantified(field, condition, language)
        case 5:
            return ElementAt(field, random.randrange(4), _tree(random, min(depth, 1), (ELEMENT,), languages))
        case _:
            return _comparison(random, field, language)


def _text_test(random: Random, field: str, language: Language) -> TextMatch | HasWords:
    if random.random() < 0.3:
        slop = random.choice((None, 0, 2))
        return HasWords(field, tuple(random.choices(_TEXTS[1:5], k=random.randrange(3))), 1, slop, language)
    return TextMatch(field, tuple(random.choices(_PARTS, k=random.randrange(1, 4))), language)


def _comparison(random: Random, field: str, language: Language) -> Compare:
    operator = random.choice(_COMPARISONS)
    if operator is Operator.IN or random.random() < 0.1:
        return Compare(field, operator, tuple(random.choices(_LITERALS, k=random.randrange(4))), language)
    return Compare(field, operator, random.choice(_LITERALS), language)
