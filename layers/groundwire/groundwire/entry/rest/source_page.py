"""Page of a source: the cited passage among its neighbours, and the way to the original; HTML without scripts."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

from groundwire.domain.access.policy import AccessReason
from groundwire.domain.documents.segment import Segment
from groundwire.domain.text.timestamps import utc_datetime
from groundwire.entry.rest.error_page import style_source
from groundwire.services.documents.browse.cited_passage import CitedPassage
from groundwire.services.documents.link_opener import AdmittedLink
from groundwire.services.documents.source_links import passage_url

ORIGINAL_QUERY: Final = "as=original"
"""Query of a link with which a browser asks for the original instead of the page."""

_SLIDES: Final = frozenset({"pptx", "ppt", "pps", "ppsx", "odp"})
_SHEETS: Final = frozenset({"xlsx", "xlsm", "xls", "ods"})
_STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif}"
    "main{max-width:44rem;margin:3rem auto;padding:0 1.5rem}"
    "h1{font-size:1.5rem;line-height:1.3;overflow-wrap:anywhere}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}"
    "dd{margin:0;overflow-wrap:anywhere}"
    "section p{white-space:pre-wrap;overflow-wrap:anywhere}"
    "mark{padding:.1rem 0}"
)
# No sandbox: it would stop the download of the original, and the reload while the index wakes. Nothing here can run.
SOURCE_POLICY: Final = (
    f"default-src 'none'; style-src {style_source(_STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content security policy of the page: its own style and nothing else."""


@dataclass(frozen=True, slots=True)
class SourcePage:
    """Facts of a page.

    Attributes:
        passage: None while the index does not answer.
        retry_seconds: time after which the page loads again; of importance without a passage alone.
    """

    link: AdmittedLink
    passage: CitedPassage | None
    retry_seconds: int

    def to_html(self) -> str:
        """Return the page; all that a document or its owner wrote is escaped."""
        document = self.link.document
        title = escape(" ".join((document.title or document.source_file_name).split()))
        facts = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>\n" for name, value in self._facts())
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="robots" content="noindex">\n'
            f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n"
            f'<body>\n<main>\n<h1 dir="auto">{title}</h1>\n<dl>\n{facts}</dl>\n'
            f"{self._original()}{self._text()}</main>\n</body>\n</html>\n"
        )

    def _facts(self) -> Iterator[tuple[str, str]]:
        document = self.link.document
        yield "File", document.source_file_name
        cited = None if self.passage is None else self.passage.cited
        if cited is not None and cited.page_first is not None:
            yield _place_name(document.source_file_type), _pages(cited)
        moment = utc_datetime(document.updated_at)
        if moment is not None:
            yield "Updated", f"{moment:%Y-%m-%d}"
        yield "Visible because", _reason(self.link)

    def _original(self) -> str:
        if not self.link.has_original:
            return "<p>The original file is not available here.</p>\n"
        cited = None if self.passage is None else self.passage.cited
        page = None if cited is None else cited.page_first
        address = passage_url(f"?{ORIGINAL_QUERY}", self.link.document, page)
        return f'<p><a href="{escape(address)}">Open original</a></p>\n'

    def _text(self) -> str:
        if self.passage is None:
            return f'<p role="status">The index is waking. This page loads again in {self.retry_seconds} seconds.</p>\n'
        cited = self.passage.cited
        parts = "".join(_paragraph(each, is_cited=each == cited) for each in self.passage.shown)
        if not parts:
            return "<p>This document has no text.</p>\n"
        heading = "Cited passage" if cited is not None else "Beginning of the document"
        return f"<section>\n<h2>{heading}</h2>\n{parts}</section>\n"


def _paragraph(segment: Segment, *, is_cited: bool) -> str:
    text = escape(segment.text)
    return f'<p dir="auto" id="cited"><mark>{text}</mark></p>\n' if is_cited else f'<p dir="auto">{text}</p>\n'


def _place_name(file_type: str) -> str:
    return "Slide" if file_type in _SLIDES else "Sheet" if file_type in _SHEETS else "Page"


def _pages(segment: Segment) -> str:
    first, last = segment.page_first, segment.page_last
    return f"{first}" if last is None or last == first else f"{first} to {last}"


def _reason(link: AdmittedLink) -> str:
    """Return the clause that admits the principal, with what it names of user and tags, and of no other reader."""
    match link.reason:
        case AccessReason.PUBLIC:
            return "everybody in the organisation may read it"
        case AccessReason.NAMED_USER:
            return f"it names the user {link.principal.user}"
        case _:
            shared = sorted(link.principal.tags & link.document.readers.tags)
            return f"the user has {'the tag' if len(shared) == 1 else 'the tags'} {', '.join(shared)}"
