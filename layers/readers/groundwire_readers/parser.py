"""Parser of documents: a worker process that is restarted when a document crashes it."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from types import TracebackType
from typing import Final, Self

from groundwire_readers.contents.limits import PAGE_PICTURE_SECONDS
from groundwire_readers.contents.parsed import ImageLeftOut, PagePicture, ParsedDocument, ParsedImage
from groundwire_readers.errors import UnreadableDocument, WorkerNotStarted
from groundwire_readers.formats import PDF, declared_format
from groundwire_readers.ocr import NoTextFound, OcrSettings, limit_ocr_pages, pages_to_recognise
from groundwire_readers.sandbox.processes.fork_server import ForkServer
from groundwire_readers.sandbox.processes.process import (
    INVALID_REPLY_REASON,
    ParserLimits,
    WorkerProcess,
    WorkerTerminated,
)
from groundwire_readers.sandbox.processes.program import Program
from groundwire_readers.sandbox.processes.worker import WorkerArguments
from groundwire_readers.sandbox.wire import InvalidReply, attached_files, document_from_json, refusal_from_json

ParseResult = ParsedDocument | UnreadableDocument

PARSER_REVISION: Final = 12
"""Revision of the readers, incremented when the same bytes give other blocks or images: then documents are parsed
again.

A new format leaves it as it is: files of that format were refused, and a refused file is parsed at every ingestion.
"""


def _version(xberg: str, pdfium: str) -> str:
    return f"xberg-{xberg} pdfium-{pdfium}/{PARSER_REVISION}"


LAYER_VERSION: Final = _version("1.3.9", "5.15.2")
"""Version of the parser with the libraries of the parsers' layer, for a process that has them not.

A test compares it with the locked requirements of the layer.
"""

_EXTRACTION_FAILED: Final = {ImageLeftOut.EXTRACTION_FAILED: 1}
_RECOGNITION_FAILURES: Final = 2
"""Workers that may end during the recognition of a document's images."""


