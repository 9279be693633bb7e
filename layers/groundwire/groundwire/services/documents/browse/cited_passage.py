"""Cited passage among its neighbours, as the current version of its document has it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import Unavailable
from groundwire.ports import DocumentVersion, Indexes, Span

_NEIGHBOURS: Final = 2
"""Passages shown on each side of the cited one: enough to see what it belongs to, and one read of the index."""
_LAG_S: Final = 5
_DIGITS: Final = re.compile(r"(?:[0-9A-Za-z_.-]{1,120}\.)?([0-9a-f]{6,16})")
"""Digits alone, or a passage's id, which a model may put there."""


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """Passage with its neighbours, in reading order.

    Attributes:
        cited: the passage itself; None where the current version lacks it, and `shown` is the document's beginning.
    """

    shown: tuple[Segment, ...]
    cited: Segment | None


def passage_digits(text: str) -> str | None:
    """Return the digits of a passage's uid, from those digits or from its id; None for text of another form."""
    match = _DIGITS.fullmatch(text)
    return None if match is None else match[1]


def pages_of(passage: Segment) -> Sequence[int]:
    """Return the numbers of the pages of a passage; empty where the format has no pages."""
    if passage.page_first is None:
        return ()
    return range(passage.page_first, (passage.page_last or passage.page_first) + 1)


def find_cited_passage(indexes: Indexes, tenant: str, document: Document, digits: str | None) -> Segment | None:
    """Return the passage alone; None where the current version lacks it. Arguments and errors of `read_cited_passage`.

    Raises:
        Unavailable: the index does not answer.
    """
    if digits is None:
        return None
    version = DocumentVersion(document.doc_id, document.version)
    return indexes.for_tenant(tenant).find(version, f"{document.doc_id}.{digits}")


def read_cited_passage(indexes: Indexes, tenant: str, document: Document, digits: str | None) -> CitedPassage:
    """Return the passage of a document that the reader has been admitted to; the index checks nothing again.

    Args:
        indexes: those of all tenants.
        tenant: the one of the document.
        document: as the registry has it now; passages of other versions are not shown.
        digits: how the digits of the passage's uid begin; None names no passage.

    Raises:
        Unavailable: the index does not answer, for example because it sleeps or lags behind the registry.
    """
    index, version = indexes.for_tenant(tenant), DocumentVersion(document.doc_id, document.version)
    cited = find_cited_passage(indexes, tenant, document, digits)
    middle = 0 if cited is None else cited.ordinal
    last = min(middle + _NEIGHBOURS, document.segments - 1)
    if last < 0:
        return CitedPassage((), None)
    [shown] = index.read_spans([Span(version, max(0, middle - _NEIGHBOURS), last)])
    if not shown:
        # The registry has a new version before an index that lags shows it.
        raise Unavailable("The index does not show the passages of this document yet.", retry_after_s=_LAG_S)
    return CitedPassage(tuple(shown), cited)
