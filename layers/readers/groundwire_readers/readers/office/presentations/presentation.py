"""Reader of PowerPoint presentations: a group of blocks per visible slide, with its speaker notes last."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import open_package, read_entry
from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.parsed import Block, BlockKind, ReadingDefect
from groundwire_readers.readers.office.package_parts import (
    RELATIONSHIP_NAMESPACE,
    core_properties,
    main_part,
    relationships,
)
from groundwire_readers.readers.office.presentations.hidden_slide_text import remove_hidden_text
from groundwire_readers.readers.office.presentations.slide_defaults import SlideDefaults, slide_defaults_of
from groundwire_readers.readers.office.presentations.slides import SLIDE_NAMESPACE, Slide, blocks_of_slide

_MAX_TITLE_CHARACTERS: Final = 100
"""Maximum length of a first paragraph that becomes the heading of a slide without a title."""


def read(content: bytes) -> Contents:
    """Return the contents of the presentation; slide numbers include hidden slides, as in PowerPoint.

    Raises:
        UnreadableDocument: damaged, encrypted, or more than is safe to unpack.
    """
    with open_package(content) as package:
        defaults_by_layout: dict[str, SlideDefaults] = {}
        slides = [read_slide(package, path, defaults_by_layout) for path in slide_paths(package)]
        title, properties = core_properties(package)
    blocks = [
        replace(block, page=number, group=number)
        for number, slide in enumerate(slides, 1)
        for block in (() if slide is None else slide.blocks)
    ]
    textless = sum(slide is not None and not slide.blocks for slide in slides)
    hidden = sum(slide is not None and slide.hides_text for slide in slides)
    return Contents(blocks, title, len(slides), textless, properties, defects={ReadingDefect.HIDDEN_TEXT: hidden})


def slide_paths(package: zipfile.ZipFile) -> Iterator[str]:
    """Yield the paths of the slides in the package, in order."""
    path = main_part(package)
    content, related = read_entry(package, path), relationships(package, path)
    for listed in () if not content else parse_xml(content).iter(f"{SLIDE_NAMESPACE} sldId"):
        relationship = related.get(listed.get(f"{RELATIONSHIP_NAMESPACE} id", ""))
        if relationship is not None and relationship.kind == "slide":
            yield relationship.target


@dataclass(frozen=True, slots=True)
class SlideContents:
    """Blocks of a visible slide, its notes last; `hides_text` is whether hidden text was left out."""

    blocks: list[Block]
    hides_text: bool


def read_slide(
    package: zipfile.ZipFile, path: str, defaults_by_layout: dict[str, SlideDefaults]
) -> SlideContents | None:
    """Return the contents of the slide; None if it is hidden. `defaults_by_layout` is a cache."""
    slide = Slide(package, parse_xml(read_entry(package, path)), relationships(package, path))
    if slide.tree.get("show") in ("0", "false"):
        return None
    hides_text = remove_hidden_text(slide.tree, slide_defaults_of(package, path, defaults_by_layout))
    blocks = _with_title_first(list(blocks_of_slide(slide)))
    for relationship in slide.relationships.values():
        if relationship.kind == "notesSlide":
            notes = Slide(
                package,
                parse_xml(read_entry(package, relationship.target)),
                relationships(package, relationship.target),
            )
            # A title in the notes is no heading of the slide.
            written = [replace(block, kind=BlockKind.PARAGRAPH) for block in blocks_of_slide(notes)]
            blocks += [Block(BlockKind.PARAGRAPH, "Notes:"), *written] if written else []
    return SlideContents(blocks, hides_text)


def _with_title_first(blocks: list[Block]) -> list[Block]:
    """Return the blocks with the title first; without a title, a short first paragraph becomes the heading."""
    titles = [block for block in blocks if block.kind is BlockKind.HEADING]
    others = [block for block in blocks if block.kind is not BlockKind.HEADING]
    if titles or not others or others[0].kind is not BlockKind.PARAGRAPH or len(others[0].text) > _MAX_TITLE_CHARACTERS:
        return titles + others
    return [replace(others[0], kind=BlockKind.HEADING, level=1), *others[1:]]
