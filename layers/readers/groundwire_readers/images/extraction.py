"""Extraction of a file's images by the source of its format; runs inside the worker only."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from groundwire_readers import formats
from groundwire_readers.contents.parsed import DocumentImages
from groundwire_readers.formats import Format
from groundwire_readers.images.collection import TimeLimit, collect_images
from groundwire_readers.images.flow import Candidate
from groundwire_readers.images.sources import html, mail, markdown, opendocument, pdf, sheets, slides, word

_SOURCES: Final[Mapping[Format, Callable[[bytes], Iterator[Candidate]]]] = {
    formats.PDF: pdf.find_images,
    formats.DOCX: word.find_images,
    formats.PPTX: slides.find_images,
    formats.XLSX: sheets.find_images,
    formats.ODT: opendocument.find_images,
    formats.ODS: opendocument.find_images,
    formats.ODP: opendocument.find_images,
    formats.EPUB: html.find_book_images,
    formats.HTML: html.find_images,
    formats.MARKDOWN: markdown.find_images,
    formats.EML: mail.find_mail_images,
    formats.MSG: mail.find_outlook_images,
}
"""Sources by format; files of other formats hold no images."""


def extract_images(content: bytes, file_type: str, seconds: float, *, with_thumbnails: bool = False) -> DocumentImages:
    """Return the images of a file that can be read as a document; after so many seconds no further one is decoded.

    Raises:
        UnreadableDocument: the file as a whole is not what its extension declares, or cannot be opened.
    """
    limit = TimeLimit(seconds)
    document_format = formats.declared_format(content, file_type)
    formats.check_content(content, document_format, file_type)
    source = _SOURCES.get(document_format)
    return collect_images(() if source is None else source(content), limit, with_thumbnails=with_thumbnails)
