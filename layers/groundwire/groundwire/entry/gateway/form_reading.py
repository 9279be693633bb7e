"""One upload form, from its first field to the kept file: the ticket is opened before anything else counts."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from groundwire.entry.gateway.form_data import FormData, MalformedForm
from groundwire.entry.gateway.upload_refusals import denied, too_large, used, wrong
from groundwire.ports.upload_addresses import FORM_FIELDS, SEALED_FIELD

if TYPE_CHECKING:
    from groundwire.entry.gateway.form_body import FormBody
    from groundwire.ports import Clock
    from groundwire.ports.upload_addresses import Inbox, SealedForms, UploadTerms

_NO_TICKET: Final = "The fields are not those of a ticket."


@dataclass(frozen=True, slots=True)
class Tickets:
    """Tickets as the server knows them: their terms, and which of them were used.

    Attributes:
        awaits: tells for tenant and ticket whether no file has come with it.
    """

    forms: "SealedForms"
    inbox: "Inbox"
    awaits: Callable[[str, str], bool]
    clock: "Clock"


@dataclass(slots=True)
class SentForm:
    """A form that somebody sends to the address of a ticket; `terms` are those of its own, once that was opened."""

    ticket: str
    terms: "UploadTerms | None" = None


class FormReading:
    """Reads one form: `open` until its ticket is known, then `take` to the end."""

    def __init__(self, sent: SentForm, content_type: str, tickets: Tickets) -> None:
        """Read more of the form; Raises MalformedForm."""
        self._sent = sent
        self._tickets = tickets
        self._form = FormData(content_type, FORM_FIELDS, self._read_field)
        self._first = b""

    async def open(self, body: "FormBody") -> "UploadTerms":
        """Returns the terms of the form's ticket; reads no further than to the begin of the file.

        Raises:
            Refused, MalformedForm, SlowSender, Unavailable: the form ends here.
        """
        async for piece in body:
            self._first = self._form.feed(piece)
            if self._sent.terms is not None or self._form.in_file:
                break
        terms = self._sent.terms
        if terms is None:
            raise denied(_NO_TICKET) if self._form.in_file else _no_file()
        if terms.ends_at <= self._tickets.clock():
            raise denied("The ticket has ended: ask for another.")
        await asyncio.to_thread(self._refuse_used, terms)
        return terms

    async def take(self, body: "FormBody") -> None:
        """Reads to the end of the form, and keeps the file.

        Raises:
            Refused, MalformedForm, SlowSender, Unavailable: the form ends here, and nothing of it is kept.
            Conflict: another form with this ticket was faster.
        """
        while not self._form.in_file:
            piece = await anext(body, None)
            if piece is None:
                raise _no_file()
            self._first = self._form.feed(piece)
        body.begin_file()
        terms = self._tickets.forms.terms(self._sent.ticket, self._form.fields)
        if terms is None:
            raise denied(_NO_TICKET)
        async with _aside(self._tickets.inbox.writing(terms.tenant, terms.ticket)) as file:
            await self._copy(terms, body, file)
        await asyncio.to_thread(self._refuse_late, terms)

    def _read_field(self, name: str, value: str) -> None:
        """Opens the ticket as soon as its field is complete; without a ticket nothing more is kept."""
        if name != SEALED_FIELD:
            return
        terms = self._tickets.forms.opened(value)
        if terms is None or terms.ticket != self._sent.ticket:
            raise denied(_NO_TICKET)
        self._sent.terms = terms

    def _refuse_used(self, terms: "UploadTerms") -> None:
        tickets = self._tickets
        if tickets.inbox.holds(terms.tenant, terms.ticket) or not tickets.awaits(terms.tenant, terms.ticket):
            raise used()

    def _refuse_late(self, terms: "UploadTerms") -> None:
        """Removes the file again when another one came, and was read, while this one was sent."""
        if not self._tickets.awaits(terms.tenant, terms.ticket):
            self._tickets.inbox.remove(terms.tenant, terms.ticket)
            raise used()

    async def _copy(self, terms: "UploadTerms", body: "FormBody", file: IO[bytes]) -> None:
        """Writes all of the file, and reads the form to its end.

        Raises:
            Refused: the file is not what was agreed.
        """
        digest, size = hashlib.sha256(self._first), len(self._first)
        file.write(self._first)
        async for piece in body:
            content = self._form.feed(piece)
            size += len(content)
            if size > terms.size:
                raise too_large(terms.size)
            digest.update(content)
            file.write(content)
        if not (self._form.ended and body.whole):
            raise wrong("IncompleteBody", "The form ended before the file did.")
        if size > terms.size:
            raise too_large(terms.size)
        if size < terms.size:
            raise wrong("EntityTooSmall", f"The file has fewer than {terms.size} bytes.")
        if digest.hexdigest() != terms.sha256:
            raise wrong("BadDigest", "The content is not that of which the ticket speaks.")


def _no_file() -> MalformedForm:
    return MalformedForm("The form holds no file, or it was cut off before it.")


@asynccontextmanager
async def _aside(manager: AbstractContextManager[IO[bytes]]) -> AsyncGenerator[IO[bytes]]:
    """The block's file, kept on a thread of its own: no other call waits for the disk."""
    file = manager.__enter__()
    try:
        yield file
    except BaseException as problem:
        manager.__exit__(type(problem), problem, problem.__traceback__)
        raise
    await asyncio.to_thread(manager.__exit__, None, None, None)
