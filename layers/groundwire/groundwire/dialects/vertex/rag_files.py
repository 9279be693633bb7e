"""Corpora and files to read: the collections and documents that exist for the caller, in Google's shapes."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qs

from groundwire.dialects.vertex.errors import invalid_field, not_found
from groundwire.domain.documents.ids import MAX_ID_CHARACTERS
from groundwire.domain.limits import PAGE_TOKEN_SECONDS
from groundwire.domain.text.timestamps import utc_datetime
from groundwire_mcp.continuation import ContinuationForm, UnknownContinuation

if TYPE_CHECKING:
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.domain.documents.collection import Collection
    from groundwire.domain.documents.record import Document
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.continuation import Binding

_PAGE_TOKEN: Final = ContinuationForm(
    purpose="vertex.page",
    lifetime_seconds=PAGE_TOKEN_SECONDS,
    member_names=None,
    least_bytes=MAX_ID_CHARACTERS + 96,
)
"""Form of a page token, bound to a digest of the list and of the caller with its rights.

Every token has the length of one with the longest id. A list that ran out of time may go on after a document that the
caller must not know of, and a token as long as its id would reveal that id.
"""
_DEFAULT_PAGE: Final = 50
_MAX_PAGE: Final = 100
_PAGE_SIZE: Final = re.compile(r"-?[0-9]{1,10}")
_ACTIVE: Final = {"state": "ACTIVE"}


class PageRequest(NamedTuple):
    """Page that a list asks for.

    Attributes:
        token: as sent; empty for the first page.
    """

    size: int
    token: str


def read_page_request(query: str) -> PageRequest:
    """Return the page that a query string asks for; other parameters are Google's own, and are ignored.

    Raises:
        GoogleError: the size is no number, or negative.
    """
    sent = parse_qs(query)
    [size] = (sent.get("pageSize") or sent.get("page_size") or ["0"])[-1:]
    [token] = (sent.get("pageToken") or sent.get("page_token") or [""])[-1:]
    if not _PAGE_SIZE.fullmatch(size) or int(size) < 0:
        raise invalid_field("page_size", "page_size must be a whole number from 0.")
    return PageRequest(min(int(size) or _DEFAULT_PAGE, _MAX_PAGE), token)


class Corpora:
    """Reader of corpora and their files."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services

    def list_corpora(self, call: "CallContext", parent: str, page: PageRequest) -> Mapping[str, object]:
        """Return a page of the corpora, by name."""
        after = self._position(call, parent, page) or ""
        rest = [each for each in self._services.reading.readable_collections.all(call.caller) if each.name > after]
        shown = rest[: page.size]
        token = self._token(call, parent, shown[-1].name) if len(rest) > len(shown) else None
        return _listing("ragCorpora", [_corpus(parent, each) for each in shown], token)

    def corpus(self, call: "CallContext", parent: str, collection: str) -> Mapping[str, object]:
        """Return one corpus.

        Raises:
            GoogleError: it does not exist for the caller.
        """
        found = self._services.reading.readable_collections.all(call.caller)
        for each in found:
            if each.name == collection:
                return _corpus(parent, each)
        raise not_found(f"{parent}/ragCorpora/{collection}")

    def list_files(self, call: "CallContext", parent: str, collection: str, page: PageRequest) -> Mapping[str, object]:
        """Return a page of a corpus's files, by id.

        Raises:
            GoogleError: the corpus does not exist for the caller.
        """
        corpus = f"{parent}/ragCorpora/{collection}"
        if not self._services.reading.readable_collections.existing(call.caller, [collection]):
            raise not_found(corpus)
        after = self._position(call, corpus, page)
        found = self._services.reading.document_catalog.documents_of(call.caller, collection, after, page.size)
        token = None if found.next_after is None else self._token(call, corpus, found.next_after)
        return _listing("ragFiles", [_file(corpus, each) for each in found.documents], token)

    def file(self, call: "CallContext", parent: str, collection: str, doc_id: str) -> Mapping[str, object]:
        """Return one file.

        Raises:
            GoogleError: it does not exist for the caller, or is of another corpus.
        """
        corpus = f"{parent}/ragCorpora/{collection}"
        document = self._services.reading.document_reader.document(call.caller, doc_id)
        if document is None or document.collection != collection:
            raise not_found(f"{corpus}/ragFiles/{doc_id}")
        return _file(corpus, document)

    def _token(self, call: "CallContext", resource: str, after: str) -> str:
        """Return the token of the next page."""
        sealer, now = self._services.reading.sealer, self._services.reading.clock()
        return _PAGE_TOKEN.seal(sealer, now, _binding(call, resource), after)

    def _position(self, call: "CallContext", resource: str, page: PageRequest) -> str | None:
        """Return the name after which the page begins; None for the first page.

        Raises:
            GoogleError: the token is malformed, of another list or caller, or has expired.
        """
        if not page.token:
            return None
        sealer, now = self._services.reading.sealer, self._services.reading.clock()
        try:
            return _PAGE_TOKEN.open(sealer, now, _binding(call, resource), page.token)
        except UnknownContinuation:
            reason = "page_token belongs to another list or caller, or has expired: start the list again."
            raise invalid_field("page_token", reason) from None


def _binding(call: "CallContext", resource: str) -> "Binding":
    """Return a digest of the list, and of the caller with its rights."""
    principal = call.caller.principal
    owner = [principal.tenant, call.caller.kid, principal.user, sorted(principal.tags), resource]
    return [sha256(json.dumps(owner).encode()).hexdigest()]


def _listing(name: str, members: list[Mapping[str, object]], token: str | None) -> Mapping[str, object]:
    return {name: members, **({} if token is None else {"nextPageToken": token})}


def _corpus(parent: str, collection: "Collection") -> Mapping[str, object]:
    description = {} if collection.description is None else {"description": collection.description}
    return {
        "name": f"{parent}/ragCorpora/{collection.name}",
        "displayName": collection.name,
        **description,
        "corpusStatus": _ACTIVE,
    }


def _file(corpus: str, document: "Document") -> Mapping[str, object]:
    return {
        "name": f"{corpus}/ragFiles/{document.doc_id}",
        "displayName": document.source_file_name,
        **({"description": document.title} if document.title else {}),
        **_time_member("createTime", document.created_at),
        **_time_member("updateTime", document.updated_at),
        "fileStatus": _ACTIVE,
    }


def _time_member(name: str, seconds: float) -> Mapping[str, object]:
    moment = utc_datetime(seconds)
    # The JSON form of a time in proto3 ends in `Z`.
    return {} if moment is None else {name: f"{moment.replace(tzinfo=None).isoformat()}Z"}
