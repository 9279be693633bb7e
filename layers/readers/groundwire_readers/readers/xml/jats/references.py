"""Formatting of an article's references: authors, title, source, year, identifiers."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.xml.inline_text import attribute, child_of, has_words, name_of, text_of

CITATIONS: Final = ("element-citation", "nlm-citation")
"""Elements with a structured reference, without punctuation."""
_MIXED: Final = ("mixed-citation", "citation")
_NAMES: Final = {"doi": "DOI", "pmid": "PMID", "pmcid": "PMCID", "pmc": "PMCID", "isbn": "ISBN", "arxiv": "arXiv"}
EN_DASH: Final = "\u2013"
_TITLES: Final = ("article-title", "chapter-title", "part-title", "data-title", "trans-title")
_PUBLICATION_ELEMENTS: Final = (
    *("publisher-name", "publisher-loc", "conf-name", "conf-date", "conf-loc", "edition", "version"),
)
_FORMATTED_ELEMENTS: Final = frozenset(
    {
        *_TITLES,
        *_PUBLICATION_ELEMENTS,
        *("person-group", "name", "string-name", "collab", "year", "source", "volume", "issue", "etal"),
    }
    | {"fpage", "lpage", "page-range", "elocation-id", "pub-id", "object-id", "ext-link", "uri", "month", "day"}
    | {"label", "season"}
)


def reference_text(reference: Element) -> str:
    """Return a reference as one line, with its label first."""
    citations = [
        child for child in reference if name_of(child) in (*CITATIONS, *_MIXED, "citation-alternatives", "note")
    ]
    parts = [text for child in citations if (text := _text(child))]
    if not citations:
        return text_of(reference)
    label = text_of(child_of(reference, "label"))
    return " ".join([label, *parts] if label else parts)


def _text(citation: Element) -> str:
    if name_of(citation) == "citation-alternatives":
        best = child_of(citation, *_MIXED, *CITATIONS)
        return "" if best is None else _text(best)
    is_by_parts = name_of(citation) in (*CITATIONS, "citation") and not has_words(citation)
    return citation_text(citation) if is_by_parts else text_of(citation)


def citation_text(citation: Element) -> str:
    """Return a structured reference as "Author A, Author B. Title. Source 7:1-9 (2009). DOI: …"."""
    source = _sentence(_texts(citation, "source"), _volume(citation))
    year = next(_texts(citation, "year"), "")
    dated = " ".join(filter(None, (source, f"({year})" if year else "")))
    others = [text_of(child) for child in citation if name_of(child) not in _FORMATTED_ELEMENTS]
    publication = ", ".join(_texts(citation, *_PUBLICATION_ELEMENTS))
    identifiers = ", ".join(_identifiers(citation))
    parts = [", ".join(people(citation)), *_texts(citation, *_TITLES), dated, publication, *others, identifiers]
    return " ".join(part if part[-1] in ".?!" else f"{part}." for part in parts if part).removesuffix(".")


def people(element: Element) -> Iterator[str]:
    """Yield the names of persons and groups in the order of the file."""
    for child in element:
        name = name_of(child)
        if name == "person-group":
            yield from people(child)
        elif name == "name":
            yield " ".join(_texts(child, "surname", "given-names", "suffix"))
        elif name in ("string-name", "collab", "anonymous") and (text := text_of(child)):
            yield text
        elif name == "etal":
            yield "et al"


def _sentence(source: Iterator[str], volume: str) -> str:
    return " ".join(filter(None, (*source, volume)))


def _volume(citation: Element) -> str:
    """Return volume, issue and pages: 37(2) with a colon and W202 to W208."""
    volume, issue = next(_texts(citation, "volume"), ""), next(_texts(citation, "issue"), "")
    first, last = next(_texts(citation, "fpage", "elocation-id"), ""), next(_texts(citation, "lpage"), "")
    pages = next(_texts(citation, "page-range"), "") or EN_DASH.join(filter(None, (first, last)))
    return ":".join(filter(None, (volume + (f"({issue})" if issue else ""), pages)))


def _identifiers(citation: Element) -> Iterator[str]:
    for child in citation:
        text = text_of(child)
        if name_of(child) == "pub-id" and text:
            kind = attribute(child, "pub-id-type").lower()
            name = _NAMES.get(kind) or attribute(child, "assigning-authority")
            yield f"{name}: {text}" if name else text
        elif name_of(child) in ("ext-link", "uri") and (text or attribute(child, "href")):
            yield text or attribute(child, "href")


def _texts(element: Element, *names: str) -> Iterator[str]:
    return (text for child in element if name_of(child) in names and (text := text_of(child)))
