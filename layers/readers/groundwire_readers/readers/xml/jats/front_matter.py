"""Front matter of a JATS article: authors, journal, dates, identifiers, keywords, abstracts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.xml.inline_text import attribute, child_of, name_of, text_of
from groundwire_readers.readers.xml.jats.body import section
from groundwire_readers.readers.xml.jats.references import EN_DASH

_META: Final = ("article-meta", "standard-meta", "std-meta", "iso-meta", "nat-meta", "front-stub", "book-meta")
_ROLES: Final = {"author": "Authors", "editor": "Editors", "reviewer": "Reviewers", "translator": "Translators"}
_IDENTIFIERS: Final = {"doi": "DOI", "pmid": "PMID", "pmc": "PMCID", "pmcid": "PMCID", "arxiv": "arXiv"}
_ABSTRACTS: Final = ("abstract", "trans-abstract")
_PUBLISHED: Final = ("epub", "pub", "ppub", "epub-ppub", "collection", "")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Title of an article, and the lines, abstracts and properties below it."""

    title: str
    meta: Element | None
    journal: Element | None

    @classmethod
    def of(cls, article: Element) -> "FrontMatter":
        """Return the front matter of an article or of a part of one."""
        front = child_of(article, "front", "front-stub", "front-matter")
        holder = front if front is not None else article
        meta = holder if name_of(holder) in _META else child_of(holder, *_META)
        return cls(_title(meta), meta, child_of(holder, "journal-meta"))

    def lines(self) -> Iterator[Block]:
        """Yield a paragraph "name: value" for each fact."""
        if self.meta is None:
            return
        facts = [*_contributors(self.meta), ("Affiliations", "; ".join(_affiliations(self.meta)))]
        facts += [("Journal", _source(self.meta, self.journal)), *_identifiers(self.meta), *_dates(self.meta)]
        facts += [("Subjects", "; ".join(_subjects(self.meta))), *_keywords(self.meta), *_notes(self.meta)]
        facts += [*_funding(self.meta), *_licences(self.meta)]
        yield from (Block(BlockKind.PARAGRAPH, f"{name}: {value}") for name, value in facts if value)

    def abstracts(self, level: int) -> Iterator[Block]:
        """Yield the abstracts, each under its own title or "Abstract"."""
        for element in self.meta if self.meta is not None else ():
            if name_of(element) in _ABSTRACTS:
                yield from section(element, level, "Abstract")

    def properties(self) -> dict[str, object]:
        """Return the metadata fields that searches can filter by."""
        if self.meta is None:
            return {}
        identifiers = dict(_identifiers(self.meta))
        properties: dict[str, object] = {
            "author": list(_authors(self.meta)),
            "date": next((date for _, date in _dates(self.meta)), ""),
            "keywords": [
                text_of(each) for group in _children(self.meta, "kwd-group") for each in _children(group, "kwd")
            ],
            "journal": _journal_title(self.journal),
            "doi": identifiers.get("DOI", ""),
        }
        return {name: value for name, value in properties.items() if value}


def _children(element: Element, *names: str) -> Iterator[Element]:
    return (child for child in element if name_of(child) in names)


def _title(meta: Element | None) -> str:
    group = None if meta is None else child_of(meta, "title-group", "title-wrap", "book-title-group")
    if group is None:
        return ""
    title = text_of(child_of(group, "article-title", "main", "full", "title", "book-title"), ("fn", "xref"))
    subtitle = text_of(child_of(group, "subtitle"), ("fn", "xref"))
    return f"{title}{'' if title[-1:] in ':?!' else ':'} {subtitle}" if title and subtitle else title


def _contributors(meta: Element) -> Iterator[tuple[str, str]]:
    names: dict[str, list[str]] = {}
    for group in _children(meta, "contrib-group"):
        for contributor in _children(group, "contrib"):
            role = attribute(contributor, "contrib-type") or "author"
            name = next(_persons(contributor), "")
            label = _ROLES.get(role, "Contributors")
            if name and name not in names.setdefault(label, []):
                names[label].append(name)
    yield from ((label, ", ".join(each)) for label, each in names.items())


def _authors(meta: Element) -> Iterator[str]:
    for group in _children(meta, "contrib-group"):
        for contributor in _children(group, "contrib"):
            if attribute(contributor, "contrib-type") in ("author", ""):
                yield from _persons(contributor)


def authors_by_note(article: Element) -> dict[str, str]:
    """Return the names of the contributors who refer to a note, by the id of the note."""
    names_by_note: dict[str, list[str]] = {}
    for contributor in article.iter():
        if name_of(contributor) == "contrib":
            name = next(_persons(contributor), "")
            for reference in _children(contributor, "xref"):
                names_by_note.setdefault(attribute(reference, "rid"), []).append(name)
    return {identity: ", ".join(filter(None, names)) for identity, names in names_by_note.items()}


def _persons(contributor: Element) -> Iterator[str]:
    """Yield the names of a contributor, given names first."""
    for child in contributor:
        name = name_of(child)
        if name == "name-alternatives":
            yield next(_persons(child), "")
        elif name == "name":
            parts = (text_of(child_of(child, part)) for part in ("prefix", "given-names", "surname", "suffix"))
            yield " ".join(filter(None, parts))
        elif name in ("string-name", "collab", "anonymous"):
            yield text_of(child, ("contrib-group", "xref", "fn")) or "Anonymous"


