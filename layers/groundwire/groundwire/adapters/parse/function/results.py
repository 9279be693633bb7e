"""Result of the parser function: two messages of the worker's wire form, each after its length.

The first has the version, the nonce of its invocation and the text or the refusal, the second the images. The result of
a page is one message. Whoever reads a result takes it for hostile: a file may have taken over the function that wrote
it.
"""

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO, Final

from groundwire.adapters.parse.function.limits import IMAGES_BYTES, PARSER_LIMITS, TEXT_BYTES
from groundwire.adapters.parse.function.messages import WIRE_VERSION
from groundwire.domain.errors import DocumentRefused, ParsingFailed
from groundwire.domain.text.json_values import is_list
from groundwire_readers.contents.parsed import DocumentImages, PagePicture, ParsedDocument
from groundwire_readers.sandbox.frames import FrameTooLong, read_frame, write_frame
from groundwire_readers.sandbox.image_wire import (
    images_from_json,
    images_to_json,
    recognised_text_from_json,
)
from groundwire_readers.sandbox.processes.process import INVALID_REPLY_REASON, PICTURE_REPLY_BYTES
from groundwire_readers.sandbox.wire import (
    InvalidReply,
    TooManyParts,
    attached_files,
    decode,
    document_from_json,
    document_to_json,
    encode,
    refusal_from_json,
)

_LENGTH_BYTES: Final = 8
_MEGABYTE: Final = 1_048_576
_TOO_LARGE: Final = f"its text is larger than {TEXT_BYTES // _MEGABYTE} MB: split the file"


def encode_document(nonce: str, parser_version: str, document: ParsedDocument) -> bytes:
    """Return the result of a document, or of its refusal where its text is too large for the caller."""
    whole = encode_whole_document(nonce, parser_version, document)
    return encode_refusal(nonce, parser_version, DocumentRefused(_TOO_LARGE)) if whole is None else whole


def encode_whole_document(nonce: str, parser_version: str, document: ParsedDocument) -> bytes | None:
    """Return the result of a document; None where its text is too large for the caller."""
    header = _header(nonce, parser_version)
    text = encode({**header, "document": document_to_json(document)}, [each.content for each in document.attachments])
    attached = sum(len(each.content) for each in document.attachments)
    if len(text) - attached - _LENGTH_BYTES > TEXT_BYTES:
        return None
    images = DocumentImages(document.images, document.images_left_out)
    recognised = [image.recognised_text for image in document.images]
    files = [*(image.content for image in document.images), *(image.thumbnail for image in document.images)]
    return _framed(text, encode({**images_to_json(images), "recognised": recognised}, files))


def encode_refusal(nonce: str, parser_version: str, refusal: DocumentRefused) -> bytes:
    """Return the result of a document that cannot be read."""
    return _framed(encode({**_header(nonce, parser_version), "refused": str(refusal)}), encode({}))


def encode_picture(nonce: str, parser_version: str, picture: PagePicture) -> bytes:
    """Return the result of a page."""
    # As below: a function imports it with its first page.
    from groundwire_readers.sandbox.picture_wire import picture_to_json

    message = {**_header(nonce, parser_version), **picture_to_json(picture)}
    return _framed(encode(message, [picture.content]))


def decode_picture(result: BinaryIO, nonce: str, parser_version: str) -> PagePicture:
    """Return the picture of the invocation with this nonce, its texts normalised again.

    Raises:
        DocumentRefused: the page cannot be drawn.
        ParsingFailed: as of `decode_result`.
    """
    from groundwire_readers.sandbox.picture_wire import picture_from_json

    try:
        message = decode(read_frame(result, PICTURE_REPLY_BYTES), PARSER_LIMITS.result_parts)
        _check_origin(message, nonce, parser_version)
        _check_end(result)
        return picture_from_json(message, attached_files(message))
    except (InvalidReply, TooManyParts, FrameTooLong, EOFError) as error:
        raise ParsingFailed(INVALID_REPLY_REASON) from error


def decode_result(result: BinaryIO, nonce: str, parser_version: str, *, with_thumbnails: bool) -> ParsedDocument:
    """Return the document of the invocation with this nonce, its texts normalised again.

    The result is read one message after the other: as a whole, the largest would not fit beside what is made of it.

    Raises:
        DocumentRefused: the document cannot be read.
        ParsingFailed: the result is not one, or is of another invocation or version. A function of another release
            reads no document, so a result that claims another version was written by the document's worker.
    """
    try:
        return _decoded(result, nonce, parser_version, with_thumbnails=with_thumbnails)
    except TooManyParts as error:
        reason = f"it has more than {PARSER_LIMITS.result_parts:,} paragraphs and cells: split the file"
        raise DocumentRefused(reason) from error
    except (InvalidReply, FrameTooLong, EOFError) as error:
        raise ParsingFailed(INVALID_REPLY_REASON) from error


def _decoded(result: BinaryIO, nonce: str, parser_version: str, *, with_thumbnails: bool) -> ParsedDocument:
    message = _first_message(result)
    _check_origin(message, nonce, parser_version)
    document = document_from_json(message.get("document"), attached_files(message))
    del message
    images = decode(read_frame(result, IMAGES_BYTES), PARSER_LIMITS.result_parts)
    _check_end(result)
    return _with_images(document, images, with_thumbnails=with_thumbnails)


def _check_origin(message: Mapping[str, object], nonce: str, parser_version: str) -> None:
    """Check that the message is that of the invocation, and no refusal.

    Raises:
        InvalidReply: it is of another invocation or version.
        DocumentRefused: the document cannot be read.
    """
    if message.get("nonce") != nonce:
        raise InvalidReply("the result of another invocation")
    if message.get("version") != WIRE_VERSION or message.get("parser") != parser_version:
        raise InvalidReply("the result of another version")
    refusal = refusal_from_json(message)
    if refusal is not None:
        raise DocumentRefused(str(refusal))


def _check_end(result: BinaryIO) -> None:
    if result.read(1):
        raise InvalidReply("bytes after the result")


def _first_message(result: BinaryIO) -> Mapping[str, object]:
    frame = read_frame(result, PARSER_LIMITS.result_bytes)
    if int.from_bytes(frame[:_LENGTH_BYTES]) > TEXT_BYTES:
        raise InvalidReply("a larger text than the function may give")
    return decode(frame, PARSER_LIMITS.result_parts)


def _with_images(document: ParsedDocument, message: Mapping[str, object], *, with_thumbnails: bool) -> ParsedDocument:
    found = images_from_json(message, attached_files(message), with_thumbnails=with_thumbnails)
    recognised = message.get("recognised")
    if not is_list(recognised) or len(recognised) != len(found.images):
        raise InvalidReply("not the texts of its images")
    texts = [recognised_text_from_json({"text": text}) for text in recognised]
    images = tuple(replace(image, recognised_text=text) for image, text in zip(found.images, texts, strict=True))
    return replace(document, images=images, images_left_out=found.left_out)


def _header(nonce: str, parser_version: str) -> dict[str, object]:
    return {"version": WIRE_VERSION, "nonce": nonce, "parser": parser_version}


def _framed(*messages: bytes) -> bytes:
    stream = BytesIO()
    for message in messages:
        write_frame(stream, message)
    return stream.getvalue()
