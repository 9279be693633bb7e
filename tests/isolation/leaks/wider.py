"""Bugs in what stands around passages, in what documents carry, and in what an index is made of anew."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from groundwire.adapters.local.index import cache, catching_up
from groundwire.adapters.local.index.cache import Origin
from groundwire.adapters.local.index.following import Following
from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.adapters.local.index.indexes import EmbeddedIndexes
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.domain.documents import Document, Segment
from groundwire.ports import Span
from groundwire.services.family import Family
from groundwire.services.ingest.record import with_policy
from tests.isolation.leaks.layers import always, index_left_behind, no_check


def neighbours_of_any_version(patch: pytest.MonkeyPatch) -> None:
    """The text around a passage may be of a version that was redacted, as long as the index has it."""
    read = EmbeddedIndex.segments

    def around(index: EmbeddedIndex, spans: Sequence[Span]) -> list[list[Segment]]:
        return [among(index, span) for span in spans]

    def among(index: EmbeddedIndex, span: Span) -> list[Segment]:
        numbers = range(span.document.version, 0, -1)
        found = [each for number in numbers for each in read(index, replace(span.document, version=number))]
        return [segment for segment in found if span.first <= segment.ordinal <= span.last]

    patch.setattr(EmbeddedIndex, "around", around)
    index_left_behind(patch)


def attachments_keep_their_readers(patch: pytest.MonkeyPatch) -> None:
    """A mail's new policy reaches the mail alone."""
    _following(patch, lambda child, after: child if after.state is child.state else after)


def attachments_outlive_their_mail(patch: pytest.MonkeyPatch) -> None:
    """A mail is deleted, and what it carried goes on answering."""
    _following(patch, lambda child, after: after if after.state is child.state else child)


def _following(patch: pytest.MonkeyPatch, left: Callable[[Document, Document], Document]) -> None:
    change = Family.change

    def alone(
        family: Family, tenant: str, current: Document, changed: Document, follow: Callable[[Document], Document]
    ) -> Document:
        return change(family, tenant, current, changed, lambda child: left(child, follow(child)))

    patch.setattr(Family, "change", alone)


def damaged_attachments_open_with_their_mail(patch: pytest.MonkeyPatch) -> None:
    """What an attachment was comes under the policy that was meant for what it is."""
    patch.setattr("groundwire.services.ingest.ingest.followed", with_policy)


def caches_are_of_now(patch: pytest.MonkeyPatch) -> None:
    """A cache is opened as if nothing had happened since it was written, and the registry is not asked."""
    opened = cache.opened

    def believed(folder: Path, origin: Origin, connection: sqlite3.Connection, epoch: int) -> Snapshot | None:
        found = opened(folder, origin, connection, epoch)
        return None if found is None else replace(found, sequence=catching_up.ends(connection)[0])

    patch.setattr(cache, "opened", believed)
    # Written beside the searches, now sooner and now later, it would often be of now by chance.
    patch.setattr(Following, "_is_to_write", always(answer=False))
    no_check(patch)


def changes_during_a_reindex_are_lost(patch: pytest.MonkeyPatch) -> None:
    """The next index gets the policies of the moment at which each document was read, and nothing later."""
    patch.setattr("groundwire.services.reindex.filling.agree", always(answer=None))
    patch.setattr("groundwire.services.reindex.filling._stand", always(answer=(0, 0)))
    patch.setattr(EmbeddedIndexes, "begun", always(answer=None))
    no_check(patch)


WIDER_LEAKS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "the text around a passage is of any version": neighbours_of_any_version,
    "attachments keep the readers that they came with": attachments_keep_their_readers,
    "attachments outlive their mail": attachments_outlive_their_mail,
    "damaged attachments open with their mail": damaged_attachments_open_with_their_mail,
    "caches are taken for the present, registry unchecked": caches_are_of_now,
    "changes during a reindex are lost, registry unchecked": changes_during_a_reindex_are_lost,
}
"""By what is wrong with the product, as in `LEAKS`; found by the wider machine."""
