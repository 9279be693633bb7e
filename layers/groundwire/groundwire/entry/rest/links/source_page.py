"""Page of a source: the cited passage among its neighbours, and the way to the original; HTML without scripts.

The registry gives the facts of the page, and the index its passage. So that an index that sleeps delays no reader, the
first page has the facts alone, and loads the page with the passage by itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import shorten
from typing import Final

from groundwire.domain.access.policy import AccessReason
from groundwire.domain.documents.segment import Segment
from groundwire.domain.documents.source_file import page_noun
from groundwire.domain.text.timestamps import utc_datetime
from groundwire.entry.rest.links.error_page import style_source
from groundwire.entry.rest.links.link_responses import FORM_PARAMETER, ORIGINAL_FORM, PAGE_PARAMETER, PICTURE_FORM
from groundwire.services.documents.browse.cited_passage import CitedPassage, pages_of
from groundwire.services.documents.links.link_opener import AdmittedLink
from groundwire.services.documents.links.source_links import PASSAGE_PARAMETER, passage_url
from groundwire.services.documents.original_headers import shown_file_name

# Whoever was passed the link reads the page, so it names no user and no tag.
_REASONS: Final = {
    AccessReason.PUBLIC: "everybody in the organisation may read it",
    AccessReason.NAMED_USER: "it names the person for whom this link was made",
    AccessReason.TAGS: "the person for whom this link was made has the tags that it requires",
}
_WITHIN_CEILING: Final = "the person for whom this link was made is among the readers to whom somebody limited it"
"""Reason under a ceiling: the clause of the declared policy would name more readers than there are."""
_DESCRIBED_CHARACTERS: Final = 300
"""Characters of the passage that a picture's description repeats, for people who do not see it."""
_MAX_PICTURES: Final = 3
"""Pages of one passage that are shown: more are a table over many pages, of which the original is the better view."""
_STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif}"
    "main{max-width:44rem;margin:3rem auto;padding:0 1.5rem}"
    "h1{font-size:1.5rem;line-height:1.3;overflow-wrap:anywhere}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}"
    "dd{margin:0;overflow-wrap:anywhere}"
    "section p{white-space:pre-wrap;overflow-wrap:anywhere}"
    "mark{padding:.1rem 0}"
    "figure{margin:2rem 0}"
    "img{display:block;max-width:100%;height:auto;background:#fff}"
)
# Browsers stop a page that loads another by itself, unless its sandbox has `allow-scripts`; `default-src` admits none.
_SANDBOX: Final = "sandbox allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"
SOURCE_POLICY: Final = (
    f"default-src 'none'; style-src {style_source(_STYLE)}; img-src 'self'; base-uri 'none'; form-action 'none'; "
    f"frame-ancestors 'none'; {_SANDBOX}"
)
"""Content security policy of the page: its own style and pictures and nothing else, in an origin of its own."""


@dataclass(frozen=True, slots=True)
class NextLoad:
    """Page that follows a page without a passage.

    Attributes:
        query: that of its address, in characters that need no escape.
        seconds: time after which a browser loads it; None: the reader decides, since the index was tried often enough.
        is_index_asleep: the index has been tried, and did not answer.
    """

    query: str
    seconds: int | None
    is_index_asleep: bool


@dataclass(frozen=True, slots=True)
class SourcePage:
    """Facts of a page, and its passage or the page that has it."""

    link: AdmittedLink
    passage: CitedPassage | NextLoad

    def to_html(self) -> str:
        """Return the page; all that a document or its owner wrote is escaped."""
        document = self.link.document
        title = escape(" ".join((document.title or shown_file_name(document)).split()))
        facts = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>\n" for name, value in self._facts())
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="robots" content="noindex">\n'
            f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n"
            f'<body>\n<main>\n<h1 dir="auto">{title}</h1>\n<dl>\n{facts}</dl>\n'
            f"{self._original()}{self._text()}{self._pictures()}</main>\n</body>\n</html>\n"
        )

    def _facts(self) -> Iterator[tuple[str, str]]:
        document = self.link.document
        yield "File", shown_file_name(document)
        cited = self._cited()
        if cited is not None and cited.page_first is not None:
            yield page_noun(document.source_file_type).capitalize(), _pages(cited)
        moment = utc_datetime(document.updated_at)
        if moment is not None:
            yield "Updated", f"{moment:%Y-%m-%d}"
        yield "Visible because", _WITHIN_CEILING if document.ceiling is not None else _REASONS[self.link.reason]

    def _cited(self) -> Segment | None:
        return self.passage.cited if isinstance(self.passage, CitedPassage) else None

    def _original(self) -> str:
        if not self.link.has_original:
            return "<p>The original file is not available here.</p>\n"
        cited = self._cited()
        page = None if cited is None else cited.page_first
        address = passage_url(f"?{FORM_PARAMETER}={ORIGINAL_FORM}", self.link.document, page)
        return f'<p><a href="{escape(address)}">Open original</a></p>\n'

    def _pictures(self) -> str:
        """Return the pages of the cited passage, whose pictures are requests of their own; empty for other formats."""
        cited = self._cited()
        if cited is None or not self.link.has_page_pictures:
            return ""
        return "".join(_figure(cited, page) for page in pages_of(cited)[:_MAX_PICTURES])

    def _text(self) -> str:
        if isinstance(self.passage, NextLoad):
            return _status(self.passage)
        cited = self.passage.cited
        parts = "".join(_paragraph(each, is_cited=each == cited) for each in self.passage.shown)
        if not parts:
            return "<p>This document has no text.</p>\n"
        heading = "Cited passage" if cited is not None else "Beginning of the document"
        return f"<section>\n<h2>{heading}</h2>\n{parts}</section>\n"


def _status(following: NextLoad) -> str:
    """Return a line with the way to the passage, also for browsers that load nothing by themselves."""
    address = f"?{escape(following.query)}"
    if not following.is_index_asleep:
        return f'<p role="status"><a href="{address}">Show the passage</a></p>\n'
    wait = "" if following.seconds is None else f" This page loads again in {following.seconds} seconds."
    return f'<p role="status">The index is waking.{wait} <a href="{address}">Try again</a></p>\n'


def _figure(cited: Segment, page: int) -> str:
    named = f"{PASSAGE_PARAMETER}={cited.uid.rpartition('.')[2]}&{FORM_PARAMETER}={PICTURE_FORM}"
    source = escape(f"?{named}&{PAGE_PARAMETER}={page}")
    quoted = escape(shorten(cited.text, _DESCRIBED_CHARACTERS, placeholder=" …"))
    return (
        f'<figure>\n<img src="{source}" alt="Page {page}, with the marked passage: {quoted}">\n'
        f"<figcaption>Page {page} of the file. The passage is marked where the page has its text.</figcaption>\n"
        "</figure>\n"
    )


def _paragraph(segment: Segment, *, is_cited: bool) -> str:
    text = escape(segment.text)
    return f'<p dir="auto" id="cited"><mark>{text}</mark></p>\n' if is_cited else f'<p dir="auto">{text}</p>\n'


def _pages(segment: Segment) -> str:
    first, last = segment.page_first, segment.page_last
    return f"{first}" if last is None or last == first else f"{first} to {last}"
