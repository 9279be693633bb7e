"""Where this server takes files that come with a ticket, as the bucket does in the cloud: no function sees them.

It answers as S3 does: 204, or an XML error with the code that S3 has for it.
"""

import asyncio
import hashlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from groundwire.domain.errors import NotFound
from groundwire.entry.gateway.form_data import FormData, MalformedForm
from groundwire.entry.gateway.responses import Response

if TYPE_CHECKING:
    from starlette.types import Receive

    from groundwire.ports import Clock
    from groundwire.ports.upload_addresses import Inbox, SealedForms, UploadTerms

Arrive = Callable[[str, str, str, float, Callable[[], bytes]], object]
"""A file has come: tenant, ticket, a name of its content, when it was whole, and how to read it."""

PREFIX: Final = "/upload/"
PIECE_TIMEOUT_S: Final = 30.0
"""From one piece of a file to the next."""
_MAX_DRAINED_BYTES: Final = 32 * 1024 * 1024
_TAKEN: Final = Response(HTTPStatus.NO_CONTENT, (), b"")

_log = logging.getLogger(__name__)


class Refused(Exception):
    """The form, or the file, is not what was agreed; `code` is one of S3's."""

    def __init__(self, status: HTTPStatus, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code

    def response(self) -> Response:
        """In the form of S3."""
        body = f"<Error><Code>{escape(self.code)}</Code><Message>{escape(str(self))}</Message></Error>"
        return Response(self.status, (("content-type", "application/xml"),), body.encode())


class UploadDoor:
    """Takes files, and hands them on in the background, one after the other.

    What was taken is kept until it was handed on: after a crash it is with the next start.
    """

    def __init__(self, forms: "SealedForms", inbox: "Inbox", arrive: Arrive, clock: "Clock") -> None:
        self._forms = forms
        self._inbox = inbox
        self._arrive = arrive
        self._clock = clock
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

    async def answer(self, path: str, content_type: str, receive: "Receive") -> Response:
        """The answer to a form that was sent."""
        pieces = _pieces(receive)
        try:
            terms = await self._take(path.removeprefix(PREFIX), content_type, pieces)
        except Refused as refused:
            await _drain(pieces)
            return refused.response()
        except MalformedForm as problem:
            await _drain(pieces)
            return Refused(HTTPStatus.BAD_REQUEST, "MalformedPOSTRequest", str(problem)).response()
        self._hand_on(terms.tenant, terms.ticket, self._clock())
        return _TAKEN

    async def _take(self, ticket: str, content_type: str, pieces: AsyncIterator[bytes]) -> "UploadTerms":
        form = FormData(content_type)
        first = b""
        async for piece in pieces:
            first = form.feed(piece)
            if form.in_file:
                break
        if not form.in_file:
            raise MalformedForm("The form holds no file, or it was cut off before it.")
        terms = self._agreed(ticket, form)
        async with _aside(self._inbox.writing(terms.tenant, ticket)) as file:
            await _copy(form, first, pieces, terms, file)
        return terms

    def _agreed(self, ticket: str, form: FormData) -> "UploadTerms":
        terms = self._forms.terms(ticket, form.fields)
        if terms is None:
            raise Refused(HTTPStatus.FORBIDDEN, "AccessDenied", "The fields are not those of a ticket.")
        if terms.ends_at <= self._clock():
            raise Refused(HTTPStatus.FORBIDDEN, "AccessDenied", "The ticket has ended: ask for another.")
        return terms

    def _hand_on(self, tenant: str, ticket: str, at: float) -> None:
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


async def _copy(
    form: FormData, first: bytes, pieces: AsyncIterator[bytes], terms: "UploadTerms", file: IO[bytes]
) -> None:
    """All of the file is written, and is what was agreed; Raises Refused."""
    digest, size = hashlib.sha256(first), len(first)
    file.write(first)
    while not form.ended:
        piece = await anext(pieces, None)
        if piece is None:
            raise Refused(HTTPStatus.BAD_REQUEST, "IncompleteBody", "The form ended before the file did.")
        content = form.feed(piece)
        size += len(content)
        if size > terms.size:
            raise Refused(HTTPStatus.BAD_REQUEST, "EntityTooLarge", f"The file has more than {terms.size} bytes.")
        digest.update(content)
        file.write(content)
    if size > terms.size:
        raise Refused(HTTPStatus.BAD_REQUEST, "EntityTooLarge", f"The file has more than {terms.size} bytes.")
    if size < terms.size:
        raise Refused(HTTPStatus.BAD_REQUEST, "EntityTooSmall", f"The file has fewer than {terms.size} bytes.")
    if digest.hexdigest() != terms.sha256:
        raise Refused(HTTPStatus.BAD_REQUEST, "BadDigest", "The content is not that of which the ticket speaks.")


async def _pieces(receive: "Receive") -> AsyncGenerator[bytes]:
    """The body as it comes; it ends early when the sender is gone or dawdles."""
    more = True
    while more:
        try:
            async with asyncio.timeout(PIECE_TIMEOUT_S):
                message = await receive()
        except TimeoutError:
            return
        if message["type"] == "http.disconnect":
            return
        yield message.get("body", b"")
        more = bool(message.get("more_body", False))


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """A sender that is cut off in the middle of its body sees a broken connection instead of the answer."""
    drained = 0
    async for piece in pieces:
        drained += len(piece)
        if drained > _MAX_DRAINED_BYTES:
            return


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