class WorkerParser:
    """Parser that runs in a confined process; thread-safe, one document at a time.

    The worker starts with the first document, is reused, and is replaced after a crash or when it has grown.
    """

    def __init__(
        self,
        limits: ParserLimits,
        worker_module: str = "groundwire_readers.sandbox.processes.worker",
        ocr: OcrSettings | None = None,
        *,
        allow_unconfined: bool = False,
        forks_workers: bool = False,
    ) -> None:
        """Initialise; no worker is started.

        Args:
            limits: of a document and of a worker.
            worker_module: module that runs as the worker; it calls `worker.serve`.
            ocr: without it, PDF pages without text are counted, not recognised.
            allow_unconfined: read documents even where the kernel refuses to confine the worker. Pass it only in a
                process that has nothing to protect but the document itself.
            forks_workers: a fork server, which has imported the readers, forks each worker. On Linux only.
        """
        arguments = WorkerArguments(limits.memory_mb, limits.cpu_seconds, ocr, forks_workers, allow_unconfined)
        self._command = partial(arguments.to_command, worker_module)
        self._fork_server = ForkServer(self._command, limits.start_seconds) if forks_workers else None
        self._has_folder = allow_unconfined
        self._deadline = math.inf
        self._lost_workers = 0
        self._limits = limits
        self._ocr = ocr
        self._lock = threading.Lock()
        self._process: WorkerProcess | None = None
        self._documents_read = 0

    @property
    def version(self) -> str:
        """The parser libraries, their versions, and the revision of the readers."""
        return _version(version("xberg"), version("pypdfium2"))

    @property
    def ocr_version(self) -> str:
        """Text recognition's settings as a version; empty when it is off."""
        return "" if self._ocr is None else str(self._ocr)

    @property
    def worker_pid(self) -> int | None:
        """The id of the running worker process; None when none runs."""
        process = self._process
        return None if process is None else process.pid

    @property
    def lost_workers(self) -> int:
        """The number of workers that crashed, reached a limit, gave an invalid answer, or left something changed."""
        return self._lost_workers

    @property
    def fork_server_pid(self) -> int | None:
        """The id of the fork server; None when none runs."""
        return None if self._fork_server is None else self._fork_server.pid

    def for_tenant(self, _tenant: str) -> Self:
        """Return this parser: a worker keeps nothing of a document, so all tenants share it."""
        return self

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        """Return the document's blocks, text normalised; when recognition fails, the blocks found without it.

        Args:
            content: the file's bytes; the worker receives no path.
            file_type: the extension, without its dot.
            with_images: extract its images, too; where that fails, the document has none, and counts the failure.
            with_thumbnails: each image with its thumbnail, for an image model; without `with_images` no effect.

        Raises:
            UnreadableDocument: the document cannot be read, with a reason its owner can act on.
            WorkerNotStarted: the worker does not start.
        """
        document_format = declared_format(content, file_type)
        with self._lock:
            self._deadline = time.monotonic() + self._limits.document_seconds
            result = self._parse_once(content, file_type, ())
            if self._ocr is not None and document_format is PDF and (pages := _pages_to_recognise(result)):
                result = _prefer_recognised(result, self._parse_once(content, file_type, pages))
            if with_images and isinstance(result, ParsedDocument):
                result = self._with_images(result, content, file_type, with_thumbnails=with_thumbnails)
        if isinstance(result, UnreadableDocument):
            raise result
        return result

    def draw_page(self, content: bytes, page: int) -> PagePicture:
        """Return the picture of a page of a PDF file, without marks, and the places of its words.

        Args:
            content: the file's bytes.
            page: its number, from 1.

        Raises:
            UnreadableDocument: the file has no such page, or it cannot be drawn.
            WorkerNotStarted: the worker does not start.
        """
        from groundwire_readers.sandbox.picture_wire import picture_from_json

        with self._lock:
            self._deadline = time.monotonic() + min(PAGE_PICTURE_SECONDS, self._limits.document_seconds)
            try:
                reply = self._exchange(lambda process: process.draw_page(content, page))
                if (refusal := refusal_from_json(reply)) is not None:
                    raise refusal
                return picture_from_json(reply, attached_files(reply))
            except (WorkerTerminated, InvalidReply) as error:
                self._drop_worker()
                reason = str(error) if isinstance(error, WorkerTerminated) else INVALID_REPLY_REASON
                raise UnreadableDocument(reason) from error

    def _with_images(
        self, document: ParsedDocument, content: bytes, file_type: str, *, with_thumbnails: bool
    ) -> ParsedDocument:
        """Return the document with its images; their request is one of its own, so that none can harm the text."""
        from groundwire_readers.sandbox.image_wire import images_from_json

        try:
            reply = self._exchange(
                lambda process: process.extract_images(content, file_type, with_thumbnails=with_thumbnails)
            )
            if refusal_from_json(reply) is not None:
                return replace(document, images_left_out=_EXTRACTION_FAILED)
            found = images_from_json(reply, attached_files(reply), with_thumbnails=with_thumbnails)
        except (WorkerTerminated, InvalidReply):
            self._drop_worker()
            return replace(document, images_left_out=_EXTRACTION_FAILED)
        images = found.images if self._ocr is None else tuple(self._recognised(found.images, document))
        return replace(document, images=images, images_left_out=found.left_out)

    def _recognised(self, images: Sequence[ParsedImage], document: ParsedDocument) -> Iterator[ParsedImage]:
        """Yield the images with the text in them, until the time of a document is over or a second worker ended."""
        from groundwire_readers.sandbox.image_wire import page_text_of, recognised_text_from_json

        end = min(time.monotonic() + self._limits.wall_seconds, self._deadline)
        failures = 0
        for image in images:
            text = page_text_of(document, image)
            if not text and failures < _RECOGNITION_FAILURES and time.monotonic() < end:
                try:
                    reply = self._exchange(lambda process, image=image: process.recognise_image(image.content))
                    text = recognised_text_from_json(reply)
                except (WorkerTerminated, InvalidReply):
                    self._drop_worker()
                    failures += 1
            yield replace(image, recognised_text=text)

    def _parse_once(self, content: bytes, file_type: str, ocr_pages: Sequence[int]) -> ParseResult:
        try:
            return self._request(content, file_type, ocr_pages)
        except WorkerTerminated as error:
            self._drop_worker()
            return UnreadableDocument(str(error))
        except InvalidReply:
            self._drop_worker()
            return UnreadableDocument(INVALID_REPLY_REASON)

    def _request(self, content: bytes, file_type: str, ocr_pages: Sequence[int]) -> ParseResult:
        reply = self._exchange(lambda process: process.request(content, file_type, ocr_pages))
        refusal = refusal_from_json(reply)
        return document_from_json(reply.get("document"), attached_files(reply)) if refusal is None else refusal

    def _exchange(self, request: Callable[[WorkerProcess], Mapping[str, object]]) -> Mapping[str, object]:
        """Return a worker's reply; the worker starts if none runs, and is replaced afterwards when it has grown."""
        if self._process is not None and not self._process.is_alive:
            self._stop_process()
        if self._process is None:
            self._process = self._start_process()
            self._documents_read = 0
        self._process.deadline = self._deadline
        reply = request(self._process)
        self._documents_read += 1
        if self._documents_read >= self._limits.documents_per_worker or self._exceeds_memory(
            reply.get("peak_memory_mb")
        ):
            self._stop_process()
        return reply

    def _start_process(self) -> WorkerProcess:
        start = self._start_program if self._fork_server is None else self._fork_server.start
        try:
            return WorkerProcess(start, self._limits, self._deadline, has_folder=self._has_folder)
        except WorkerTerminated as error:
            # No document causes this, so none may be recorded as unreadable.
            raise WorkerNotStarted("The document parser does not start.") from error

    def _start_program(self, folder: str) -> Program:
        return Program(self._command(), folder)

    def _exceeds_memory(self, peak_mb: object) -> bool:
        # The worker states the number and is not trusted: an invalid one counts as too large.
        return not isinstance(peak_mb, int) or peak_mb > self._limits.recycle_above_mb

    def _drop_worker(self) -> None:
        self._lost_workers += 1
        self._stop_process()

    def _stop_process(self) -> None:
        process, self._process = self._process, None
        if process is not None and not process.terminate():
            self._lost_workers += 1

    def end_worker(self) -> None:
        """End the worker, so that the next document gets a new one; a fork server goes on."""
        with self._lock:
            self._stop_process()

    def close(self) -> None:
        """End the worker and the fork server; a later document starts others."""
        self.end_worker()
        if self._fork_server is not None:
            self._fork_server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _pages_to_recognise(result: ParseResult) -> tuple[int, ...]:
    """Return the pages to recognise, limited to those that may be recognised."""
    if isinstance(result, ParsedDocument):
        return limit_ocr_pages(pages_to_recognise(result))
    return limit_ocr_pages(range(1, result.page_count + 1)) if isinstance(result, NoTextFound) else ()


def _prefer_recognised(without: ParseResult, recognised: ParseResult) -> ParseResult:
    """Return the recognised document if there is one; a failed recognition never discards the text found without it."""
    if isinstance(recognised, ParsedDocument) or isinstance(without, ParsedDocument):
        return recognised if isinstance(recognised, ParsedDocument) else without
    if isinstance(recognised, NoTextFound):
        return UnreadableDocument(
            f"there is no text on its pages ({recognised.page_count}), and recognition found none"
        )
    return recognised
