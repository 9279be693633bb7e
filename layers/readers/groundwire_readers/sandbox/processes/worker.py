"""The worker process that parses documents: confined first, then serving one request after another.

Started as `python -m groundwire_readers.sandbox.processes.worker START MEMORY_MB CPU_SECONDS PARENT_ID
CONFINEMENT [LANGUAGES DATA_FOLDER]`, where CONFINEMENT is `confined` or `as-far-as-possible`. START is `works` for a
worker, and `forks` for a fork server, whose workers confine themselves.
It exchanges frames on its original standard input and output. It exits by `os._exit`, since the parser library may
abort at a normal exit.
"""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, Final, NamedTuple, NoReturn, Protocol, Self

from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from groundwire_readers.contents.parsed import DocumentImages, PagePicture, ParsedDocument
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.ocr import (
    SECONDS_PER_PAGE,
    NoTextFound,
    OcrPages,
    OcrSettings,
    from_arguments,
    to_arguments,
)
from groundwire_readers.sandbox.confinement import confine, limit_cpu_seconds, peak_memory_reader
from groundwire_readers.sandbox.frames import read_frame, write_frame
from groundwire_readers.sandbox.prctl import die_with_parent, hide_from_same_user
from groundwire_readers.sandbox.processes.forking import fork_workers
from groundwire_readers.sandbox.wire import document_to_json, encode

ParseFunction = Callable[[bytes, str, OcrPages | None], ParsedDocument]
RecogniseFunction = Callable[[bytes, OcrSettings], str]
"""Function from an image to the text that is recognised in it."""
DrawFunction = Callable[[bytes, int], PagePicture]
"""Function from a PDF file and the number of a page to its picture."""


class ImageFunction(Protocol):
    """Function from a file, its extension and a number of seconds to its images."""

    def __call__(self, content: bytes, file_type: str, seconds: float, /, *, with_thumbnails: bool) -> DocumentImages:
        """Return the images; after so many seconds no further one is decoded."""
        ...


class ImageReaders(NamedTuple):
    """The functions that read and draw images."""

    extract: ImageFunction
    recognise: RecogniseFunction
    draw: DrawFunction


EXTRACT_IMAGES: Final = b"images"
EXTRACT_WITH_THUMBNAILS: Final = b"images and thumbnails"
RECOGNISE_IMAGE: Final = b"recognise"
DRAW_PAGE: Final = b"draw "
"""Options of a request besides the pages to recognise; the number of the page to draw follows the last one."""
_IMAGE_SHARE: Final = 0.6
"""Share of the processor time of a document after which no further image is decoded: the last may take long."""
OUT_OF_MEMORY: Final = 77
"""Exit code of a worker that reached its memory limit in Python code."""


_WORKS: Final = "works"
_FORKS: Final = "forks"
_CONFINED: Final = "confined"
_AS_FAR_AS_POSSIBLE: Final = "as-far-as-possible"


@dataclass(frozen=True, slots=True)
class WorkerArguments:
    """Arguments of a worker's command line, as `to_command` gives them and `from_command` reads them.

    Attributes:
        forks: the process is a fork server, which forks each worker.
        allow_unconfined: as in `confinement.confine`.
    """

    memory_mb: int
    cpu_seconds: int
    ocr: OcrSettings | None
    forks: bool
    allow_unconfined: bool

    def to_command(self, module: str) -> list[str]:
        """Return the arguments of the Python interpreter that runs this module as a worker of this process."""
        numbers = (self.memory_mb, self.cpu_seconds, os.getpid())
        start = _FORKS if self.forks else _WORKS
        confinement = _AS_FAR_AS_POSSIBLE if self.allow_unconfined else _CONFINED
        return ["-m", module, start, *map(str, numbers), confinement, *to_arguments(self.ocr)]

    @classmethod
    def from_command(cls, arguments: Sequence[str]) -> tuple[Self, int]:
        """Return the arguments after the name of the module, and the id of the process that started this one."""
        memory_mb, cpu_seconds, parent_pid = map(int, arguments[1:4])
        allow_unconfined = arguments[4] == _AS_FAR_AS_POSSIBLE
        ocr = from_arguments(arguments[5:])
        return cls(memory_mb, cpu_seconds, ocr, arguments[0] == _FORKS, allow_unconfined), parent_pid


