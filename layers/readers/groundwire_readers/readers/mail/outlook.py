"""Reader of Outlook mails (.msg, [MS-OXMSG], version 16): properties, body, attached files and attached mails."""

import email.policy
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from groundwire_readers.containers.compound_file import CompoundFile
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import Block
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.formats import RTF
from groundwire_readers.readers.encodings.decoding import decode_text
from groundwire_readers.readers.html import page_reader
from groundwire_readers.readers.mail import eml
from groundwire_readers.readers.mail.attachments import AttachedFile, with_attachments
from groundwire_readers.readers.mail.body_text import blocks_of_body
from groundwire_readers.readers.text.rich_text import body_text, decompress_rtf
from groundwire_readers.readers.xberg.extraction import extract
from groundwire_readers.readers.xberg.nodes import blocks_of_nodes
from groundwire_readers.text.normalisation import normalise

_SUBJECT, _SENDER, _ADDRESS, _TO, _CC = "0037", "0C1A", "5D01", "0E04", "0E03"
_BODY, _HTML, _RTF = "1000", "1013", "1009"
_NAME, _SHORT_NAME, _CONTENT, _CONTENT_ID, _MEDIA_TYPE = "3707", "3704", "3701", "3712", "370E"
_SENT: Final = 0x00390040
_HIDDEN: Final = 0x7FFE000B
_ATTACHMENT: Final = "__attach_version1.0_#"
_PROPERTY: Final = "__substg1.0_"
_FIXED_PROPERTIES: Final = "__properties_version1.0"
_FIXED_ENTRY: Final = struct.Struct("<I4xQ")
_FIXED_STARTS: Final = (32, 24, 8)
"""Offsets of the first entry: in a message, in a message within another, in an attachment."""
_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)
_MAX_DEPTH: Final = 8


