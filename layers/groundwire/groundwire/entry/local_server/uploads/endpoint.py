"""Where this server takes files that come with a ticket, as the bucket does in the cloud: no function sees them.

It answers as S3 does: 204, or an XML error with the code that S3 has for it.
"""

import asyncio
import hashlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import Conflict, NotFound, Unavailable
from groundwire.domain.limits import MAX_CONCURRENT_UPLOAD_FORMS, MAX_DOCUMENT_BYTES, MAX_UPLOAD_FORM_FIELD_BYTES
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
from groundwire.protocol.transport.request_checks import is_foreign_origin

if TYPE_CHECKING:
    from starlette.types import Receive

    from groundwire.entry.gateway.responses import GatewayResponse
    from groundwire.ports import AuditLog, Clock
    from groundwire.ports.uploads import SealedUploadForms, UploadInbox, UploadTerms

OnUpload = Callable[[str, str, str, float, Callable[[], bytes]], object]
"""A file has come: tenant, ticket, a name of its content, when it was whole, and how to read it."""

PATH_PREFIX: Final = "/upload/"
_ROUTE: Final = f"POST {PATH_PREFIX}{{ticket}}"

_log = logging.getLogger(__name__)


class UploadEndpoint:
    """Takes files, and hands them on in the background, one after the other.

    What was taken is kept until it was handed on: after a crash it is with the next start.
    """

    def __init__(
        self,
        forms: "SealedUploadForms",
        inbox: "UploadInbox",
        on_upload: OnUpload,
        clock: "Clock",
        is_unused: Callable[[str, str], bool],
        audit: "AuditLog",
        allowed_origins: frozenset[str],
    ) -> None:
        """Makes the door.

        Args:
            forms: seals and opens what was agreed.
            inbox: keeps files until they were handed on.
            on_upload: takes each file.
            clock: tells when a ticket ends, and a file is whole.
            is_unused: tells for tenant and ticket whether no file has come with it.
            audit: gets a line of each form.
            allowed_origins: values of `Origin` that may send forms; a request without one is no browser's.
        """
        self._context = UploadContext(forms, inbox, is_unused, clock)
        self._inbox = inbox
        self._on_upload = on_upload
        self._clock = clock
        self._audit = audit
        self._allowed_origins = allowed_origins
        self._open_forms = Counter[str]()
        self._worker = ThreadPoolExecutor(1, "groundwire-uploads")

    def matches(self, method: str, path: str) -> bool:
        """Whether the request is for this door."""
        return method == "POST" and path.startswith(PATH_PREFIX) and "/" not in path.removeprefix(PATH_PREFIX)

    def resume(self) -> None:
        """What an earlier process left is handed on."""
        for tenant, ticket, at in self._inbox.list_pending():
            self._enqueue(tenant, ticket, at)

    def close(self) -> None:
        """The file that is being read is waited for; the others wait for the next start."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    async def answer(self, path: str, headers: Mapping[str, str], receive: "Receive") -> "GatewayResponse":
        """Answers a form that was sent, after its audit line; `headers` by lower-case name."""
        started = time.perf_counter()
        body = FormBody(receive)
        sent = ReceivedForm(path.removeprefix(PATH_PREFIX))
        refused = await self._receive_file(sent, headers, body)
        try:
            await asyncio.to_thread(self._record, sent.terms, refused, started)
        except Unavailable as problem:
            refused = await self._discard_unrecorded(sent.terms, refused, problem)
        if refused is not None:
            # A sender that waits for 100 Continue sends nothing after this answer.
            expects = headers.get("expect", "").lower() == "100-continue" and not body.has_started
            return refused.to_response(closes_connection=expects or not await body.drain())
        if sent.terms is not None:
            self._enqueue(sent.terms.tenant, sent.terms.ticket, self._clock())
        return STORED

    async def _receive_file(self, sent: ReceivedForm, headers: Mapping[str, str], body: FormBody) -> UploadError | None:
        """Takes the file, or tells why not."""
        try:
            self._check_head(headers)
            form = FormReader(sent, headers.get("content-type", ""), self._context)
            terms = await form.read_terms(body)
            with self._form_slot(terms.tenant):
                await form.store_file(body)
        except UploadError as refused:
            return refused
        except MalformedFormError as problem:
            return malformed_form(str(problem))
        except SlowSenderError:
            return upload_too_slow()
        except Conflict:
            return ticket_used()
        except Unavailable as problem:
            _log.error("an uploaded file could not be kept: %s", problem)
            return upload_unavailable(problem)
        return None

    def _check_head(self, headers: Mapping[str, str]) -> None:
        if is_foreign_origin(headers.get("origin"), self._allowed_origins):
            raise access_denied("This Origin may not call this server.")
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > MAX_DOCUMENT_BYTES + MAX_UPLOAD_FORM_FIELD_BYTES:
            raise file_too_large(MAX_DOCUMENT_BYTES)

    @contextmanager
    def _form_slot(self, tenant: str) -> Generator[None]:
        """Bound the forms with a good ticket that are read at a time; one tenant has at most half of the places.

        A sender without a ticket takes no place: strangers could keep all of them.
        """
        if (
            self._open_forms.total() >= MAX_CONCURRENT_UPLOAD_FORMS
            or self._open_forms[tenant] >= MAX_CONCURRENT_UPLOAD_FORMS // 2
        ):
            raise too_many_uploads()
        self._open_forms[tenant] += 1
        try:
            yield
        finally:
            self._open_forms[tenant] -= 1
            if not self._open_forms[tenant]:
                del self._open_forms[tenant]

    def _record(self, terms: "UploadTerms | None", refused: UploadError | None, started: float) -> None:
        """Writes the line of a form: small, and nothing in it that its sender wrote."""
        known = {} if terms is None else {"tenant": terms.tenant, "ticket": terms.ticket}
        answer = {
            "outcome": "answered" if refused is None else refused.code,
            "status": STORED.status if refused is None else refused.status.value,
            "bytes": 0 if refused is None else len(refused.body),
        }
        took = {"duration_ms": round((time.perf_counter() - started) * 1000, 3), "trace": trace_id()}
        self._audit.append({"time": self._clock(), **known, "route": _ROUTE, **answer, **took})

    async def _discard_unrecorded(
        self, terms: "UploadTerms | None", refused: UploadError | None, problem: Unavailable
    ) -> UploadError:
        """Removes a file that has no line."""
        _log.error("an upload form could not be recorded: %s", problem)
        if refused is None and terms is not None:
            await asyncio.to_thread(self._inbox.remove, terms.tenant, terms.ticket)
        return upload_unavailable(problem)

    def _enqueue(self, tenant: str, ticket: str, at: float) -> None:
        # After `close` the file waits for the next start.
        with suppress(RuntimeError):
            self._worker.submit(self._process, tenant, ticket, at)

    def _process(self, tenant: str, ticket: str, at: float) -> None:
        try:
            content = self._inbox.read(tenant, ticket)
            self._on_upload(tenant, ticket, hashlib.sha256(content).hexdigest(), at, lambda: content)
            self._inbox.remove(tenant, ticket)
        except NotFound:
            # Its tenant is gone: nobody will ever want it.
            self._inbox.remove(tenant, ticket)
        except Exception:  # noqa: BLE001 - it stays where it is: the next start tries again
            _log.exception("an uploaded file could not be brought in")
