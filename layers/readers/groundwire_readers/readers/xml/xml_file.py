"""Reader of XML files of any vocabulary: JATS articles, feeds, prose with mixed content, else data records."""

import re
from itertools import islice
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.contents.contents import Contents
from groundwire_readers.readers.encodings.decoding import decode_declared
from groundwire_readers.readers.text.binary_data import is_binary_data
from groundwire_readers.readers.text.json_records import blocks_of_value
from groundwire_readers.readers.xml.feeds import is_feed, read_feed
from groundwire_readers.readers.xml.inline_text import child_of, name_of, text_of
from groundwire_readers.readers.xml.jats.article import articles_of, read_articles
from groundwire_readers.readers.xml.prose import is_prose, prose_blocks
from groundwire_readers.readers.xml.records import value_of

_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")
_DECLARED: Final = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_.-]{1,40})")
_HEADERS: Final = (
    *("info", "articleinfo", "bookinfo", "teiheader", "filedesc", "titlestmt", "head", "prolog", "metadata"),
)
"""Header elements that may contain the title of a document."""
_MAX_SEARCHED: Final = 2_000
"""Number of elements at the start of a document that are searched for a title element."""


def read(content: bytes) -> Contents:
    """Return the contents of the document, without comments, processing instructions and binary data."""
    # The declaration names the encoding of the bytes, which the decoded text no longer has.
    root = parse_xml(_DECLARATION.sub("", _decode(content)), may_have_doctype=True)
    _remove_binary_data(root)
    if articles := articles_of(root):
        return read_articles(articles)
    if is_feed(root):
        return read_feed(root)
    blocks = list(prose_blocks(root)) if is_prose(root) else list(blocks_of_value(value_of(root)))
    return Contents(blocks, title=_own_title(root))


def _decode(content: bytes) -> str:
    declared = _DECLARED.match(content)
    return decode_declared(content, "" if declared is None else declared[1].decode("ascii"))


def _remove_binary_data(root: Element) -> None:
    for element in root.iter():
        if element.text and is_binary_data(element.text):
            element.text = None
        for name in [name for name, value in element.attrib.items() if is_binary_data(value)]:
            del element.attrib[name]


def _own_title(root: Element) -> str | None:
    """Return the title: a child of the root or of its header, else the first element with a title's name."""
    holder: Element | None = root
    while holder is not None:
        if (title := text_of(child_of(holder, "title"))) != "":
            return title
        holder = child_of(holder, *_HEADERS)
    named = (each for each in islice(root.iter(), _MAX_SEARCHED) if name_of(each).endswith(("-title", "_title")))
    return next((text for each in named if (text := text_of(each))), None)