@dataclass(frozen=True, slots=True)
class _Storage:
    """A message or an attachment: one storage of the compound file."""

    file: CompoundFile
    members: Mapping[str, int]
    depth: int

    @classmethod
    def open(cls, file: CompoundFile, number: int, depth: int) -> "_Storage":
        """Return the storage of this number.

        Raises:
            UnreadableDocument: mails are nested too deeply.
        """
        if depth > _MAX_DEPTH:
            raise UnreadableDocument("it is nested too deeply")
        return cls(file, file.members(number), depth)

    def text(self, name: str) -> str:
        """Return a text property; empty when it is missing."""
        # Types of [MS-OXCDATA] 2.11.1: 001F is UTF-16, 001E is in the code page of the sender.
        if (number := self.members.get(f"{_PROPERTY}{name}001F")) is not None:
            return self.file.stream(number).decode("utf-16-le", errors="replace").rstrip("\0")
        number = self.members.get(f"{_PROPERTY}{name}001E")
        return "" if number is None else decode_text(self.file.stream(number).rstrip(b"\0"))

    def bytes(self, name: str) -> bytes:
        """Return a binary property; empty when it is missing."""
        number = self.members.get(f"{_PROPERTY}{name}0102")
        return b"" if number is None else self.file.stream(number)

    def fixed(self, tag: int, start: int) -> int | None:
        """Return a property of fixed length; None when it is missing."""
        number = self.members.get(_FIXED_PROPERTIES)
        entries = b"" if number is None else self.file.stream(number)[start:]
        whole = entries[: len(entries) // _FIXED_ENTRY.size * _FIXED_ENTRY.size]
        return next((value for found, value in _FIXED_ENTRY.iter_unpack(whole) if found == tag), None)


def read(content: bytes) -> Contents:
    """Return the mail's contents; a mail within it is an attachment.

    Raises:
        UnreadableDocument: damaged, or nested too deeply.
    """
    file = CompoundFile(content)
    message = _Storage.open(file, CompoundFile.root, 0)
    headers = _headers(message, _FIXED_STARTS[0])
    body = _body(message)
    contents = Contents(
        eml.header_blocks(headers) + body.blocks,
        headers.get("Subject"),
        properties=eml.header_properties(headers),
        defects=body.defects,
    )
    return with_attachments(contents, list(_attached_files(message)))


@dataclass(frozen=True, slots=True)
class OutlookImages:
    """The inline images of a message: its HTML, if it has one, and the image files by content id."""

    subject: str
    page: bytes
    blocks: list[Block]
    files: Mapping[str, bytes]


def read_images(content: bytes) -> OutlookImages:
    """Return the inline images of the message.

    Raises:
        UnreadableDocument: damaged, or nested too deeply.
    """
    file = CompoundFile(content)
    message = _Storage.open(file, CompoundFile.root, 0)
    files = dict(_inline_images(message))
    page = message.bytes(_HTML)
    return OutlookImages(message.text(_SUBJECT), page, [] if page or not files else _body(message).blocks, files)


def _inline_images(message: _Storage) -> Iterator[tuple[str, bytes]]:
    for name, number in sorted(message.members.items()):
        if name.startswith(_ATTACHMENT) and message.file.is_storage(number):
            attachment = _Storage.open(message.file, number, message.depth + 1)
            if _is_inline(attachment):
                yield attachment.text(_CONTENT_ID), attachment.bytes(_CONTENT)


def _is_inline(attachment: _Storage) -> bool:
    return bool(attachment.text(_CONTENT_ID)) and attachment.text(_MEDIA_TYPE).startswith("image/")


def _headers(message: _Storage, start: int) -> dict[str, str]:
    name, address = message.text(_SENDER), message.text(_ADDRESS)
    sender = f"{name} <{address}>" if address and address != name else name
    headers = {
        "Subject": message.text(_SUBJECT),
        "From": sender,
        "To": message.text(_TO),
        "Cc": message.text(_CC),
        "Date": _sent_date(message.fixed(_SENT, start)),
    }
    return {header: text for header, text in headers.items() if text}


def _sent_date(intervals: int | None) -> str:
    """Return the date in the form of a mail header; `intervals` counts units of 100 nanoseconds since 1601."""
    try:
        return "" if intervals is None else format_datetime(_EPOCH + timedelta(microseconds=intervals // 10))
    except OverflowError:
        return ""


def _body(message: _Storage) -> Contents:
    if (text := message.text(_BODY)).strip():
        return Contents(blocks_of_body(text))
    if source := message.bytes(_HTML):
        page = page_reader.parse_html(source, finds_headings=True)
        return Contents(page.blocks, defects=page.defects)
    rich = decompress_rtf(message.bytes(_RTF))
    return Contents(blocks_of_nodes(extract(body_text(rich), RTF), RTF) if rich else [])


def _attached_files(message: _Storage) -> Iterator[AttachedFile]:
    for name, number in sorted(message.members.items()):
        if name.startswith(_ATTACHMENT) and message.file.is_storage(number):
            yield from _file(_Storage.open(message.file, number, message.depth + 1))


def _file(attachment: _Storage) -> Iterator[AttachedFile]:
    """Yield the attached file or mail, unless it is an inline image or hidden."""
    name = attachment.text(_NAME) or attachment.text(_SHORT_NAME)
    # Type 000D is an object, here another message ([MS-OXCDATA] 2.11.1).
    inner = attachment.members.get(f"{_PROPERTY}{_CONTENT}000D")
    if inner is not None:
        message = _Storage.open(attachment.file, inner, attachment.depth + 1)
        yield AttachedFile(f"{message.text(_SUBJECT) or 'message'}.eml", _to_eml(message))
    elif not _is_inline(attachment) and not (attachment.fixed(_HIDDEN, _FIXED_STARTS[2]) or 0) & 1:
        yield AttachedFile(name or "attachment", attachment.bytes(_CONTENT))


def _to_eml(message: _Storage) -> bytes:
    """Return an attached mail as an .eml file."""
    # The reader of mails takes the attachment like any other file.
    mail = EmailMessage(policy=email.policy.SMTP)
    for header, text in _headers(message, _FIXED_STARTS[1]).items():
        with suppress(*eml.HEADER_ERRORS):
            mail[header] = normalise(text)
    body = "\n\n".join(block.text for block in _body(message).blocks)
    mail.set_content(body)
    for file in _attached_files(message):
        mail.add_attachment(file.content, "application", "octet-stream", filename=normalise(file.name))
    return mail.as_bytes()
