"""Calls of every dialect, as its clients make them, about a collection, a document or a passage."""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, Literal, NamedTuple

from tests.support.isolation.draws import COMMON
from tests.support.isolation.expectations import Held

Scope = Literal["everything", "collection", "document", "file", "passage", "pair"]
"""Documents that a call is about: all, those of a collection, one, one of a collection, one by a passage, or two."""
Shows = Callable[[Held], list[str]]

MOST: Final = 20
"""Passages of a search, which no history has more of."""
PARENT: Final = "projects/p1/locations/eu"
_JSON: Final = {"content-type": "application/json"}
_OF_MCP: Final = {
    **_JSON,
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
}
"""Headers of an MCP client. A call without them is one of Mindset AI's, whose answers have a form of their own."""


class Wanted(NamedTuple):
    """Names that a call holds.

    Attributes:
        second: another document, for calls about two.
    """

    collection: str
    doc_id: str
    uid: str
    second: str


class DialectCall(NamedTuple):
    """Call of a dialect.

    Attributes:
        name: of dialect and operation.
        toolset: of the key; None: the call does not depend on it.
        scope: the documents that the answer may be of.
        shows: texts of a document that an answer must hold if the caller may read it.
        request: returns method, path and JSON body; None: no body.
        headers: beside those of key and user.
        is_partial: the answer is a page, which may hold a part of the texts.
        wrong_key_status: of the answer to a key that has ended.
        tells_deletions: whoever may read a deleted document is told that it was deleted.
    """

    name: str
    toolset: str | None
    scope: Scope
    shows: Shows
    request: Callable[[Wanted], tuple[str, str, Mapping[str, object] | None]]
    headers: Mapping[str, str] = _JSON
    is_partial: bool = False
    reports_deletions: bool = False
    wrong_key_status: HTTPStatus = HTTPStatus.UNAUTHORIZED

    def send(self, wanted: Wanted) -> tuple[str, str, bytes]:
        """Return method, path and body of the call."""
        method, path, body = self.request(wanted)
        return method, path, b"" if body is None else json.dumps(body).encode()


def word_of(passage: str) -> str:
    """Return the word that no other passage has."""
    return passage.split()[4]


def _words(held: Held) -> list[str]:
    return [word_of(passage) for passage in held.passages]


def _doc_id(held: Held) -> list[str]:
    return [held.doc_id]


def _collection(held: Held) -> list[str]:
    return [held.collection]


def _link(_held: Held) -> list[str]:
    return ["/o/"]


def _mcp(
    name: str,
    toolset: str | None,
    scope: Scope,
    shows: Shows,
    method: str,
    params: Callable[[Wanted], Mapping[str, object]],
    path: str = "/mcp",
) -> DialectCall:
    def request(wanted: Wanted) -> tuple[str, str, Mapping[str, object]]:
        return "POST", path, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params(wanted)}

    return DialectCall(name, toolset, scope, shows, request, _JSON if toolset == "mindset" else _OF_MCP)


def _tool(
    dialect: str,
    tool: str,
    scope: Scope,
    shows: Shows,
    arguments: Callable[[Wanted], Mapping[str, object]],
    *,
    path: str = "/mcp",
    about: str = "",
) -> DialectCall:
    def params(wanted: Wanted) -> Mapping[str, object]:
        return {"name": tool, "arguments": arguments(wanted)}

    toolset = dialect if path == "/mcp" else None
    return _mcp(f"{dialect}: {tool}{about}", toolset, scope, shows, "tools/call", params, path)


def _library(toolset: str) -> list[DialectCall]:
    def read(about: str, scope: Scope, shows: Shows, uri: str) -> DialectCall:
        def params(wanted: Wanted) -> Mapping[str, object]:
            return {"uri": f"groundwire://{uri.format_map(wanted._asdict())}"}

        return _mcp(f"{toolset}: resources/read of a {about}", toolset, scope, shows, "resources/read", params)

    def prompt(about: str, scope: Scope, name: str, arguments: Callable[[Wanted], Mapping[str, object]]) -> DialectCall:
        def params(wanted: Wanted) -> Mapping[str, object]:
            return {"name": name, "arguments": arguments(wanted)}

        return _mcp(f"{toolset}: {name}{about}", toolset, scope, _words, "prompts/get", params)

    document = {"type": "ref/resource", "uri": "groundwire://documents/{doc_id}"}
    completed = {"ref": document, "argument": {"name": "doc_id", "value": ""}}
    question = {"question": COMMON}
    return [
        # Of the pages of a list this is the first; `tests/isolation/browsing.py` reads all of them.
        _mcp(f"{toolset}: resources/list", toolset, "everything", _doc_id, "resources/list", lambda _: {})._replace(
            is_partial=True
        ),
        _mcp(
            f"{toolset}: completion", toolset, "everything", _doc_id, "completion/complete", lambda _: completed
        )._replace(is_partial=True),
        read("collection", "collection", _doc_id, "collections/{collection}")._replace(is_partial=True),
        read("document", "document", _words, "documents/{doc_id}"),
        read("page", "document", _words, "documents/{doc_id}/pages/1"),
        read("passage", "passage", _words, "segments/{uid}"),
        prompt("", "everything", "answer_with_citations", lambda _: question),
        prompt(
            " of a collection",
            "collection",
            "answer_with_citations",
            lambda wanted: {**question, "collection": wanted.collection},
        ),
        prompt(
            "",
            "pair",
            "compare_sources",
            lambda wanted: {"topic": COMMON, "first": wanted.doc_id, "second": wanted.second},
        ),
    ]