def _affiliations(meta: Element) -> Iterator[str]:
    """Yield each affiliation once."""
    holders = [meta, *_children(meta, "contrib-group")]
    contributors = [each for group in _children(meta, "contrib-group") for each in _children(group, "contrib")]
    authors = [each for each in contributors if attribute(each, "contrib-type") in ("author", "")]
    affiliations = [_affiliation(each) for holder in [*holders, *authors] for each in _affiliation_elements(holder)]
    yield from dict.fromkeys(filter(None, affiliations))


def _affiliation_elements(holder: Element) -> Iterator[Element]:
    for child in holder:
        if name_of(child) == "aff":
            yield child
        elif name_of(child) == "aff-alternatives":
            yield from list(_children(child, "aff"))[:1]


def _affiliation(element: Element) -> str:
    own = [element.text or "", *(child.tail or "" for child in element)]
    if any(any(map(str.isalnum, part)) for part in own):
        return text_of(element, ("label", "institution-id", "sup")).strip(" ,;.")
    parts = (text_of(child) for child in element if name_of(child) not in ("label", "institution-id", "sup"))
    return ", ".join(filter(None, parts))


def _journal_title(journal: Element | None) -> str:
    if journal is None:
        return ""
    group = child_of(journal, "journal-title-group")
    return text_of(child_of(journal if group is None else group, "journal-title"))


def _source(meta: Element, journal: Element | None) -> str:
    """Return the bibliographic source: journal, volume, issue, pages and publisher."""
    volume, issue = text_of(child_of(meta, "volume")), text_of(child_of(meta, "issue"))
    pages = EN_DASH.join(filter(None, (text_of(child_of(meta, name)) for name in ("fpage", "lpage"))))
    article = text_of(child_of(meta, "elocation-id"))
    publisher = None if journal is None else child_of(journal, "publisher")
    parts = [_journal_title(journal), f"volume {volume}" if volume else "", f"issue {issue}" if issue else ""]
    parts += [f"pages {pages}" if pages else "", f"article {article}" if article else ""]
    parts.append("" if publisher is None else text_of(child_of(publisher, "publisher-name")))
    return ", ".join(filter(None, parts))


def _identifiers(meta: Element) -> Iterator[tuple[str, str]]:
    for element in _children(meta, "article-id", "book-id", "std-ref"):
        name = _IDENTIFIERS.get(attribute(element, "pub-id-type").lower())
        if name is not None or name_of(element) == "std-ref":
            yield name or "Standard", text_of(element)


def _dates(meta: Element) -> Iterator[tuple[str, str]]:
    """Yield the date of publication, then the dates of its history, as "2020-06-01"."""
    published = [(_kind(each), _date(each)) for each in _children(meta, "pub-date")]
    known = [date for kind in _PUBLISHED for each, date in published if each == kind and date]
    # The longest is the most precise: some files have a year first and a full date after it.
    best = max(known, key=len, default=next((date for _, date in published if date), ""))
    if best:
        yield "Published", best
    history = child_of(meta, "history")
    for element in () if history is None else _children(history, "date"):
        yield _kind(element).replace("-", " ").capitalize() or "Date", _date(element)


def _kind(element: Element) -> str:
    return attribute(element, "date-type") or attribute(element, "pub-type")


def _date(element: Element) -> str:
    if given := attribute(element, "iso-8601-date"):
        return given[:10]
    year, month, day = (text_of(child_of(element, name)) for name in ("year", "month", "day"))
    if year and month.isdecimal():
        return "-".join([year, month.zfill(2), *([day.zfill(2)] if day.isdecimal() else [])])
    season = month or text_of(child_of(element, "season"))
    return " ".join(filter(None, (day, season, year))) or text_of(child_of(element, "string-date"))


def _subjects(meta: Element) -> Iterator[str]:
    categories = child_of(meta, "article-categories")
    elements = () if categories is None else (each for each in categories.iter() if name_of(each) == "subject")
    yield from dict.fromkeys(text for each in elements if (text := text_of(each)))


def _keywords(meta: Element) -> Iterator[tuple[str, str]]:
    for group in _children(meta, "kwd-group"):
        words = [text_of(each) for each in group.iter() if name_of(each) in ("kwd", "compound-kwd")]
        yield text_of(child_of(group, "title")).rstrip(":") or "Keywords", ", ".join(filter(None, words))


def _notes(meta: Element) -> Iterator[tuple[str, str]]:
    notes = child_of(meta, "author-notes")
    parts = [] if notes is None else [text_of(each, ("label",)) for each in _children(notes, "corresp", "fn", "p")]
    yield "Author notes", " ".join(filter(None, parts))
    groups = child_of(meta, "custom-meta-group")
    for element in () if groups is None else _children(groups, "custom-meta"):
        name, value = text_of(child_of(element, "meta-name")), text_of(child_of(element, "meta-value"))
        if " " in value:  # a statement, no setting of the publisher's program
            yield name or "Note", value


def _funding(meta: Element) -> Iterator[tuple[str, str]]:
    group = child_of(meta, "funding-group")
    if group is None:
        return
    awards = [_award(each) for each in _children(group, "award-group")]
    statement = text_of(child_of(group, "funding-statement"))
    yield "Funding", "; ".join(dict.fromkeys(filter(None, [*awards, statement])))


def _award(element: Element) -> str:
    source = ", ".join(text_of(each) for each in _children(element, "funding-source"))
    number = ", ".join(text_of(each) for each in _children(element, "award-id"))
    return f"{source} ({number})" if source and number else source or number


def _licences(meta: Element) -> Iterator[tuple[str, str]]:
    permissions = child_of(meta, "permissions")
    if permissions is None:
        return
    yield "Copyright", text_of(child_of(permissions, "copyright-statement"))
    for licence in _children(permissions, "license"):
        yield "License", " ".join(text_of(each) for each in _children(licence, "license-p", "p"))
