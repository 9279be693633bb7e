"""What documents say, as every dialect gives it to a model: quoted within a frame, with where it is from."""

import secrets
from collections.abc import Mapping, Sequence

from groundwire.domain.documents.record import Document
from groundwire.domain.search.quotations import Quotation, format_quotations
from groundwire.services.documents.browse import TextPage
from groundwire.services.search import Passage


def format_with_boundary(quotations: Sequence[Quotation]) -> str:
    """The quotations within boundary lines that no document could have foreseen."""
    return format_quotations(quotations, f"doc-{secrets.token_hex(8)}")


def format_passages(passages: Sequence[Passage], urls: Mapping[str, str]) -> str:
    """The passages, best first; `urls` are those of their documents, by id."""
    return format_with_boundary([passage_quotation(passage, urls[passage.document.doc_id]) for passage in passages])


def passage_quotation(passage: Passage, url: str) -> Quotation:
    """A passage, with the neighbours that it brings."""
    page_first, page_last = passage.pages
    return Quotation(
        segment_uid=passage.segment.uid,
        file_name=passage.document.source_file_name,
        heading_path=passage.segment.heading_path,
        page_first=page_first,
        page_last=page_last,
        url=url,
        text=passage.text,
    )


def page_quotation(page: TextPage, url: str) -> Quotation:
    """A page of a document's text, under the document's id."""
    page_first, page_last = page.source_pages
    return Quotation(
        segment_uid=page.document.doc_id,
        file_name=page.document.source_file_name,
        heading_path=(),
        page_first=page_first,
        page_last=page_last,
        url=url,
        text=page.text,
    )


def audit_name(document: Document) -> str:
    """A document as the audit line names it: its id, and the version of the policy that let it be read."""
    return f"{document.doc_id}@{document.policy_version}"
