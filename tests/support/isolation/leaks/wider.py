"""Bugs in the text around passages, in the attachments of documents, and in rebuilt indexes."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.adapters.local.index.indexes import EmbeddedIndexes
from groundwire.adapters.local.index.snapshots import cache, refresh
from groundwire.adapters.local.index.snapshots.follower import SnapshotFollower
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.index.store.file import CacheOrigin
from groundwire.domain.documents.changes.lifecycle import with_policy
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.ports import Span
from groundwire.services.documents.attachment_tree import AttachmentTree
from tests.support.isolation.leaks.layers import always, index_left_behind, no_check


def neighbours_of_any_version(patch: pytest.MonkeyPatch) -> None:
    """The text around a passage may be of a version that was redacted, as long as the index has it."""
    read = EmbeddedIndex.segments

    def around(index: EmbeddedIndex, spans: Sequence[Span]) -> list[list[Segment]]:
        return [among(index, span) for span in spans]

    def among(index: EmbeddedIndex, span: Span) -> list[Segment]:
        numbers = range(span.document.version, 0, -1)
        found = [each for number in numbers for each in read(index, replace(span.document, version=number))]
        return [segment for segment in found if span.first <= segment.ordinal <= span.last]

    patch.setattr(EmbeddedIndex, "read_spans", around)
    index_left_behind(patch)


def attachments_keep_their_readers(patch: pytest.MonkeyPatch) -> None:
    """A mail's new policy reaches the mail alone."""
    _following(patch, lambda child, after: child if after.state is child.state else after)


def attachments_outlive_their_mail(patch: pytest.MonkeyPatch) -> None:
    """A mail is deleted, and what it carried goes on answering."""
    _following(patch, lambda child, after: after if after.state is child.state else child)


def _following(patch: pytest.MonkeyPatch, left: Callable[[Document, Document], Document]) -> None:
    change = AttachmentTree.change

    def alone(
        tree: AttachmentTree,
        tenant: str,
        current: Document,
        changed: Document,
        follow: Callable[[Document], Document],
    ) -> Document:
        return change(tree, tenant, current, changed, lambda child: left(child, follow(child)))

    patch.setattr(AttachmentTree, "change", alone)


def damaged_attachments_open_with_their_mail(patch: pytest.MonkeyPatch) -> None:
    """What an attachment was comes under the policy that was meant for what it is."""
    patch.setattr("groundwire.services.ingest.file_ingestion.following_policy", with_policy)


def caches_are_of_now(patch: pytest.MonkeyPatch) -> None:
    """Open a cache as if nothing had happened since it was written, and search without a check in the registry."""
    opened = cache.open_cache

    def believed(folder: Path, origin: CacheOrigin, connection: sqlite3.Connection, epoch: int) -> Snapshot | None:
        found = opened(folder, origin, connection, epoch)
        return None if found is None else replace(found, sequence=refresh.log_bounds(connection)[0])

    patch.setattr(cache, "open_cache", believed)
    # Written beside the searches, now sooner and now later, it would often be of now by chance.
    patch.setattr(SnapshotFollower, "_needs_cache_write", always(answer=False))
    no_check(patch)


def changes_during_a_reindex_are_lost(patch: pytest.MonkeyPatch) -> None:
    """The next index gets the policies of the moment at which each document was read, and nothing later."""
    patch.setattr("groundwire.services.reindex.generation_builder.sync_index", always(answer=None))
    patch.setattr("groundwire.services.reindex.generation_builder._version_token", always(answer=(0, 0)))
    patch.setattr(EmbeddedIndexes, "building_generation", always(answer=None))
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
