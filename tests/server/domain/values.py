"""Metadata and filters of every shape, for rules that hold for all of them."""

from datetime import date

from hypothesis import strategies as st

from groundwire.domain.documents.metadata import Scalar, metadata_from_mapping
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Filter, Not, Operator
from groundwire_readers.text.normalisation import normalise

fields = st.sampled_from(["year", "department", "not", "In", "x-y_2"])
texts = st.one_of(st.sampled_from(["a", "b", "it's", 'say "x"', "2024-05-31", "and", ""]), st.text(max_size=12)).map(
    normalise
)
numbers = st.one_of(st.integers(-3, 3).map(float), st.floats(allow_nan=False, allow_infinity=False))
dates = st.dates(date(1990, 1, 1), date(2040, 1, 1))
scalars: st.SearchStrategy[Scalar] = st.one_of(texts, numbers, st.booleans(), dates)
values = st.one_of(scalars, st.lists(texts, max_size=4), st.lists(numbers, max_size=4))
metadata = st.dictionaries(fields, values, max_size=4).map(metadata_from_mapping)


@st.composite
def comparisons(draw: st.DrawFn) -> Compare:
    operator = draw(st.sampled_from(Operator))
    if operator is Operator.IN:
        return Compare(draw(fields), operator, tuple(draw(st.lists(scalars, min_size=1, max_size=3))))
    return Compare(draw(fields), operator, draw(scalars))


def _grown(parts: st.SearchStrategy[Filter]) -> st.SearchStrategy[Filter]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(several.map(AllOf), several.map(AnyOf), parts.map(Not))


filters: st.SearchStrategy[Filter] = st.recursive(st.one_of(comparisons(), st.just(AllOf(()))), _grown, max_leaves=6)
"""As the parser makes them: groups of two parts or more, or the empty one that always holds."""
