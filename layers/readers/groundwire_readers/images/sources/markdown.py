"""Images of Markdown files in `data:` addresses, inline or by reference, and those of HTML within."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.images.flow import Candidate, FlowImage, FlowItem, candidates_of_flow
from groundwire_readers.images.sources.html import decode_data_address, flow_of_page, resolve_data_address
from groundwire_readers.images.texts import join_texts
from groundwire_readers.readers.encodings.decoding import decode_text
from groundwire_readers.readers.text.front_matter import split_front_matter
from groundwire_readers.readers.xberg.markdown import inline_text, prepared
from groundwire_readers.text.normalisation import normalise

_TITLE: Final = r"""(?:[ \t]+["'(]([^"'()\n]{0,400})["')])?"""
_DATA: Final = r"<?(data:image/[^\s<>()\"']+)>?"
# All repetitions are bounded: an open bracket must not cost a search to the end of the file.
_IMAGE: Final = re.compile(rf"!\[([^\[\]]{{0,2000}})\]\([ \t]*{_DATA}{_TITLE}[ \t]*\)", re.IGNORECASE)
_NAMED: Final = re.compile(r"!\[([^\[\]]{0,2000})\](?:\[([^\[\]]{0,200})\])?(?!\()")
_DEFINITION: Final = re.compile(
    rf"^ {{0,3}}\[([^\[\]]{{1,200}})\]:[ \t]*{_DATA}{_TITLE}[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_TAG: Final = re.compile(r"<img\b[^<>]*>", re.IGNORECASE)
_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_MARKS: Final = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?|[*_]{2,}|`")

_Named = tuple[str, str]
"""Address and title of a reference."""


def find_images(content: bytes) -> Iterator[Candidate]:
    """Yield the images of a Markdown file, outside of code."""
    _, text = split_front_matter(decode_text(content).replace("\r\n", "\n"))
    text = _without_code(prepared(text))
    named = {label.strip().casefold(): (address, title) for label, address, title in _DEFINITION.findall(text)}
    paragraphs = re.split(r"\n[ \t]*\n", _DEFINITION.sub("", text))
    flow = [item for paragraph in paragraphs for item in _items(paragraph.strip("\n"), named)]
    yield from candidates_of_flow(flow)


def _without_code(text: str) -> str:
    """Return the text without fenced blocks; one that is not closed reaches to the end."""
    parts: list[str] = []
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence:
            # CommonMark 4.5: a closing fence is at least as long as the opening one, with nothing behind it.
            is_end = found is not None and found[1].startswith(fence) and line.strip() == found[1]
            fence = "" if is_end else fence
        elif found is not None:
            fence = found[1]
        # CommonMark 4.4: four spaces or a tab begin a line of code.
        elif not line.startswith(("    ", "\t")):
            parts.append(line)
    return "\n".join(parts)


def _items(paragraph: str, named: dict[str, _Named]) -> Iterator[FlowItem]:
    """Yield the images of a paragraph, then its lines' text: headings one by one, all others as one block."""
    yield from _images(paragraph, named)
    lines: list[str] = []
    for line in _IMAGE.sub("", paragraph).split("\n"):
        heading = _HEADING.fullmatch(line)
        if heading is not None:
            yield from _paragraph(lines)
            lines = []
            yield Block(BlockKind.HEADING, normalise(_without_closing(heading[2])), level=len(heading[1]))
        else:
            lines.append(_MARKS.sub("", _without_images(line, named)))
    yield from _paragraph(lines)


def _without_closing(heading: str) -> str:
    """Return the text of a heading without the number signs that may close it."""
    text = heading.rstrip(" \t").rstrip("#")
    return text if not text or text[-1] in " \t" else heading


def _paragraph(lines: Sequence[str]) -> Iterator[Block]:
    text = normalise(inline_text(" ".join(lines)))
    if text:
        yield Block(BlockKind.PARAGRAPH, text)


def _without_images(line: str, named: dict[str, _Named]) -> str:
    return _TAG.sub("", _NAMED.sub(lambda found: "" if _label(found) in named else found[0], line))


def _label(image: re.Match[str]) -> str:
    return (image[2] or image[1]).strip().casefold()


def _images(paragraph: str, named: dict[str, _Named]) -> Iterator[FlowImage]:
    found = [(image.start(), _image(image[2], image[1], image[3] or "")) for image in _IMAGE.finditer(paragraph)]
    found += [
        (image.start(), _image(target[0], image[1], target[1]))
        for image in _NAMED.finditer(paragraph)
        if (target := named.get(_label(image))) is not None
    ]
    for tag in _TAG.finditer(paragraph):
        items = flow_of_page(tag[0], resolve_data_address)
        found += [(tag.start(), item) for item in items if isinstance(item, FlowImage)]
    yield from (image for _, image in sorted(found, key=lambda entry: entry[0]))


def _image(address: str, alt: str, title: str) -> FlowImage:
    return FlowImage(lambda: decode_data_address(address), join_texts(alt, title))
