"""Images of mails: the inline ones that the message itself shows; attached files become documents or are named."""

import email
import email.policy
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.message import EmailMessage
from functools import partial
from typing import Final, cast

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.images.flow import Candidate, FlowImage, FlowItem, candidates_of_flow
from groundwire_readers.images.sources.html import flow_of_page, resolve_data_address
from groundwire_readers.readers.html.page_reader import decode_page
from groundwire_readers.readers.mail import eml, outlook
from groundwire_readers.text.normalisation import normalise

_CONTENT_ID: Final = "cid:"


def find_mail_images(content: bytes) -> Iterator[Candidate]:
    """Yield the inline images of a mail.

    Raises:
        UnreadableDocument: its parts are nested too deeply.
    """
    try:
        message = email.message_from_bytes(content, policy=email.policy.default)
        subject = eml.header_text(message, "Subject")
        parts = list(_own_parts(message))
    except RecursionError as error:
        raise UnreadableDocument("it is nested too deeply") from error
    pages = [eml.part_text(part) for part in parts if _is_page(part)]
    files: dict[str, Callable[[], bytes]] = {}
    for number, part in enumerate(parts):
        if eml.is_inline_image(part):
            identity = eml.header_text(part, "Content-ID").strip("<> ") or f"#{number}"
            files.setdefault(identity, partial(eml.part_bytes, part))
    blocks = (
        [] if pages else [block for part in eml.message_bodies(message) for block in eml.body_contents(part).blocks]
    )
    yield from candidates_of_flow(_flow(subject, pages, blocks, files))


def find_outlook_images(content: bytes) -> Iterator[Candidate]:
    """Yield the inline images of one of Outlook's mails.

    Raises:
        UnreadableDocument: damaged, or nested too deeply.
    """
    found = outlook.read_images(content)
    files = {identity: partial(bytes, file) for identity, file in found.files.items()}
    pages = [decode_page(found.page)] if found.page else []
    yield from candidates_of_flow(_flow(found.subject, pages, found.blocks, files))


def _flow(
    subject: str, pages: Sequence[str], blocks: Sequence[Block], files: Mapping[str, Callable[[], bytes]]
) -> list[FlowItem]:
    """Return the message in order; images that no page mentions are after its text."""
    heading = normalise(subject)
    flow: list[FlowItem] = [Block(BlockKind.HEADING, heading, level=1)] if heading else []
    for page in pages:
        flow += flow_of_page(page, partial(_resolve, files))
    flow += blocks
    flow += [FlowImage(load) for identity, load in files.items() if not any(identity in page for page in pages)]
    return flow


def _resolve(files: Mapping[str, Callable[[], bytes]], address: str) -> Callable[[], bytes] | None:
    if address[: len(_CONTENT_ID)].lower() == _CONTENT_ID:
        return files.get(address[len(_CONTENT_ID) :].strip())
    return resolve_data_address(address)


def _own_parts(part: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts without parts, except those of mails within the mail."""
    # A mail within the mail becomes a document, which has these images itself.
    if part.get_content_type() == "message/rfc822":
        return
    if part.is_multipart():
        for inner in cast("list[EmailMessage]", part.get_payload()):
            yield from _own_parts(inner)
    else:
        yield part


def _is_page(part: EmailMessage) -> bool:
    return part.get_content_type() == "text/html" and part.get_content_disposition() != "attachment"
