"""Reader of mails: headers, body and attached files."""

import email
import email.policy
import re
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Final, cast

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import Block, BlockKind, ReadingDefect
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.encodings.decoding import decode_declared
from groundwire_readers.readers.html import page_reader
from groundwire_readers.readers.mail.attachments import AttachedFile, with_attachments
from groundwire_readers.readers.mail.body_text import blocks_of_body, unflowed
from groundwire_readers.readers.mail.calendar_part import blocks_of_calendar
from groundwire_readers.text.normalisation import normalise

HEADERS: Final = ("Subject", "From", "To", "Cc", "Date")
_ADDRESS: Final = re.compile(r"<([^<>\s@]+@[^<>\s@]+)>")
_SIGNATURES: Final = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature")
_EXTENSION_BY_TYPE: Final = {
    "text/plain": "txt",
    "text/html": "html",
    "text/csv": "csv",
    "application/pdf": "pdf",
    "application/json": "json",
}
_ALTERNATIVE: Final = "multipart/alternative"
_MAILS: Final = ("message/rfc822", "message/global", "message/news")
"""Parts that hold a whole mail; other messages, such as the status of a delivery, consist of fields."""
_REPEATED: Final = ("text/plain", "text/html", "text/calendar", "text/x-amp-html", "text/watch-html")
_WORD: Final = re.compile(r"\w{2,}")
_MIN_MISSING_WORDS: Final = 5
_MISSING_SHARE: Final = 0.2
"""Words of a richer alternative that plain text may lack, in all and as a share, before the richer one is read."""
_MAX_PARTS: Final = 1_000
"""Maximum number of parts: each costs a millisecond, and real mails have a few."""
HEADER_ERRORS: Final = (ValueError, LookupError, TypeError, AttributeError)
"""Exceptions of the standard library's header parser on malformed headers."""


def read(content: bytes) -> Contents:
    """Return the mail's contents; a mail within it is an attachment.

    Raises:
        UnreadableDocument: it has none of a mail's headers, or its parts are nested too deeply.
    """
    try:
        message = email.message_from_bytes(content, policy=email.policy.default)
        if sum(1 for _ in message.walk()) > _MAX_PARTS:
            raise UnreadableDocument(f"it has more than {_MAX_PARTS:,} parts: save what matters of it as files")
        headers = {name: text for name in HEADERS if (text := header_text(message, name))}
        if not headers:
            raise UnreadableDocument("it has no mail headers: save it from the mail program as .eml")
        bodies = list(message_bodies(message))
        contents = [body_contents(part) for part in bodies]
        # An invitation often has its event twice: as an alternative and as a file.
        contents = [each for place, each in enumerate(contents) if each not in contents[:place]]
        attached_files = list(_attached_files(message, {id(part) for part in bodies}, is_alternative=False))
    except RecursionError as error:
        raise UnreadableDocument("it is nested too deeply") from error
    return with_attachments(
        Contents(
            header_blocks(headers) + [block for each in contents for block in each.blocks],
            headers.get("Subject"),
            properties=header_properties(headers),
            defects=sum((Counter(each.defects) for each in contents), Counter[ReadingDefect]()),
        ),
        attached_files,
    )


def header_blocks(headers: dict[str, str]) -> list[Block]:
    """Return the subject as heading, and each other header as a line."""
    subject = normalise(headers.get("Subject", ""))
    first = [Block(BlockKind.HEADING, subject, level=1)] if subject else []
    rest = [(name, normalise(_without_angles(text))) for name, text in headers.items() if name != "Subject"]
    return first + [Block(BlockKind.LIST_ITEM, f"{name}: {text}") for name, text in rest if text]


def header_properties(headers: dict[str, str]) -> dict[str, object]:
    """Return the author and the date of the mail, the latter in the sender's time zone."""
    properties: dict[str, object] = {"author": _without_angles(headers["From"])} if "From" in headers else {}
    try:
        return properties | {"date": parsedate_to_datetime(headers.get("Date", "")).date()}
    except HEADER_ERRORS:
        return properties


def _without_angles(text: str) -> str:
    """Return the text with addresses in parentheses, since angle brackets would make them tags."""
    return _ADDRESS.sub(r"(\1)", text)


def header_text(part: EmailMessage, name: str) -> str:
    """Return a header as text; empty when it is missing or malformed."""
    try:
        return str(part[name] or "").strip()
    except HEADER_ERRORS:
        return ""


def _filename(part: EmailMessage) -> str:
    try:
        return (part.get_filename() or "").strip()
    except HEADER_ERRORS:
        return ""


def _parts(part: EmailMessage) -> list[EmailMessage]:
    return cast("list[EmailMessage]", part.get_payload()) if part.is_multipart() else []


