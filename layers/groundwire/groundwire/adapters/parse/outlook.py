"""Outlook's mails ([MS-OXMSG], version 16): the properties of a message, its body, its files and the mails within."""

import email.policy
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from groundwire.adapters.parse import html, mail, plain_text
from groundwire.adapters.parse.attachments import Carried, with_attachments
from groundwire.adapters.parse.compound import Compound
from groundwire.adapters.parse.compressed_rtf import decompressed
from groundwire.adapters.parse.contents import Contents
from groundwire.adapters.parse.encoding import text_of
from groundwire.adapters.parse.formats import RTF
from groundwire.adapters.parse.library import extract
from groundwire.adapters.parse.nodes import blocks_of
from groundwire.domain.documents import Block
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.text import normalise

_SUBJECT, _SENDER, _ADDRESS, _TO, _CC = "0037", "0C1A", "5D01", "0E04", "0E03"
_BODY, _HTML, _RTF = "1000", "1013", "1009"
_NAME, _SHORT_NAME, _CONTENT, _CONTENT_ID, _MEDIA_TYPE = "3707", "3704", "3701", "3712", "370E"
_SENT: Final = 0x00390040
_HIDDEN: Final = 0x7FFE000B
_ATTACHMENT: Final = "__attach_version1.0_#"
_PROPERTY: Final = "__substg1.0_"
_FIXED: Final = "__properties_version1.0"
_FIXED_ENTRY: Final = struct.Struct("<I4xQ")
_FIXED_STARTS: Final = (32, 24, 8)
"""Where the entries begin: in a message, in one within another, in an attachment."""
_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)
_DEEPEST: Final = 8


@dataclass(frozen=True, slots=True)
class _Storage:
    """A message or an attachment: what lies in one storage of the file."""

    file: Compound
    members: Mapping[str, int]
    depth: int

    @classmethod
    def at(cls, file: Compound, number: int, depth: int) -> "_Storage":
        """Raises DocumentRefused for mails within mails without end."""
        if depth > _DEEPEST:
            raise DocumentRefused("it is nested too deeply")
        return cls(file, file.members(number), depth)

    def text(self, name: str) -> str:
        """A text property; empty when it is not there."""
        if (number := self.members.get(f"{_PROPERTY}{name}001F")) is not None:
            return self.file.stream(number).decode("utf-16-le", errors="replace").rstrip("\0")
        number = self.members.get(f"{_PROPERTY}{name}001E")
        return "" if number is None else text_of(self.file.stream(number).rstrip(b"\0"))

    def bytes(self, name: str) -> bytes:
        """A binary property; empty when it is not there."""
        number = self.members.get(f"{_PROPERTY}{name}0102")
        return b"" if number is None else self.file.stream(number)

    def fixed(self, tag: int, start: int) -> int | None:
        """A property of fixed length."""
        number = self.members.get(_FIXED)
        entries = b"" if number is None else self.file.stream(number)[start:]
        whole = entries[: len(entries) // _FIXED_ENTRY.size * _FIXED_ENTRY.size]
        return next((value for found, value in _FIXED_ENTRY.iter_unpack(whole) if found == tag), None)


def read(content: bytes) -> Contents:
    """The mail; one within it is an attachment.

    Raises:
        DocumentRefused: damaged, or nested too deeply.
    """
    file = Compound(content)
    message = _Storage.at(file, Compound.root, 0)
    headers = _headers(message, _FIXED_STARTS[0])
    contents = Contents(mail.heads(headers) + _body(message), headers.get("Subject"), facts=mail.facts(headers))
    return with_attachments(contents, list(_carried(message)))


def _headers(message: _Storage, start: int) -> dict[str, str]:
    name, address = message.text(_SENDER), message.text(_ADDRESS)
    sender = f"{name} <{address}>" if address and address != name else name
    found = {
        "Subject": message.text(_SUBJECT),
        "From": sender,
        "To": message.text(_TO),
        "Cc": message.text(_CC),
        "Date": _sent(message.fixed(_SENT, start)),
    }
    return {header: text for header, text in found.items() if text}


def _sent(intervals: int | None) -> str:
    """The time, counted in tenths of microseconds since 1601, as mails write it."""
    try:
        return "" if intervals is None else format_datetime(_EPOCH + timedelta(microseconds=intervals // 10))
    except OverflowError:
        return ""


def _body(message: _Storage) -> list[Block]:
    if (text := message.text(_BODY)).strip():
        return plain_text.paragraphs(text)
    if page := message.bytes(_HTML):
        return html.read(page).blocks
    rich = decompressed(message.bytes(_RTF))
    return blocks_of(extract(rich, RTF), RTF) if rich else []


def _carried(message: _Storage) -> Iterator[Carried]:
    for name, number in sorted(message.members.items()):
        if name.startswith(_ATTACHMENT) and message.file.is_storage(number):
            yield from _file(_Storage.at(message.file, number, message.depth + 1))


def _file(attachment: _Storage) -> Iterator[Carried]:
    """The attached file; not what belongs to the message itself, such as its pictures."""
    name = attachment.text(_NAME) or attachment.text(_SHORT_NAME)
    inner = attachment.members.get(f"{_PROPERTY}{_CONTENT}000D")
    is_inline = bool(attachment.text(_CONTENT_ID)) and attachment.text(_MEDIA_TYPE).startswith("image/")
    if inner is not None:
        message = _Storage.at(attachment.file, inner, attachment.depth + 1)
        yield Carried(f"{message.text(_SUBJECT) or 'message'}.eml", _as_mail(message))
    elif not is_inline and not (attachment.fixed(_HIDDEN, _FIXED_STARTS[2]) or 0) & 1:
        yield Carried(name or "attachment", attachment.bytes(_CONTENT))


def _as_mail(message: _Storage) -> bytes:
    """A mail within a mail in the form that it would have as a file of its own."""
    made = EmailMessage(policy=email.policy.SMTP)
    for header, text in _headers(message, _FIXED_STARTS[1]).items():
        with suppress(*mail.MALFORMED):
            made[header] = normalise(text)
    body = "\n\n".join(block.text for block in _body(message))
    made.set_content(body)
    for file in _carried(message):
        made.add_attachment(file.content, "application", "octet-stream", filename=normalise(file.name))
    return made.as_bytes()
