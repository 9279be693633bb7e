"""One upload form, from its first field to the kept file: the ticket is opened before anything else counts."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from groundwire.entry.local_server.uploads.errors import access_denied, bad_request, file_too_large, ticket_used
from groundwire.entry.local_server.uploads.multipart_parser import MalformedFormError, MultipartFormParser
from groundwire.ports.uploads import FORM_FIELDS, SEALED_FIELD

if TYPE_CHECKING:
    from groundwire.entry.local_server.uploads.form_body import FormBody
    from groundwire.ports import Clock
    from groundwire.ports.uploads import SealedUploadForms, UploadInbox, UploadTerms

_NO_TICKET: Final = "The fields are not those of a ticket."


@dataclass(frozen=True, slots=True)
class UploadContext:
    """Tickets as the server knows them: their terms, and which of them were used.

    Attributes:
        is_unused: tells for tenant and ticket whether no file has come with it.
    """

    forms: "SealedUploadForms"
    inbox: "UploadInbox"
    is_unused: Callable[[str, str], bool]
    clock: "Clock"


@dataclass(slots=True)
class ReceivedForm:
    """A form that somebody sends to the address of a ticket; `terms` are those of its own, once that was opened."""

    ticket: str
    terms: "UploadTerms | None" = None


class FormReader:
    """Reads one form: `read_terms` until its ticket is known, then `store_file` to the end."""

    def __init__(self, received: ReceivedForm, content_type: str, context: UploadContext) -> None:
        """Read more of the form; Raises MalformedForm."""
        self._received = received
        self._context = context
        self._form = MultipartFormParser(content_type, FORM_FIELDS, self._read_field)
        self._first_content = b""

    async def read_terms(self, body: "FormBody") -> "UploadTerms":
        """Returns the terms of the form's ticket; reads no further than to the begin of the file.

        Raises:
            Refused, MalformedForm, SlowSender, Unavailable: the form ends here.
        """
        async for piece in body:
            self._first_content = self._form.feed(piece)
            if self._received.terms is not None or self._form.is_in_file:
                break
        terms = self._received.terms
        if terms is None:
            raise access_denied(_NO_TICKET) if self._form.is_in_file else _no_file()
        if terms.expires_at <= self._context.clock():
            raise access_denied("The ticket has ended: ask for another.")
        await asyncio.to_thread(self._refuse_used, terms)
        return terms

    async def store_file(self, body: "FormBody") -> None:
        """Reads to the end of the form, and keeps the file.

        Raises:
            Refused, MalformedForm, SlowSender, Unavailable: the form ends here, and nothing of it is kept.
            Conflict: another form with this ticket was faster.
        """
        while not self._form.is_in_file:
            piece = await anext(body, None)
            if piece is None:
                raise _no_file()
            self._first_content = self._form.feed(piece)
        body.start_file()
        terms = self._context.forms.verify_fields(self._received.ticket, self._form.fields)
        if terms is None:
            raise access_denied(_NO_TICKET)
        async with _closed_on_thread(self._context.inbox.open_writer(terms.tenant, terms.ticket)) as file:
            await self._copy(terms, body, file)
        await asyncio.to_thread(self._refuse_duplicate, terms)

    def _read_field(self, name: str, value: str) -> None:
        """Opens the ticket as soon as its field is complete; without a ticket nothing more is kept."""
        if name != SEALED_FIELD:
            return
        terms = self._context.forms.open_sealed(value)
        if terms is None or terms.ticket != self._received.ticket:
            raise access_denied(_NO_TICKET)
        self._received.terms = terms

    def _refuse_used(self, terms: "UploadTerms") -> None:
        tickets = self._context
        if tickets.inbox.contains(terms.tenant, terms.ticket) or not tickets.is_unused(terms.tenant, terms.ticket):
            raise ticket_used()

    def _refuse_duplicate(self, terms: "UploadTerms") -> None:
        """Removes the file again when another one came, and was read, while this one was sent."""
        if not self._context.is_unused(terms.tenant, terms.ticket):
            self._context.inbox.remove(terms.tenant, terms.ticket)
            raise ticket_used()

    async def _copy(self, terms: "UploadTerms", body: "FormBody", file: IO[bytes]) -> None:
        """Writes all of the file, and reads the form to its end.

        Raises:
            Refused: the file is not what was agreed.
        """
        digest, size = hashlib.sha256(self._first_content), len(self._first_content)
        file.write(self._first_content)
        async for piece in body:
            content = self._form.feed(piece)
            size += len(content)
            if size > terms.size:
                raise file_too_large(terms.size)
            digest.update(content)
            file.write(content)
        if not (self._form.is_complete and body.is_complete):
            raise bad_request("IncompleteBody", "The form ended before the file did.")
        if size > terms.size:
            raise file_too_large(terms.size)
        if size < terms.size:
            raise bad_request("EntityTooSmall", f"The file has fewer than {terms.size} bytes.")
        if digest.hexdigest() != terms.sha256:
            raise bad_request("BadDigest", "The content is not that of which the ticket speaks.")


def _no_file() -> MalformedFormError:
    return MalformedFormError("The form holds no file, or it was cut off before it.")


@asynccontextmanager
async def _closed_on_thread(manager: AbstractContextManager[IO[bytes]]) -> AsyncGenerator[IO[bytes]]:
    """The block's file, kept on a thread of its own: no other call waits for the disk."""
    file = manager.__enter__()
    try:
        yield file
    except BaseException as problem:
        manager.__exit__(type(problem), problem, problem.__traceback__)
        raise
    await asyncio.to_thread(manager.__exit__, None, None, None)
