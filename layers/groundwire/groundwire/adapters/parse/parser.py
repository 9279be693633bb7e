"""The port `Parser`, kept by a worker process that is replaced whenever a document kills it."""

import threading
from collections.abc import Sequence
from importlib.metadata import version
from types import TracebackType
from typing import Final, Self

from groundwire.adapters.parse.formats import PDF, declared
from groundwire.adapters.parse.process import NONSENSE, Limits, WorkerGone, WorkerProcess
from groundwire.adapters.parse.recognition import NoText, Recognition, textless_pages, within_budget
from groundwire.adapters.parse.wire import BadReply, document_from_json, files_of, refusal_from_json
from groundwire.domain.documents import ParsedDocument
from groundwire.domain.errors import DocumentRefused, Unavailable

Outcome = ParsedDocument | DocumentRefused

READER: Final = 3
"""Raised whenever the same bytes give other blocks, so that documents are read again."""


class WorkerParser:
    """Reads documents in a confined process of its own; safe to call from several threads, one at a time is read.

    The worker starts with the first document, is reused, and is replaced after a crash or when it has grown.
    """

    def __init__(
        self,
        limits: Limits,
        worker: str = "groundwire.adapters.parse.worker",
        recognition: Recognition | None = None,
    ) -> None:
        """`worker` is the module that is run as the worker; it calls `worker.serve`.

        Without `recognition`, PDF pages without text are counted, not read.
        """
        self._limits = limits
        self._recognition = recognition
        self._worker = worker
        self._lock = threading.Lock()
        self._process: WorkerProcess | None = None
        self._read = 0

    @property
    def version(self) -> str:
        """The parser library, its version, and the revision of what is made of its output."""
        return f"xberg-{version('xberg')}/{READER}"

    @property
    def recognition(self) -> str:
        """Names how pages without text are recognised; empty where they are not."""
        return "" if self._recognition is None else str(self._recognition)

    @property
    def worker_pid(self) -> int | None:
        """Of the process that stands ready; None when none does."""
        process = self._process
        return None if process is None else process.pid

    def parse(self, content: bytes, file_type: str) -> ParsedDocument:
        """The document's blocks, text normalised; where recognition fails, those that are there without it.

        Args:
            content: the file's bytes; no path ever reaches the worker.
            file_type: the extension, without its dot.

        Raises:
            DocumentRefused: the document cannot be read, with a reason its owner can act on.
            Unavailable: the worker does not start.
        """
        known = declared(content, file_type)
        with self._lock:
            outcome = self._outcome(content, file_type, ())
            if self._recognition is not None and known is PDF and (pages := _scanned(outcome)):
                outcome = _better(outcome, self._outcome(content, file_type, pages))
        if isinstance(outcome, DocumentRefused):
            raise outcome
        return outcome

    def _outcome(self, content: bytes, file_type: str, scanned: Sequence[int]) -> Outcome:
        try:
            return self._ask(content, file_type, scanned)
        except WorkerGone as gone:
            self._forget()
            return DocumentRefused(str(gone))
        except BadReply:
            self._forget()
            return DocumentRefused(NONSENSE)

    def _ask(self, content: bytes, file_type: str, scanned: Sequence[int]) -> Outcome:
        if self._process is not None and not self._process.alive:
            self._forget()
        if self._process is None:
            self._process = self._started()
            self._read = 0
        reply = self._process.ask(content, file_type, scanned)
        self._read += 1
        refusal = refusal_from_json(reply)
        outcome = document_from_json(reply.get("document"), files_of(reply)) if refusal is None else refusal
        if self._read >= self._limits.documents or self._has_grown(reply.get("peak_memory_mb")):
            self._forget()
        return outcome

    def _started(self) -> WorkerProcess:
        try:
            return WorkerProcess(self._worker, self._limits, self._recognition)
        except WorkerGone as gone:
            # No document is to blame, so none may be recorded as one that cannot be read.
            raise Unavailable("The document parser does not start: `groundwire doctor` checks it.") from gone

    def _has_grown(self, peak_mb: object) -> bool:
        return not isinstance(peak_mb, int) or peak_mb > self._limits.growth_mb

    def _forget(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    def close(self) -> None:
        """The worker is gone; a later document starts another."""
        with self._lock:
            self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _scanned(outcome: Outcome) -> tuple[int, ...]:
    """The pages without text that there is time to recognise."""
    if isinstance(outcome, ParsedDocument):
        return within_budget(textless_pages(outcome))
    return within_budget(range(1, outcome.pages + 1)) if isinstance(outcome, NoText) else ()


def _better(without: Outcome, recognised: Outcome) -> Outcome:
    """Recognition that fails costs nothing of what was there without it."""
    if isinstance(recognised, ParsedDocument) or isinstance(without, ParsedDocument):
        return recognised if isinstance(recognised, ParsedDocument) else without
    if isinstance(recognised, NoText):
        return DocumentRefused(f"there is no text on its {recognised.pages} pages, and none was recognised on them")
    return recognised
