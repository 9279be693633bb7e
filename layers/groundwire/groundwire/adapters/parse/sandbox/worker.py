"""The worker process that parses documents: confined first, then serving one request after another.

Started as `python -m groundwire.adapters.parse.sandbox.worker MEMORY_MB CPU_SECONDS PARENT_ID CONFINEMENT [LANGUAGES
DATA_FOLDER]`, where CONFINEMENT is `confined` or `as-far-as-possible`.
It exchanges frames on its original standard input and output. It exits by `os._exit`, since the parser library may
abort at a normal exit.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, Final, NamedTuple, Protocol

from groundwire.adapters.parse.ocr import SECONDS_PER_PAGE, NoTextFound, OcrPages, OcrSettings, from_arguments
from groundwire.adapters.parse.sandbox.confinement import confine, limit_cpu_seconds, peak_memory_reader
from groundwire.adapters.parse.sandbox.frames import read_frame, write_frame
from groundwire.adapters.parse.sandbox.wire import document_to_json, encode
from groundwire.domain.documents.parsed import DocumentImages, ParsedDocument
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.limits import MAX_DOCUMENT_BYTES

ParseFunction = Callable[[bytes, str, OcrPages | None], ParsedDocument]
RecogniseFunction = Callable[[bytes, OcrSettings], str]
"""Function from an image to the text that is recognised in it."""


class ImageFunction(Protocol):
    """Function from a file, its extension and a number of seconds to its images."""

    def __call__(self, content: bytes, file_type: str, seconds: float, /, *, with_thumbnails: bool) -> DocumentImages:
        """Return the images; after so many seconds no further one is decoded."""
        ...


class ImageReaders(NamedTuple):
    """The functions that read images."""

    extract: ImageFunction
    recognise: RecogniseFunction


EXTRACT_IMAGES: Final = b"images"
EXTRACT_WITH_THUMBNAILS: Final = b"images and thumbnails"
RECOGNISE_IMAGE: Final = b"recognise"
"""Options of a request besides the pages to recognise."""
_IMAGE_SHARE: Final = 0.6
"""Share of the processor time of a document after which no further image is decoded: the last may take long."""
CONFINED: Final = "confined"
AS_FAR_AS_POSSIBLE: Final = "as-far-as-possible"
"""Confinement of a worker: refused by the kernel, the worker ends, or it goes on without."""
OUT_OF_MEMORY: Final = 77
"""Exit code of a worker that reached its memory limit in Python code."""


def serve(
    load_reader: Callable[[], ParseFunction], load_image_readers: Callable[[], ImageReaders] | None = None
) -> None:
    """Parse documents on request until the parser closes the pipes; never returns.

    Args:
        load_reader: imports the readers, inside the confinement, and returns the function that parses.
        load_image_readers: imports the functions for images, with the first request for some.
    """
    requests, replies = _private_streams()
    memory_mb, cpu_seconds, parent_pid = (int(argument) for argument in sys.argv[1:4])
    allow_unconfined = sys.argv[4] == AS_FAR_AS_POSSIBLE
    ocr = from_arguments(sys.argv[5:])
    peak_mb = peak_memory_reader()
    try:
        readable = [] if ocr is None else [ocr.tessdata_folder]
        confine(memory_mb, parent_pid, readable, allow_unconfined=allow_unconfined)
        read = load_reader()
        write_frame(replies, encode({"ready": True}))
        while True:
            message, files = _reply(requests, read, load_image_readers, cpu_seconds, ocr)
            write_frame(replies, encode({**message, "peak_memory_mb": peak_mb()}, files))
    except (EOFError, BrokenPipeError, ProcessLookupError):
        os._exit(0)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def _reply(
    requests: BinaryIO,
    read: ParseFunction,
    load_image_readers: Callable[[], ImageReaders] | None,
    cpu_seconds: int,
    ocr: OcrSettings | None,
) -> tuple[dict[str, object], list[bytes]]:
    file_type = read_frame(requests, 1024).decode()
    content = read_frame(requests, MAX_DOCUMENT_BYTES)
    option = read_frame(requests, 1024)
    if load_image_readers is not None and option in (EXTRACT_IMAGES, EXTRACT_WITH_THUMBNAILS):
        limit_cpu_seconds(cpu_seconds)
        extract = partial(load_image_readers().extract, with_thumbnails=option == EXTRACT_WITH_THUMBNAILS)
        return _image_reply(partial(extract, content, file_type, cpu_seconds * _IMAGE_SHARE))
    if load_image_readers is not None and option == RECOGNISE_IMAGE:
        limit_cpu_seconds(SECONDS_PER_PAGE)
        return {"text": "" if ocr is None else load_image_readers().recognise(content, ocr)}, []
    pages = tuple(int(page) for page in option.split())
    ocr_pages = OcrPages(ocr, pages) if ocr is not None and pages else None
    limit_cpu_seconds(cpu_seconds + len(pages) * SECONDS_PER_PAGE)
    files: list[bytes] = []
    try:
        document = read(content, file_type, ocr_pages)
        files = [attachment.content for attachment in document.attachments]
        message: dict[str, object] = {"document": document_to_json(document)}
    except NoTextFound as refusal:
        message = {"refused": str(refusal), "textless": refusal.page_count}
    except DocumentRefused as refusal:
        message = {"refused": str(refusal)}
    return message, files


def _image_reply(extract: Callable[[], DocumentImages]) -> tuple[dict[str, object], list[bytes]]:
    from groundwire.adapters.parse.sandbox.image_wire import images_to_json

    try:
        collected = extract()
    except DocumentRefused as refusal:
        return {"refused": str(refusal)}, []
    contents = [image.content for image in collected.images]
    return images_to_json(collected), [*contents, *(image.thumbnail for image in collected.images)]


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return standard input and output under other numbers; output that a library prints goes to standard error."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, replies


def _load_reader() -> ParseFunction:
    from groundwire.adapters.parse.dispatch import read_document

    return read_document


def _load_image_readers() -> ImageReaders:
    from groundwire.adapters.parse.images.extraction import extract_images
    from groundwire.adapters.parse.images.recognition import recognise_text

    return ImageReaders(extract_images, recognise_text)


if __name__ == "__main__":
    serve(_load_reader, _load_image_readers)
