"""Quotations of documents for models: text within boundary lines, with its source, and notices of searches."""

import secrets
from collections.abc import Callable, Mapping, Sequence

from groundwire.domain.documents.ids import short_passage_id
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.limits import MAX_ALSO_IN
from groundwire.domain.search.quotations import Quotation, format_quotations
from groundwire.services.documents.browse import TextPage
from groundwire.services.documents.links.source_links import Citation, CiteFunction
from groundwire.services.search import Passage, SearchResult
from groundwire_mcp.definitions.content import TextContent


def format_with_boundary(quotations: Sequence[Quotation], note: str | None = None) -> str:
    """Return the quotations within random boundary lines, which no document can contain on purpose.

    Decimal digits cost a model half of the tokens that hexadecimal ones cost.
    """
    return format_quotations(quotations, f"={secrets.randbelow(10**9):09}", note)


def format_passages(passages: Sequence[Passage], urls: Mapping[str, str | None], note: str | None = None) -> str:
    """Return the passages as quotations, best first.

    `urls` maps document ids to links or their codes, or to None for no link. `note` is a line before the quotations.
    """
    quoted = [passage_quotation(passage, urls[passage.document.doc_id]) for passage in passages]
    return format_with_boundary(quoted, note)


def passage_quotation(passage: Passage, url: str | None) -> Quotation:
    """Return the quotation of a passage with its neighbours."""
    page_first, page_last = passage.pages
    return Quotation(
        passage_id=short_passage_id(passage.segment.uid),
        doc_id=passage.document.doc_id,
        file_name=passage.document.source_file_name,
        heading_path=passage.segment.heading_path,
        page_first=page_first,
        page_last=page_last,
        url=url,
        text=passage.text,
        also_in=other_files(passage),
    )


def cite_passage(cite: CiteFunction, passage: Passage, caller: Caller) -> Citation:
    """Return the citation of a passage, at its own page: a neighbour that is shown with it may begin before."""
    return cite(passage.document, caller, passage.segment.page_first, passage.segment.uid)


def passage_addresses(cite: CiteFunction, caller: Caller) -> Callable[[Passage], str]:
    """Return the function that gives a passage's address, at which this caller opens its source."""
    return lambda passage: cite_passage(cite, passage, caller).url


def cite_page(cite: CiteFunction, page: TextPage, caller: Caller) -> Citation:
    """Return the citation of a page of a document's text, at its first passage."""
    first = page.segments[0].uid if page.segments else None
    return cite(page.document, caller, page.source_pages[0], first)


def other_files(passage: Passage) -> tuple[str, ...]:
    """Return the file names of other documents with nearly the same passage, best first, `MAX_ALSO_IN` at most.

    The caller may read each of them, as near-duplicates are found among readable passages alone.
    """
    others = {each.document.doc_id: each.document.source_file_name for each in passage.also_in}
    # A near-duplicate in the same document is no other file.
    others.pop(passage.document.doc_id, None)
    return tuple(dict.fromkeys(others.values()))[:MAX_ALSO_IN]


def page_quotation(page: TextPage, url: str) -> Quotation:
    """Return the quotation of a page of a document's text, under the document's id."""
    page_first, page_last = page.source_pages
    return Quotation(
        passage_id=page.document.doc_id,
        doc_id=page.document.doc_id,
        file_name=page.document.source_file_name,
        heading_path=(),
        page_first=page_first,
        page_last=page_last,
        url=url,
        text=page.text,
    )


def audit_name(document: Document) -> str:
    """Return the document's name in audit records: its id and the version of the policy that allowed the access."""
    return f"{document.doc_id}@{document.policy_version}"


def answer_content(result: SearchResult, quotations: str, *remarks: str) -> tuple[TextContent]:
    """Return the notice, the quotations and remarks on them as one text: some clients read the first block alone.

    Where nothing is relevant enough, the notice says so, and the quotations would say the same in other words.
    """
    quoted = None if result.is_below_floor else quotations
    return (TextContent("\n\n".join(filter(None, (result.notice, quoted, *remarks)))),)


def notice_member(result: SearchResult) -> Mapping[str, object]:
    """Return the notice as the member `notice` of structured output; empty if it is missing."""
    return {} if result.notice is None else {"notice": result.notice}
