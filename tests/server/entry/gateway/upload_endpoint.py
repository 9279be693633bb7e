"""The upload endpoint behind the gateway, without a socket: forms are sent in parts, at times that a test chooses."""

import asyncio
import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from groundwire.adapters.codecs.aead import AesGcmSeal
from groundwire.adapters.local.uploads import FileUploadInbox, LocalUploadForms
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.fairness.work import FILES_AT_ONCE
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication, ServerParts
from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint
from groundwire.ports.uploads import UploadTerms
from groundwire_mcp.transport.origins import AllowedOrigins

FRIEND: Final = "https://app.example.com"
ORIGINS: Final = AllowedOrigins(frozenset({FRIEND}), allows_loopback=False)
NOW: Final = 500.0


@dataclass
class Lines:
    """An audit log; the first `failures` lines cannot be written."""

    failures: int = 0
    records: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])

    def append(self, record: Mapping[str, object]) -> None:
        if self.failures:
            self.failures -= 1
            raise Unavailable("The disk is full.")
        self.records.append(record)


def terms_of(ticket: str, content: bytes, tenant: str = "t_1", size: int | None = None) -> UploadTerms:
    """Return the terms of a ticket for this content."""
    return UploadTerms(
        tenant=tenant,
        ticket=ticket,
        path=f"handbook/.uploads/{ticket}/file",
        size=len(content) if size is None else size,
        content_type="text/markdown",
        sha256=hashlib.sha256(content).hexdigest(),
        expires_at=int(NOW) + 500,
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """Response and its time (seconds on the loop's clock)."""

    status: int
    headers: Mapping[str, str]
    text: str
    at: float

    @property
    def ends_connection(self) -> bool:
        return self.headers.get("connection") == "close"


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of a body, `after` so many seconds."""

    content: bytes
    after: float = 0.0


class Sender:
    """Sender of a body to the gateway; after a cancelled read, the next read returns the same part."""

    def __init__(self, pieces: Iterable[Piece], *, ends: bool) -> None:
        self._pieces = iter(pieces)
        self._ends = ends
        self._held = next(self._pieces, None)
        self._due: float | None = None
        self.sent = 0

    async def receive(self) -> dict[str, Any]:
        piece = self._held
        if piece is None and not self._ends:
            await asyncio.sleep(1e9)
        if piece is None:
            return {"type": "http.request", "body": b"", "more_body": False}
        loop = asyncio.get_running_loop()
        self._due = loop.time() + piece.after if self._due is None else self._due
        await asyncio.sleep(self._due - loop.time())
        self._held, self._due = next(self._pieces, None), None
        self.sent += len(piece.content)
        return {"type": "http.request", "body": piece.content, "more_body": self._held is not None or not self._ends}


class Door:
    """A gateway with the upload endpoint alone."""

    def __init__(self, folder: Path) -> None:
        self.inbox = FileUploadInbox(folder)
        self.forms = LocalUploadForms(AesGcmSeal(b"k" * 32), "http://localhost")
        self.audit = Lines()
        self.used: set[tuple[str, str]] = set()
        self.came: list[tuple[str, str]] = []
        self.door = UploadEndpoint(
            self.forms,
            self.inbox,
            self._arrive,
            lambda: NOW,
            is_unused=lambda tenant, ticket: (tenant, ticket) not in self.used,
            audit=self.audit,
            allowed_origins=ORIGINS,
        )
        parts = ServerParts(uploads=self.door, origins=ORIGINS)
        self.gateway = GatewayApplication(Dispatcher([]), HostAllowList("", []), parts=parts)

    def _arrive(self, tenant: str, ticket: str, version: str, at: float, read: Callable[[], bytes]) -> None:
        self.came.append((tenant, ticket))
        self.used.add((tenant, ticket))

    def reconcile(self) -> None:
        """Waits until every file that was taken is handed on."""
        while self.door._files._queue._root.pending:
            barrier = threading.Barrier(FILES_AT_ONCE)
            for each in [self.door._workers.submit(barrier.wait) for _ in range(FILES_AT_ONCE)]:
                each.result()

    def body(self, terms: UploadTerms, content: bytes, fields: Mapping[str, str] | None = None) -> bytes:
        """A whole form with the ticket's fields, or with others."""
        return form_head(self.forms.form(terms).fields if fields is None else fields) + content + FORM_END

    async def post(
        self,
        ticket: str,
        pieces: bytes | Iterable[Piece],
        headers: Mapping[str, str] | None = None,
        *,
        ends: bool = True,
    ) -> Answer:
        """Return the answer to the body; `ends` is whether the sender sends the end of it."""
        sent = [Piece(pieces)] if isinstance(pieces, bytes) else pieces
        return await self.answered(ticket, Sender(sent, ends=ends), headers or {})

    async def answered(self, ticket: str, sender: Sender, headers: Mapping[str, str]) -> Answer:
        reported = {"host": "localhost", "content-type": "multipart/form-data; boundary=b", **headers}
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": f"/upload/{ticket}",
            "raw_path": f"/upload/{ticket}".encode(),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in reported.items()],
        }
        messages: list[Any] = []

        async def send(message: Any) -> None:
            messages.append(message)

        await self.gateway(scope, sender.receive, send)
        start, body = messages
        answered = {name.decode(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], answered, body["body"].decode(), asyncio.get_running_loop().time())


FORM_END: Final = b"\r\n--b--\r\n"


def field_bytes(name: str, value: str) -> bytes:
    """One field of a form."""
    return f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()


def form_head(fields: Mapping[str, str]) -> bytes:
    """Everything before the content of the file."""
    parts = b"".join(field_bytes(name, value) for name, value in fields.items())
    return parts + b'--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