def serve(
    load_reader: Callable[[], ParseFunction], load_image_readers: Callable[[], ImageReaders] | None = None
) -> NoReturn:
    """Parse documents on request until the parser closes the pipes, or fork a worker that does, for each document.

    Args:
        load_reader: imports the readers, inside the confinement, and returns the function that parses. A fork server
            imports them before, as it reads no document.
        load_image_readers: imports the functions for images, with the first request for some.
    """
    arguments, parent_pid = WorkerArguments.from_command(sys.argv[1:])
    if not arguments.forks:
        _work(arguments, parent_pid, load_reader, load_image_readers)
    if sys.platform == "linux":
        die_with_parent(parent_pid)
        # A worker that the kernel does not confine could write to the memory of the server, and so to its successors.
        hide_from_same_user()
    # Workers load them again, which finds every module imported.
    load_reader()
    if load_image_readers is not None:
        load_image_readers()
    fork_workers(lambda server: _work(arguments, server, load_reader, load_image_readers))


def _work(
    arguments: WorkerArguments,
    parent_pid: int,
    load_reader: Callable[[], ParseFunction],
    load_image_readers: Callable[[], ImageReaders] | None,
) -> NoReturn:
    requests, replies = _private_streams()
    ocr = arguments.ocr
    peak_mb = peak_memory_reader()
    try:
        readable = [] if ocr is None else [ocr.tessdata_folder]
        confine(arguments.memory_mb, parent_pid, readable, allow_unconfined=arguments.allow_unconfined)
        read = load_reader()
        write_frame(replies, encode({"ready": True}))
        while True:
            message, files = _reply(requests, read, load_image_readers, arguments.cpu_seconds, ocr)
            write_frame(replies, encode({**message, "peak_memory_mb": peak_mb()}, files))
    except (EOFError, ConnectionError, ProcessLookupError):
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
    if load_image_readers is not None and option.startswith(DRAW_PAGE):
        limit_cpu_seconds(cpu_seconds)
        return _picture_reply(partial(load_image_readers().draw, content, int(option.removeprefix(DRAW_PAGE))))
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
    except UnreadableDocument as refusal:
        message = {"refused": str(refusal)}
    return message, files


def _image_reply(extract: Callable[[], DocumentImages]) -> tuple[dict[str, object], list[bytes]]:
    from groundwire_readers.sandbox.image_wire import images_to_json

    try:
        collected = extract()
    except UnreadableDocument as refusal:
        return {"refused": str(refusal)}, []
    contents = [image.content for image in collected.images]
    return images_to_json(collected), [*contents, *(image.thumbnail for image in collected.images)]


def _picture_reply(draw: Callable[[], PagePicture]) -> tuple[dict[str, object], list[bytes]]:
    from groundwire_readers.sandbox.picture_wire import picture_to_json

    try:
        picture = draw()
    except UnreadableDocument as refusal:
        return {"refused": str(refusal)}, []
    return picture_to_json(picture), [picture.content]


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return standard input and output under other numbers; output that a library prints goes to standard error."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, replies


def _load_reader() -> ParseFunction:
    from groundwire_readers.dispatch import read_document

    return read_document


def _load_image_readers() -> ImageReaders:
    from groundwire_readers.images.extraction import extract_images
    from groundwire_readers.images.page_picture import draw_page_picture
    from groundwire_readers.images.recognition import recognise_text

    return ImageReaders(extract_images, recognise_text, draw_page_picture)


if __name__ == "__main__":
    serve(_load_reader, _load_image_readers)
