"""Response with the page of a source: the facts at once, then the passage, as soon as the index has it.

The first page needs the registry alone, so that an index that sleeps delays no reader. A browser then loads the page
with the passage by itself; a program that reads pages and loads nothing by itself gets that page at once.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from groundwire.domain.errors import Unavailable
from groundwire.entry.rest.links.link_responses import FORM_PARAMETER, RETRY_SECONDS, page_response
from groundwire.entry.rest.links.source_page import SOURCE_POLICY, NextLoad, SourcePage
from groundwire.entry.rest.telemetry import telemetry
from groundwire.ports import Indexes
from groundwire.services.documents.browse.cited_passage import CitedPassage, passage_digits, read_cited_passage
from groundwire.services.documents.links.link_opener import AdmittedLink
from groundwire.services.documents.links.source_links import PASSAGE_PARAMETER
from groundwire_mcp.transport.http import HttpResponse

_PASSAGE_FORM: Final = "passage"
_ATTEMPT_PARAMETER: Final = "n"
_ATTEMPT: Final = re.compile(r"[1-9]")
_MAX_ATTEMPTS: Final = 9
"""Loads of a page that waits for the index; after them a tab that nobody looks at calls no longer."""


def source_page_response(
    indexes: Indexes, link: AdmittedLink, parameters: Mapping[str, Sequence[str]], *, is_browser: bool
) -> tuple[str, HttpResponse]:
    """Return the outcome for the audit line, `shown` where the page has a text of the document, and the page.

    Args:
        indexes: those of all tenants.
        link: to the document.
        parameters: of the query of the link.
        is_browser: the caller loads the next page by itself.
    """
    digits = passage_digits(parameters.get(PASSAGE_PARAMETER, [""])[0])
    if is_browser and parameters.get(FORM_PARAMETER) != [_PASSAGE_FORM]:
        passage = NextLoad(_passage_query(digits, 1), 0, is_index_asleep=False)
    else:
        passage = _passage(indexes, link, digits, parameters.get(_ATTEMPT_PARAMETER, [""])[0])
    page = SourcePage(link, passage).to_html()
    if not isinstance(passage, NextLoad):
        return "shown", page_response(page, SOURCE_POLICY, {})
    # A header, as the page has no script; browsers follow it as they follow a `meta` element (HTML, 7.4.6).
    refresh = {} if passage.seconds is None else {"refresh": f"{passage.seconds}; url=?{passage.query}"}
    return "page", page_response(page, SOURCE_POLICY, refresh)


def _passage(indexes: Indexes, link: AdmittedLink, digits: str | None, attempt: str) -> CitedPassage | NextLoad:
    """Return the passage, or the page that tries again where the index does not answer."""
    try:
        return read_cited_passage(indexes, link.principal.tenant, link.document, digits)
    except Unavailable as error:
        telemetry().error(str(error))
        number = int(attempt) if _ATTEMPT.fullmatch(attempt) else _MAX_ATTEMPTS
        seconds = max(RETRY_SECONDS, error.retry_after_s) if number < _MAX_ATTEMPTS else None
        return NextLoad(_passage_query(digits, min(number + 1, _MAX_ATTEMPTS)), seconds, is_index_asleep=True)


def _passage_query(digits: str | None, attempt: int) -> str:
    """Return the query of the page with the passage."""
    named = "" if digits is None else f"{PASSAGE_PARAMETER}={digits}&"
    return f"{named}{FORM_PARAMETER}={_PASSAGE_FORM}&{_ATTEMPT_PARAMETER}={attempt}"