def _default() -> list[DialectCall]:
    def search(wanted: Wanted) -> Mapping[str, object]:
        return {"search_phrases": [COMMON], "collections": [wanted.collection], "top_n": MOST}

    return [
        _tool("default", "rag_search", "collection", _words, search),
        _tool("default", "fetch", "passage", _words, lambda wanted: {"id": wanted.uid}, about=" of a passage"),
        _tool("default", "fetch", "document", _words, lambda wanted: {"id": wanted.doc_id}, about=" of a document"),
        _tool(
            "default", "fetch", "document", _words, lambda wanted: {"id": wanted.doc_id, "page": 1}, about=" of a page"
        ),
        _tool("default", "list_collections", "everything", _collection, lambda _: {}),
        *_library("default"),
    ]


def _mindset() -> list[DialectCall]:
    verify = _tool("mindset", "verify_document_access", "document", _link, lambda wanted: {"segment_uid": wanted.uid})
    return [
        _tool("mindset", "rag_search", "everything", _words, lambda _: {"search_phrases": [COMMON]}),
        verify._replace(reports_deletions=True),
        *_library("mindset"),
    ]


def _openai() -> list[DialectCall]:
    return [
        _tool("openai", "search", "everything", _doc_id, lambda _: {"query": COMMON}),
        _tool("openai", "rag_search", "everything", _words, lambda _: {"search_phrases": [COMMON]}),
        _tool("openai", "fetch", "passage", _words, lambda wanted: {"id": wanted.uid}, about=" of a passage"),
        _tool("openai", "fetch", "document", _words, lambda wanted: {"id": wanted.doc_id}, about=" of a document"),
        _tool(
            "openai", "fetch", "document", _words, lambda wanted: {"id": f"{wanted.doc_id}/pages/1"}, about=" of a page"
        ),
        *_library("openai"),
    ]


def _foundry() -> list[DialectCall]:
    def search(tool: str, shows: Shows = _words) -> DialectCall:
        def arguments(wanted: Wanted) -> Mapping[str, object]:
            return {"query": COMMON, "collection_names": [wanted.collection], "top_n": 50, "strictness": 0}

        return _tool("foundry", tool, "collection", shows, arguments, path="/edgeai/mcp")

    return [
        *(search(f"search_{kind}") for kind in ("hybrid", "vector", "text", "multimodal")),
        search("search_image", lambda held: _words(held)[-1:]),
        _tool("foundry", "get_available_collections", "everything", _collection, lambda _: {}, path="/edgeai/mcp"),
    ]


def _contexts(wanted: Wanted, *doc_ids: str) -> Mapping[str, object]:
    config = {"topK": 100, "filter": {"vectorDistanceThreshold": 2.1}}
    files = {"ragFileIds": list(doc_ids)} if doc_ids else {}
    corpus = {"ragCorpus": f"{PARENT}/ragCorpora/{wanted.collection}", **files}
    return {"query": {"text": COMMON, "ragRetrievalConfig": config}, "vertexRagStore": {"ragResources": [corpus]}}


def _vertex() -> list[DialectCall]:
    def tool(path: str) -> DialectCall:
        def arguments(wanted: Wanted) -> Mapping[str, object]:
            return {"parent": PARENT, **_contexts(wanted)}

        return _tool("vertex", "retrieve_contexts", "collection", _words, arguments, path=path, about=f" at {path}")

    def retrieve(version: str, colon: str) -> DialectCall:
        path = f"/{version}/{PARENT}{colon}retrieveContexts"

        def request(wanted: Wanted) -> tuple[str, str, Mapping[str, object]]:
            return "POST", path, _contexts(wanted)

        return DialectCall(f"vertex: POST {path}", None, "collection", _words, request)

    def files(wanted: Wanted) -> tuple[str, str, Mapping[str, object]]:
        return "POST", f"/v1beta1/{PARENT}/:retrieveContexts", _contexts(wanted, wanted.doc_id)

    def read(version: str, scope: Scope, shows: Shows, path: str) -> DialectCall:
        def request(wanted: Wanted) -> tuple[str, str, None]:
            return "GET", f"/{version}/{PARENT}/{path.format_map(wanted._asdict())}", None

        return DialectCall(f"vertex: GET {version} {path}", None, scope, shows, request)

    corpus = "ragCorpora/{collection}"
    forms: tuple[tuple[Scope, Shows, str], ...] = (
        ("everything", _collection, "ragCorpora"),
        ("collection", _collection, corpus),
        ("collection", _doc_id, f"{corpus}/ragFiles?pageSize=100"),
        ("file", _doc_id, f"{corpus}/ragFiles/{{doc_id}}"),
    )
    return [
        tool("/mcp/generate"),
        tool("/mcp/retrieval"),
        retrieve("v1", ":"),
        retrieve("v1", "/:"),
        retrieve("v1beta1", ":"),
        retrieve("v1beta1", "/:"),
        DialectCall("vertex: contexts of a file", None, "file", _words, files),
        *(read(version, *form) for version in ("v1", "v1beta1") for form in forms),
    ]


