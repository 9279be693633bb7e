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
from groundwire.domain.limits import MAX_DOCUMENT_BYTES, MAX_FORM_BYTES, MAX_FORMS
from groundwire.entry.gateway.form_body import FormBody, SlowSender
from groundwire.entry.gateway.form_data import MalformedForm
from groundwire.entry.gateway.form_reading import FormReading, SentForm, Tickets
from groundwire.entry.gateway.upload_refusals import (
    TAKEN,
    Refused,
    denied,
    malformed,
    too_large,
    too_many,
    too_slow,
    unavailable,
    used,
)
from groundwire.entry.telemetry import trace_id
from groundwire.protocol.screening import is_foreign

if TYPE_CHECKING:
    from starlette.types import Receive

    from groundwire.entry.gateway.responses import Response
    from groundwire.ports import Audit, Clock
    from groundwire.ports.upload_addresses import Inbox, SealedForms, UploadTerms

Arrive = Callable[[str, str, str, float, Callable[[], bytes]], object]
"""A file has come: tenant, ticket, a name of its content, when it was whole, and how to read it."""

PREFIX: Final = "/upload/"
_ROUTE: Final = f"POST {PREFIX}{{ticket}}"

_log = logging.getLogger(__name__)


class UploadDoor:
    """Takes files, and hands them on in the background, one after the other.

    What was taken is kept until it was handed on: after a crash it is with the next start.
    """

    def __init__(
        self,
        forms: "SealedForms",
        inbox: "Inbox",
        arrive: Arrive,
        clock: "Clock",
        awaits: Callable[[str, str], bool],
        audit: "Audit",
        allowed_origins: frozenset[str],
    ) -> None:
        """Makes the door.

        Args:
            forms: seals and opens what was agreed.
            inbox: keeps files until they were handed on.
            arrive: takes each file.
            clock: tells when a ticket ends, and a file is whole.
            awaits: tells for tenant and ticket whether no file has come with it.
            audit: gets a line of each form.
            allowed_origins: values of `Origin` that may send forms; a request without one is no browser's.
        """
        self._tickets = Tickets(forms, inbox, awaits, clock)
        self._inbox = inbox
        self._arrive = arrive
        self._clock = clock
        self._audit = audit
        self._allowed_origins = allowed_origins
        self._open = Counter[str]()
        self._worker = ThreadPoolExecutor(1, "groundwire-uploads")

    def takes(self, method: str, path: str) -> bool:
        """Whether the request is for this door."""
        return method == "POST" and path.startswith(PREFIX) and "/" not in path.removeprefix(PREFIX)

    def resume(self) -> None:
        """What an earlier process left is handed on."""
        for tenant, ticket, at in self._inbox.waiting():
            self._hand_on(tenant, ticket, at)

    def close(self) -> None:
        """The file that is being read is waited for; the others wait for the next start."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    async def answer(self, path: str, headers: Mapping[str, str], receive: "Receive") -> "Response":
        """Answers a form that was sent, after its audit line; `headers` by lower-case name."""
        started = time.perf_counter()
        body = FormBody(receive)
        sent = SentForm(path.removeprefix(PREFIX))
        refused = await self._refusal(sent, headers, body)
        try:
            await asyncio.to_thread(self._record, sent.terms, refused, started)
        except Unavailable as problem:
            refused = await self._unrecorded(sent.terms, refused, problem)
        if refused is not None:
            # A sender that waits for 100 Continue sends nothing after this answer.
            expects = headers.get("expect", "").lower() == "100-continue" and not body.begun
            return refused.response(closing=expects or not await body.drain())
        if sent.terms is not None:
            self._hand_on(sent.terms.tenant, sent.terms.ticket, self._clock())
        return TAKEN

    async def _refusal(self, sent: SentForm, headers: Mapping[str, str], body: FormBody) -> Refused | None:
        """Takes the file, or tells why not."""
        try:
            self._check_head(headers)
            form = FormReading(sent, headers.get("content-type", ""), self._tickets)
            terms = await form.open(body)
            with self._place(terms.tenant):
                await form.take(body)
        except Refused as refused:
            return refused
        except MalformedForm as problem:
            return malformed(str(problem))
        except SlowSender:
            return too_slow()
        except Conflict:
            return used()
        except Unavailable as problem:
            _log.error("an uploaded file could not be kept: %s", problem)
            return unavailable(problem)
        return None

    def _check_head(self, headers: Mapping[str, str]) -> None:
        if is_foreign(headers.get("origin"), self._allowed_origins):
            raise denied("This Origin may not call this server.")
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > MAX_DOCUMENT_BYTES + MAX_FORM_BYTES:
            raise too_large(MAX_DOCUMENT_BYTES)

    @contextmanager
    def _place(self, tenant: str) -> Generator[None]:
        """Bound the forms with a good ticket that are read at a time; one tenant has at most half of the places.

        A sender without a ticket takes no place: strangers could keep all of them.
        """
        if self._open.total() >= MAX_FORMS or self._open[tenant] >= MAX_FORMS // 2:
            raise too_many()
        self._open[tenant] += 1
        try:
            yield
        finally:
            self._open[tenant] -= 1
            if not self._open[tenant]:
                del self._open[tenant]

    def _record(self, terms: "UploadTerms | None", refused: Refused | None, started: float) -> None:
        """Writes the line of a form: small, and nothing in it that its sender wrote."""
        known = {} if terms is None else {"tenant": terms.tenant, "ticket": terms.ticket}
        answer = {
            "outcome": "answered" if refused is None else refused.code,
            "status": TAKEN.status if refused is None else refused.status.value,
            "bytes": 0 if refused is None else len(refused.body),
        }
        took = {"duration_ms": round((time.perf_counter() - started) * 1000, 3), "trace": trace_id()}
        self._audit.append({"time": self._clock(), **known, "route": _ROUTE, **answer, **took})

    async def _unrecorded(self, terms: "UploadTerms | None", refused: Refused | None, problem: Unavailable) -> Refused:
        """Removes a file that has no line."""
        _log.error("an upload form could not be recorded: %s", problem)
        if refused is None and terms is not None:
            await asyncio.to_thread(self._inbox.remove, terms.tenant, terms.ticket)
        return unavailable(problem)

    def _hand_on(self, tenant: str, ticket: str, at: float) -> None:
        # After `close` the file waits for the next start.
        with suppress(RuntimeError):
            self._worker.submit(self._handed_on, tenant, ticket, at)

    def _handed_on(self, tenant: str, ticket: str, at: float) -> None:
        try:
            content = self._inbox.read(tenant, ticket)
            self._arrive(tenant, ticket, hashlib.sha256(content).hexdigest(), at, lambda: content)
            self._inbox.remove(tenant, ticket)
        except NotFound:
            # Its tenant is gone: nobody will ever want it.
            self._inbox.remove(tenant, ticket)
        except Exception:  # noqa: BLE001 - it stays where it is: the next start tries again
            _log.exception("an uploaded file could not be brought in")
