"""Reader of articles in JATS (NISO Z39.96): title, front matter, body, back matter, and sub-articles."""

from collections.abc import Iterator
from itertools import islice
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.contents import Contents
from groundwire_readers.contents.heading_levels import MAX_LEVEL
from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.xml.inline_text import attribute, child_of, name_of
from groundwire_readers.readers.xml.jats.body import blocks_within
from groundwire_readers.readers.xml.jats.front_matter import FrontMatter, authors_by_note

_ARTICLES: Final = ("article", "standard")
_METAS: Final = ("article-meta", "journal-meta", "standard-meta", "std-meta", "iso-meta", "nat-meta")
_MAX_SEARCHED: Final = 2_000
"""Number of elements that are searched for the first article: repository replies have little before it."""


def articles_of(root: Element) -> list[Element]:
    """Return the articles of a file: its root, or those in a repository's reply (OAI-PMH); empty without any."""
    if _is_article(root):
        return [root]
    # Without this check, every other XML file would be walked completely in vain.
    has_articles = any(_is_article(element) for element in islice(root.iter(), _MAX_SEARCHED))
    return list(_outermost(root)) if has_articles else []


def read_articles(articles: list[Element]) -> Contents:
    """Return the blocks of the articles; title and properties are those of the first."""
    for article in articles:
        _name_contributions(article)
    first = FrontMatter.of(articles[0])
    blocks = [block for article in articles for block in _article(article, 1)]
    return Contents(blocks, title=first.title or None, properties=first.properties())


def _outermost(element: Element) -> Iterator[Element]:
    for child in element:
        if _is_article(child):
            yield child
        else:
            yield from _outermost(child)


def _name_contributions(article: Element) -> None:
    """Insert the names of authors before their contribution notes, which the file links by id."""
    names = authors_by_note(article)
    for note in article.iter():
        if name_of(note) == "fn" and attribute(note, "fn-type") == "con" and names.get(attribute(note, "id")):
            target = child_of(note, "p")
            if target is not None:
                target.text = f"{names[attribute(note, 'id')]}: {target.text or ''}"


def _is_article(element: Element) -> bool:
    if name_of(element) not in _ARTICLES:
        return False
    front = child_of(element, "front")
    has_meta = front is not None and child_of(front, *_METAS) is not None
    return has_meta or (front is None and child_of(element, "body") is not None)


def _article(article: Element, level: int) -> Iterator[Block]:
    front = FrontMatter.of(article)
    if front.title:
        yield Block(BlockKind.HEADING, front.title, level=min(level, MAX_LEVEL))
    yield from front.lines()
    yield from front.abstracts(level + 1)
    for child in article:
        name = name_of(child)
        if name in ("body", "back"):
            yield from blocks_within(child, level + 1)
        # Some publishers put figures and tables here, apart from the text that refers to them.
        elif name == "floats-group":
            yield Block(BlockKind.HEADING, "Figures and tables", level=min(level + 1, MAX_LEVEL))
            yield from blocks_within(child, level + 2)
        elif name in ("sub-article", "response"):
            yield from _article(child, level + 1)