def _azure() -> list[DialectCall]:
    def retrieve(version: str, form: str) -> DialectCall:
        def request(wanted: Wanted) -> tuple[str, str, Mapping[str, object]]:
            source = {"filterAddOn": None, "rerankerThreshold": 0, "includeReferenceSourceData": True}
            if version == "2025-05-01-preview":
                requested: Mapping[str, object] = {
                    "messages": [{"role": "user", "content": [{"type": "text", "text": COMMON}]}],
                    "targetIndexParams": [{"indexName": wanted.collection, "maxDocsForReranker": 50, **source}],
                }
            else:
                named = {"knowledgeSourceName": wanted.collection, "kind": "searchIndex"}
                requested = {
                    "intents": [{"type": "semantic", "search": COMMON}],
                    "knowledgeSourceParams": [{**named, **source}],
                    "includeActivity": False,
                }
            return "POST", f"/{form.format(wanted.collection)}/retrieve?api-version={version}", requested

        call = DialectCall(f"azure: {form} {version}", None, "collection", _words, request)
        return call._replace(wrong_key_status=HTTPStatus.FORBIDDEN)

    return [
        retrieve("2025-05-01-preview", "agents/{}"),
        retrieve("2025-05-01-preview", "agents('{}')"),
        retrieve("2025-11-01-preview", "knowledgebases/{}"),
        retrieve("2026-04-01", "knowledgebases('{}')"),
        retrieve("2026-08-01-preview", "knowledgebases('{}')"),
    ]


def _opensearch() -> list[DialectCall]:
    engine = "/opensearch"

    def search(about: str, scope: Scope, query: Callable[[Wanted], Mapping[str, object]], path: str) -> DialectCall:
        def request(wanted: Wanted) -> tuple[str, str, Mapping[str, object]]:
            names = path.format_map(wanted._asdict())
            return "POST", f"{engine}{names}/_search", {"query": query(wanted), "size": 200}

        return DialectCall(f"opensearch: _search {about}", None, scope, _words, request)

    def read(path: str, scope: Scope) -> DialectCall:
        def request(wanted: Wanted) -> tuple[str, str, None]:
            return "GET", engine + path.format_map(wanted._asdict()), None

        return DialectCall(f"opensearch: GET {path}", None, scope, _collection, request)

    return [
        search("by a text", "collection", lambda _: {"match": {"content": COMMON}}, "/{collection}"),
        search(
            "by meaning", "everything", lambda _: {"neural": {"content_vector": {"query_text": COMMON, "k": 200}}}, ""
        ),
        search("of all", "collection", lambda _: {"match_all": {}}, "/{collection}"),
        search("of a pattern", "everything", lambda _: {"exists": {"field": "title"}}, "/*"),
        read("/_cat/indices?format=json", "everything"),
        read("/_resolve/index/*", "everything"),
        read("/_mapping", "everything"),
        read("/{collection}", "collection"),
        read("/_cat/indices/{collection}?format=json", "collection"),
        _tool("opensearch", "ListIndexTool", "everything", _collection, lambda _: {}, path="/_plugins/_ml/mcp"),
        _tool(
            "opensearch",
            "ListIndexTool",
            "collection",
            _collection,
            lambda wanted: {"indices": [wanted.collection]},
            path="/_plugins/_ml/mcp",
            about=" of one",
        ),
    ]


def _rest() -> DialectCall:
    def request(_wanted: Wanted) -> tuple[str, str, Mapping[str, object]]:
        return "POST", "/v1/search", {"phrases": [COMMON], "top_n": MOST}

    return DialectCall("REST: search", None, "everything", _words, request)


DIALECT_CALLS: Final = (
    *_default(),
    *_mindset(),
    *_openai(),
    *_foundry(),
    *_vertex(),
    *_azure(),
    *_opensearch(),
    _rest(),
)
"""Every operation by which a dialect serves what documents hold, and the product's own search over REST."""
