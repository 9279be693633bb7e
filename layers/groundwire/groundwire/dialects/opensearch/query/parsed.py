"""Parsed queries: a filter, texts to search for, and checks of the passages that are found."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from groundwire.dialects.opensearch.query.values import NOTHING
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import AllOf, AnyOf, Filter, Not

Check = Callable[[Segment], bool]
"""Condition on a stored passage, which no index decides."""


class TextSearch(NamedTuple):
    """A text or a vector to search for.

    Attributes:
        text: empty for a vector.
        vector: of the index's model; None: the text is embedded.
        has_words: words count as well as meaning.
        most: number of passages that it may find; None: as many as the request has room for.
    """

    text: str
    vector: tuple[float, ...] | None = None
    has_words: bool = True
    most: int | None = None


class ParsedQuery(NamedTuple):
    """A query: a passage is found where all parts agree.

    Attributes:
        where: filter; None: every passage.
        texts: any of them finds a passage; none: the filter alone does.
        check: condition on the stored passage; None: every passage.
        ids: the only passages that can be found, by `_id`; None: every passage.
        without: passages that are left out, by `_id`.
        is_optional: the texts find no passage; they put those first that they would find.
    """

    where: Filter | None = None
    texts: tuple[TextSearch, ...] = ()
    check: Check | None = None
    ids: frozenset[str] | None = None
    without: frozenset[str] = frozenset()
    is_optional: bool = False

    @property
    def is_filter(self) -> bool:
        """Return whether the query is a filter and nothing else."""
        return not self.texts and self.check is None and self.ids is None and not self.without

    @property
    def is_text(self) -> bool:
        """Return whether the query searches for texts and does not filter."""
        limits = self.where is not None or self.ids is not None or bool(self.without)
        return bool(self.texts) and not limits and not self.is_optional

    @property
    def names_ids_alone(self) -> bool:
        """Return whether the query lists or leaves out passages by `_id`, and nothing else."""
        rest = self._replace(ids=None, without=frozenset())
        return rest.is_filter and self.where is None and (self.ids is None) == bool(self.without)


EVERY_PASSAGE: Final = ParsedQuery()


def all_of(parts: Sequence[ParsedQuery]) -> ParsedQuery:
    """Return the conjunction; of texts any finds a passage."""
    filters = tuple(part.where for part in parts if part.where is not None)
    checks = [part.check for part in parts if part.check is not None]
    ids: frozenset[str] | None = None
    for part in parts:
        if part.ids is not None:
            ids = part.ids if ids is None else ids & part.ids
    where = filters[0] if len(filters) == 1 else AllOf(filters) if filters else None
    is_optional = all(part.is_optional for part in parts if part.texts)
    texts = unique_texts(parts)
    without = frozenset[str]().union(*(part.without for part in parts))
    return ParsedQuery(where, texts, _combined(checks, all), ids, without, is_optional=is_optional and bool(texts))


def negated(part: ParsedQuery) -> ParsedQuery | None:
    """Return the query for everything that `part` does not find; None where no filter and no list of ids states it."""
    if part.is_filter:
        return ParsedQuery(Not(part.where)) if part.where is not None else ParsedQuery(NOTHING)
    if not part.names_ids_alone:
        return None
    return ParsedQuery(without=part.ids) if part.ids is not None else ParsedQuery(ids=part.without)


def any_filter(parts: Sequence[ParsedQuery]) -> ParsedQuery:
    """Return the disjunction of filters."""
    filters = [part.where for part in parts]
    return ParsedQuery(AnyOf(tuple(each for each in filters if each is not None)) if None not in filters else None)


def any_text(parts: Sequence[ParsedQuery]) -> ParsedQuery:
    """Return the disjunction of searches for texts: a passage must pass the checks of one of them."""
    checks = [part.check for part in parts if part.check is not None]
    return ParsedQuery(texts=unique_texts(parts), check=_combined(checks if len(checks) == len(parts) else [], any))


def _combined(checks: Sequence[Check], rule: Callable[[Iterable[bool]], bool]) -> Check | None:
    if len(checks) <= 1:
        return checks[0] if checks else None

    def passes(segment: Segment) -> bool:
        return rule(check(segment) for check in checks)

    return passes


def unique_texts(parts: Sequence[ParsedQuery]) -> tuple[TextSearch, ...]:
    """Return the texts of all parts, each once, in order."""
    return tuple(dict.fromkeys(text for part in parts for text in part.texts))