def message_bodies(part: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts that a mail program displays as the message; of alternatives one, and a calendar part."""
    yield from (body for body, _ in _bodies(part))


_Bodies = list[tuple[EmailMessage, bool]]
"""Displayed parts, each with whether it is plain text that is not empty."""


def _bodies(part: EmailMessage, *, is_alternative: bool = False) -> _Bodies:
    """Return the displayed parts; calendar parts of alternatives are displayed beside the message."""
    if part.get_content_type() in _MAILS:
        return []
    if part.get_content_maintype() == "message":
        return [(part, False)]
    if part.get_content_type() == _ALTERNATIVE:
        choices = [bodies for choice in _parts(part) if (bodies := _bodies(choice, is_alternative=True))]
        calendars = [body for bodies in choices for body in bodies if _is_calendar(body[0])]
        texts = [bodies for bodies in choices if not any(_is_calendar(body) for body, _ in bodies)]
        # Alternatives within alternatives are not compared: each level would read the same parts once more.
        return [*_chosen(texts, compares=not is_alternative), *calendars[-1:]]
    if part.is_multipart():
        return [body for inner in _parts(part) for body in _bodies(inner, is_alternative=is_alternative)]
    return [(part, _is_plain(part))] if _is_body(part) else []


def _chosen(choices: list[_Bodies], *, compares: bool) -> _Bodies:
    """Return the alternative that holds the message: plain text, unless a richer one has more words or figures."""
    plain = next((choice for choice in choices if all(is_plain for _, is_plain in choice)), None)
    # RFC 2046, 5.1.4: the last alternative is the richest. Plain text is preferred, since it cannot hide anything.
    richest = next((choice for choice in reversed(choices) if not all(is_plain for _, is_plain in choice)), None)
    if plain is None or richest is None or not compares:
        return plain or richest or []
    words = _words(richest)
    missing = words - _words(plain)
    is_figure_missing = any(any(map(str.isdigit, word)) for word in missing)
    is_more = missing.total() > max(_MIN_MISSING_WORDS, words.total() * _MISSING_SHARE)
    return richest if is_more or is_figure_missing else plain


def _words(bodies: _Bodies) -> Counter[str]:
    texts = (block.text for part, _ in bodies for block in body_contents(part).blocks)
    return Counter(word for text in texts for word in _WORD.findall(text.casefold()))


def _is_calendar(part: EmailMessage) -> bool:
    return part.get_content_type() in ("text/calendar", "application/ics")


def _is_body(part: EmailMessage) -> bool:
    return _is_calendar(part) or (part.get_content_type() in ("text/plain", "text/html") and _is_unnamed(part))


def _is_unnamed(part: EmailMessage) -> bool:
    return part.get_content_disposition() != "attachment" and not _filename(part)


def _is_plain(part: EmailMessage) -> bool:
    return part.get_content_type() == "text/plain" and bool(part_bytes(part).strip())


def part_bytes(part: EmailMessage) -> bytes:
    """Return the decoded content of a part; empty when it has parts of its own."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def body_contents(part: EmailMessage) -> Contents:
    """Return the contents of a part that is plain text, HTML, a calendar or fields of a status."""
    if part.is_multipart():
        lines = (f"{name}: {header_text(fields, name)}" for fields in _parts(part) for name in dict.fromkeys(fields))
        return Contents([Block(BlockKind.LIST_ITEM, text) for line in lines if (text := normalise(line))])
    text = part_text(part)
    if _is_calendar(part):
        return Contents(list(blocks_of_calendar(text)))
    if part.get_content_type() != "text/html":
        if _parameter(part, "format") == "flowed":
            text = unflowed(text, deletes_space=_parameter(part, "delsp") == "yes")
        return Contents(blocks_of_body(text))
    page = page_reader.parse_html(text.encode(errors="replace"), finds_headings=True)
    return Contents(page.blocks, defects=page.defects)


def _parameter(part: EmailMessage, name: str) -> str:
    try:
        return str(part.get_param(name, "")).strip().lower()
    except HEADER_ERRORS:
        return ""


def part_text(part: EmailMessage) -> str:
    """Return the text of a part in its declared encoding, unless its bytes show another one."""
    # RFC 2045, 5.2: without a charset, text is US-ASCII, which is valid UTF-8.
    return decode_declared(part_bytes(part), part.get_content_charset() or "")


def _attached_files(part: EmailMessage, bodies: set[int], *, is_alternative: bool) -> Iterator[AttachedFile]:
    """Yield the attached files, without parts of the message itself, such as inline images and signatures.

    Of alternatives, texts and pages without a name repeat the message; what else is among them does not.
    """
    kind = part.get_content_type()
    if kind in _MAILS:
        for inner in _parts(part):
            name = _filename(part) or f"{header_text(inner, 'Subject') or 'message'}.eml"
            yield AttachedFile(name if name.lower().endswith(".eml") else f"{name}.eml", _message_bytes(inner))
    elif part.is_multipart() and id(part) not in bodies:
        for inner in _parts(part):
            yield from _attached_files(inner, bodies, is_alternative=is_alternative or kind == _ALTERNATIVE)
    elif is_alternative and kind in _REPEATED and _is_unnamed(part):
        return
    elif id(part) not in bodies and kind not in _SIGNATURES and not is_inline_image(part):
        name = _filename(part) or f"attachment.{_EXTENSION_BY_TYPE.get(kind, part.get_content_subtype())}"
        yield AttachedFile(name, part_bytes(part))


def is_inline_image(part: EmailMessage) -> bool:
    """Return whether the part is an inline image of the message, not an attached file."""
    is_referred_to = bool(header_text(part, "Content-ID")) or part.get_content_disposition() == "inline"
    return part.get_content_maintype() == "image" and is_referred_to


def _message_bytes(message: EmailMessage) -> bytes:
    try:
        # The default policy would fold the headers anew, and fails for malformed ones.
        return message.as_bytes(policy=email.policy.compat32)
    except HEADER_ERRORS:
        return b""
