"""Ports of ingestion: parser, store of originals, ingest lock."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from groundwire_readers.contents.parsed import PagePicture, ParsedDocument


class Parser(Protocol):
    """Reader of one tenant's documents."""

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        """Return the document's blocks, with normalised text.

        Args:
            content: the file's bytes.
            file_type: the extension, without its dot.
            with_images: extract its images, too; a failure of their extraction leaves the text as it is.
            with_thumbnails: each image with its thumbnail, for an image model.

        Raises:
            DocumentRefused: the document cannot be read; the reason tells its owner what to do.
            ParsingFailed: the parser ended while it read the document; other documents are read as before.
            ParserBusy: the parser has no capacity or does not answer; a later repeat may succeed.
            ParserBroken: the parser cannot start.
        """
        ...


class Parsers(Protocol):
    """Provider of parsers: what reads the files of one tenant may keep nothing that another tenant's file meets."""

    @property
    def version(self) -> str:
        """Name and version of the parser; part of the recipe that decides whether to parse again."""
        ...

    @property
    # Apart from the version: it concerns only documents with pages to recognise.
    def ocr_version(self) -> str:
        """Name of the text recognition, empty without one; concerns documents that have pages without text."""
        ...

    # A file that takes its parser over must not see the files of another tenant.
    def for_tenant(self, tenant: str, /) -> Parser:
        """Return the parser of this tenant's documents."""
        ...


class PageDrawer(Protocol):
    """Drawer of the pages of one tenant's PDF files."""

    def draw_page(self, content: bytes, page: int) -> PagePicture:
        """Return the picture of a page as displayed, without marks, and the places of its words.

        Args:
            content: the file's bytes.
            page: its number, from 1.

        Raises:
            DocumentRefused: the file has no such page, or it cannot be drawn.
            ParsingFailed: the drawer ended while it drew the page.
            ParserBusy: the drawer has no capacity or does not answer; a later repeat may succeed.
            ParserBroken: the drawer cannot start.
        """
        ...


class PageDrawers(Protocol):
    """Provider of drawers of pages: like a parser, none keeps anything of one tenant for another."""

    def for_tenant(self, tenant: str, /) -> PageDrawer:
        """Return the drawer of this tenant's pages."""
        ...


class Blobs(Protocol):
    """Store of original files."""

    def put(self, tenant: str, key: str, content: bytes) -> None:
        """Store the content durably, whole or not at all."""
        ...

    def get(self, tenant: str, key: str) -> bytes:
        """Return the content.

        Raises:
            NotFound: there is no such blob.
        """
        ...

    # The server names the type: a stored object may have one that a browser runs.
    def download_url(self, tenant: str, key: str, media_type: str, disposition: str, seconds: int) -> str | None:
        """Return a public URL that serves the blob for `seconds`; None where the store has no such URLs.

        The response has this `content-type` and `content-disposition`, whatever the store keeps with the blob.
        """
        ...

    def delete(self, tenant: str, key: str) -> None:
        """Delete the blob; no error when it does not exist."""
        ...

    def drop(self, tenant: str) -> int:
        """Delete all of the tenant's blobs; return their number."""
        ...


@dataclass(frozen=True, slots=True)
class LockHolder:
    """Holder of an ingest lock, as far as it is known.

    Attributes:
        pid: the process on this machine; None where it may run on another machine.
        files_done: completed files of `files_total`; both None where the holder does not report them.
    """

    pid: int | None
    files_done: int | None
    files_total: int | None


class IngestLock(Protocol):
    """Lock that admits one ingestion at a time per tenant, over all processes."""

    def hold(self, tenant: str) -> AbstractContextManager[None]:
        """Wait until the lock is free and hold it; it is freed even when the holder dies.

        Raises:
            NotFound: the tenant does not exist, or is being deleted (`Tenants.mark_deleting`), in stores that several
                machines share.
        """
        ...

    # A deletion may have to be repeated after the tenant is gone.
    def hold_for_deletion(self, tenant: str) -> AbstractContextManager[None]:
        """Hold the lock as `hold` does, also for a tenant that is being deleted or does not exist."""
        ...

    def holder(self, tenant: str) -> LockHolder | None:
        """Return the current holder, to inform waiting users; None where none is known."""
        ...

    def drop(self, tenant: str) -> None:
        """Delete the remains of the lock of a deleted tenant; called by its holder."""
        ...


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Progress of a run of `groundwire ingest`, as the run itself stores it.

    Attributes:
        started_at, updated_at: epoch seconds.
        operator: user of the operating system that started it; None where the system knows none.
        files: number of files that it reads. files_done: number of those that are finished.
        counts: number of finished files and attachments by outcome.
        outcome: how it ended; None: it runs, or was killed.
    """

    collection: str
    started_at: float
    updated_at: float
    operator: str | None
    files: int
    files_done: int
    counts: Mapping[str, int]
    outcome: str | None


@dataclass(frozen=True, slots=True)
class IngestionRun:
    """A run with its progress, and whether a process runs it now."""

    run: str
    progress: RunProgress
    is_running: bool
    is_cancel_requested: bool


class IngestionRuns(Protocol):
    """Records of the last runs of each tenant; older ones are deleted with each new one."""

    def put(self, tenant: str, run: str, progress: RunProgress) -> None:
        """Store the progress of a run.

        Raises:
            NotFound: the tenant was deleted meanwhile; nothing is stored.
        """
        ...

    def all(self, tenant: str) -> list[IngestionRun]:
        """Return the runs, the latest first."""
        ...

    def find(self, tenant: str, run: str) -> IngestionRun | None:
        """Return a run; None where it is missing."""
        ...

    # Apart from the progress, which only the run itself writes.
    def request_cancel(self, tenant: str, run: str) -> None:
        """Request that a stored run ends after its present file."""
        ...

    def is_cancel_requested(self, tenant: str, run: str) -> bool:
        """Return whether somebody requested that the run ends."""
        ...

    def drop(self, tenant: str) -> None:
        """Delete all of the tenant."""
        ...
