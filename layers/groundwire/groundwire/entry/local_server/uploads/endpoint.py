"""Upload endpoint: receives files for upload tickets in place of the bucket, without calling a function.

It responds as S3 does: 204, or an XML error with S3's code.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.audit.facts import AuditFacts
from groundwire.domain.audit.lines import CallLine, CallResult, LineTime, RouteTarget, stored_form
from groundwire.domain.errors import Conflict, NotFound, Unavailable
from groundwire.domain.keys.fairness.parties import NEW_USERS, Party
from groundwire.domain.keys.fairness.queue import Refused
from groundwire.domain.keys.fairness.work import FILES, FILES_AT_ONCE, SMALL_FILE_BYTES, UPLOADS, CostMemory, Work
from groundwire.domain.limits import MAX_UPLOAD_FORM_FIELD_BYTES
from groundwire.entry.local_server.fair_share import FairSlots, Slot
from groundwire.entry.local_server.uploads.errors import (
    STORED,
    UploadError,
    access_denied,
    file_too_large,
    malformed_form,
    ticket_used,
    too_many_uploads,
    upload_too_slow,
    upload_unavailable,
)
from groundwire.entry.local_server.uploads.form_body import FormBody, SlowSenderError
from groundwire.entry.local_server.uploads.form_reader import FormReader, ReceivedForm, UploadContext
from groundwire.entry.local_server.uploads.multipart_parser import MalformedFormError
from groundwire.entry.runtime.telemetry import trace_id
from groundwire.ports.deadline import background
from groundwire_mcp.transport.origins import FORBIDDEN_ORIGIN_MESSAGE
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES

if TYPE_CHECKING:
    from starlette.types import Receive

    from groundwire.entry.gateway.responses import GatewayResponse
    from groundwire.ports import AuditLog, Clock
    from groundwire.ports.uploads import SealedUploadForms, UploadInbox, UploadTerms
    from groundwire_mcp.transport.origins import AllowedOrigins

OnUpload = Callable[[str, str, str, float, Callable[[], bytes]], object]
"""Called for a complete file with tenant, ticket, content hash, time of completion and a function that reads it."""

PATH_PREFIX: Final = "/upload/"
_ROUTE: Final = f"POST {PATH_PREFIX}{{ticket}}"

_MOST_ATTEMPTS: Final = 5
"""Attempts for a file whose document changes meanwhile; the next start makes further ones."""

_log = logging.getLogger(__name__)


class UploadEndpoint:
    """Receiver of uploaded files, which processes them in the background, one of each tenant at a time.

    A received file stays in the inbox until it is processed: after a crash, the next start resumes it.
    """

    def __init__(
        self,
        forms: "SealedUploadForms",
        inbox: "UploadInbox",
        on_upload: OnUpload,
        clock: "Clock",
        is_unused: Callable[[str, str], bool],
        audit: "AuditLog",
        allowed_origins: "AllowedOrigins",
    ) -> None:
        """Create the endpoint.

        Args:
            forms: seals and opens the terms of tickets.
            inbox: stores files until they are processed.
            on_upload: processes a file.
            clock: gives the time for tickets' expiry and files' completion.
            is_unused: tells for tenant and ticket whether no file has been uploaded with the ticket.
            audit: gets a record of each form.
            allowed_origins: the pages in browsers that may send forms.
        """
        self._context = UploadContext(forms, inbox, is_unused, clock)
        self._inbox = inbox
        self._on_upload = on_upload
        self._clock = clock
        self._audit = audit
        self._allowed_origins = allowed_origins
        self._forms = FairSlots(UPLOADS)
        self._files = FairSlots(FILES)
        self._costs = CostMemory()
        # A server sets it: the processing of files pauses for its calls.
        self.let_calls_pass: Callable[[], None] = _go_on
        self._workers = ThreadPoolExecutor(FILES_AT_ONCE, "groundwire-uploads")

    def has_path(self, path: str) -> bool:
        """Return whether upload forms are sent to this path."""
        return path.startswith(PATH_PREFIX) and "/" not in path.removeprefix(PATH_PREFIX)

    def resume(self) -> None:
        """Process the files that an earlier process left."""
        for tenant, ticket, completed_at in self._inbox.list_pending():
            self._enqueue(_File(tenant, ticket, completed_at, size=0))

    def close(self) -> None:
        """Wait for the files in progress; the others wait for the next start."""
        self._workers.shutdown(wait=True, cancel_futures=True)

    async def answer(self, path: str, headers: Mapping[str, str], receive: "Receive") -> "GatewayResponse":
        """Return the response to a form after writing its audit record; `headers` by lower-case name."""
        started = time.perf_counter()
        body = FormBody(receive)
        received = ReceivedForm(path.removeprefix(PATH_PREFIX))
        upload_error = await self._receive_file(received, headers, body)
        try:
            await asyncio.to_thread(self._record, received.terms, upload_error, started)
        except Unavailable as error:
            upload_error = await self._discard_unrecorded(received.terms, upload_error, error)
        if upload_error is not None:
            # A sender that waits for 100 Continue sends nothing after this response.
            awaits_continue = headers.get("expect", "").lower() == "100-continue" and not body.has_started
            return upload_error.to_response(closes_connection=awaits_continue or not await body.drain())
        if received.terms is not None:
            terms = received.terms
            self._enqueue(_File(terms.tenant, terms.ticket, self._clock(), terms.size))
        return STORED

    async def _receive_file(
        self, received: ReceivedForm, headers: Mapping[str, str], body: FormBody
    ) -> UploadError | None:
        """Store the file; return the error if that fails, else None."""
        try:
            self._check_head(headers)
            form = FormReader(received, headers.get("content-type", ""), self._context)
            terms = await form.read_terms(body)
            with self._form_slot(terms.tenant):
                await form.store_file(body)
        except UploadError as upload_error:
            return upload_error
        except MalformedFormError as error:
            return malformed_form(str(error))
        except SlowSenderError:
            return upload_too_slow()
        except Conflict:
            return ticket_used()
        except Unavailable as error:
            _log.error("an uploaded file could not be stored: %s", error)
            return upload_unavailable(error)
        return None

    def _check_head(self, headers: Mapping[str, str]) -> None:
        if not self._allowed_origins.allows(headers.get("origin")):
            raise access_denied(FORBIDDEN_ORIGIN_MESSAGE)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > MAX_DOCUMENT_BYTES + MAX_UPLOAD_FORM_FIELD_BYTES:
            raise file_too_large(MAX_DOCUMENT_BYTES)

    @contextmanager
    def _form_slot(self, tenant: str) -> Generator[None]:
        """Limit the forms with a valid ticket that are read at a time; one tenant gets at most half of the slots.

        A sender without a valid ticket takes no slot, since strangers could take all of them.

        Raises:
            UploadError: no slot is free.
        """
        party = Party(tenant, "", NEW_USERS)
        slot = self._forms.take(party, self._costs.estimate(Work.UPLOAD, party))
        if isinstance(slot, Refused):
            raise too_many_uploads()
        try:
            yield
        finally:
            self._costs.record(Work.UPLOAD, party, self._forms.release(slot))

    def _record(self, terms: "UploadTerms | None", upload_error: UploadError | None, started: float) -> None:
        """Write a form's audit record: small, without anything that its sender wrote."""
        tenant, facts = (None, AuditFacts()) if terms is None else (terms.tenant, AuditFacts(ticket=terms.ticket))
        result = CallResult("answered", STORED.status, 0, trace_id())
        if upload_error is not None:
            result = CallResult(upload_error.code, upload_error.status.value, len(upload_error.body), trace_id())
        line = CallLine(tenant=tenant, target=RouteTarget(_ROUTE), result=result, facts=facts)
        milliseconds = round((time.perf_counter() - started) * 1000, 3)
        self._audit.append(stored_form(line, LineTime(self._clock(), None, milliseconds)))

    async def _discard_unrecorded(
        self, terms: "UploadTerms | None", upload_error: UploadError | None, error: Unavailable
    ) -> UploadError:
        """Remove a file whose audit record could not be written, and return the error."""
        _log.error("an upload form could not be recorded: %s", error)
        if upload_error is None and terms is not None:
            await asyncio.to_thread(self._inbox.remove, terms.tenant, terms.ticket)
        return upload_unavailable(error)

    def _enqueue(self, file: "_File") -> None:
        party, slots = file.party, SimpleQueue[Slot]()
        cost = self._costs.estimate(Work.FILE, party, file.size)

        def work() -> None:
            slot = slots.get()
            try:
                with background(self.let_calls_pass):
                    self._process(file)
            finally:
                self._files.release(slot)

        def start() -> None:
            # After `close`, the file waits for the next start.
            with suppress(RuntimeError):
                self._workers.submit(work)

        slot = self._files.run_later(party, cost, start)
        if not isinstance(slot, Refused):
            slots.put(slot)

    def _process(self, file: "_File") -> None:
        tenant, ticket = file.tenant, file.ticket
        try:
            content = self._inbox.read(tenant, ticket)
            self._on_upload(tenant, ticket, hashlib.sha256(content).hexdigest(), file.completed_at, lambda: content)
            self._inbox.remove(tenant, ticket)
        except NotFound:
            # Its tenant was deleted.
            self._inbox.remove(tenant, ticket)
        except Conflict as error:
            # Somebody changed the document while the file was read: a repetition takes the change into account.
            _log.warning("an uploaded file was not ingested in attempt %d: %s", file.attempt, error)
            if file.attempt < _MOST_ATTEMPTS:
                self._enqueue(file._replace(attempt=file.attempt + 1))
        except Exception:  # noqa: BLE001 - the file stays in the inbox, and the next start tries again
            _log.exception("an uploaded file could not be ingested")


def _go_on() -> None:
    """Pause for nothing."""


class _File(NamedTuple):
    """Received file that waits for its ingestion; `size` is 0 for one that an earlier process received."""

    tenant: str
    ticket: str
    completed_at: float
    size: int
    attempt: int = 1

    @property
    def party(self) -> Party:
        """Return its party: small and large files of a tenant have equal shares of the time."""
        return Party(self.tenant, "small" if self.size <= SMALL_FILE_BYTES else "large", NEW_USERS)
