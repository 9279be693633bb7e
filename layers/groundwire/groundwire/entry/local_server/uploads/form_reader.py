"""Reading of one upload form: first the ticket, then the file."""

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

_NO_TICKET: Final = "The fields of the form are not those of the ticket."


@dataclass(frozen=True, slots=True)
class UploadContext:
    """Ports and functions that an upload form is checked with.

    Attributes:
        is_unused: tells for tenant and ticket whether no file has been uploaded with the ticket.
    """

    forms: "SealedUploadForms"
    inbox: "UploadInbox"
    is_unused: Callable[[str, str], bool]
    clock: "Clock"


@dataclass(slots=True)
class ReceivedForm:
    """A form sent to a ticket's address; `terms` is set once the ticket is opened."""

    ticket: str
    terms: "UploadTerms | None" = None


class FormReader:
    """Reader of one form: `read_terms` until its ticket is known, then `store_file` to the end."""

    def __init__(self, received: ReceivedForm, content_type: str, context: UploadContext) -> None:
        """Create the reader.

        Raises:
            MalformedFormError: the content type is not that of a form.
        """
        self._received = received
        self._context = context
        self._form = MultipartFormParser(content_type, FORM_FIELDS, self._read_field)
        self._first_content = b""

    async def read_terms(self, body: "FormBody") -> "UploadTerms":
        """Return the terms of the form's ticket; reads no further than to the start of the file.

        Raises:
            UploadError: there is no valid ticket, or it has expired or was used.
            MalformedFormError: the form is malformed.
            SlowSenderError: the form arrives too slowly.
            Unavailable: the ticket's state cannot be read.
        """
        async for chunk in body:
            self._first_content = self._form.feed(chunk)
            if self._received.terms is not None or self._form.is_in_file:
                break
        terms = self._received.terms
        if terms is None:
            raise access_denied(_NO_TICKET) if self._form.is_in_file else _no_file()
        if terms.expires_at <= self._context.clock():
            raise access_denied("The ticket has expired: create another one.")
        await asyncio.to_thread(self._refuse_used, terms)
        return terms

    async def store_file(self, body: "FormBody") -> None:
        """Read to the end of the form and store the file; after an error nothing is stored.

        Raises:
            UploadError: the fields or the file are not what the ticket allows.
            MalformedFormError: the form is malformed.
            SlowSenderError: the form arrives too slowly.
            Unavailable: the file cannot be stored.
            Conflict: another form with this ticket was faster.
        """
        while not self._form.is_in_file:
            chunk = await anext(body, None)
            if chunk is None:
                raise _no_file()
            self._first_content = self._form.feed(chunk)
        body.start_file()
        terms = self._context.forms.verify_fields(self._received.ticket, self._form.fields)
        if terms is None:
            raise access_denied(_NO_TICKET)
        async with _closed_on_thread(self._context.inbox.open_writer(terms.tenant, terms.ticket)) as file:
            await self._copy(terms, body, file)
        await asyncio.to_thread(self._refuse_duplicate, terms)

    def _read_field(self, name: str, value: str) -> None:
        """Open the ticket as soon as its field is complete; without a ticket no further field is stored."""
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
        """Remove the file if another one was uploaded and processed in the meantime."""
        if not self._context.is_unused(terms.tenant, terms.ticket):
            self._context.inbox.remove(terms.tenant, terms.ticket)
            raise ticket_used()

    async def _copy(self, terms: "UploadTerms", body: "FormBody", file: IO[bytes]) -> None:
        """Write the file and read the form to its end.

        Raises:
            UploadError: the file is not what the ticket allows.
        """
        digest, size = hashlib.sha256(self._first_content), len(self._first_content)
        file.write(self._first_content)
        async for chunk in body:
            content = self._form.feed(chunk)
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
            raise bad_request("BadDigest", "The content of the file does not match the ticket.")


def _no_file() -> MalformedFormError:
    return MalformedFormError("The form contains no file, or it ended before the file.")


@asynccontextmanager
async def _closed_on_thread(manager: AbstractContextManager[IO[bytes]]) -> AsyncGenerator[IO[bytes]]:
    """Yield the file and finish its writing on a thread, so that no other call waits for the disk."""
    file = manager.__enter__()
    try:
        yield file
    # A cancelled call, too, must remove its unfinished file.
    except BaseException as error:
        manager.__exit__(type(error), error, error.__traceback__)
        raise
    await asyncio.to_thread(manager.__exit__, None, None, None)
