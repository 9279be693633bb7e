"""Answers to what the routes under `/opensearch` do not have: changes, explanations, and other parts of the engine."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.dialects.opensearch.errors import OpenSearchError, error_response, not_served
from groundwire.dialects.opensearch.http_rules import with_version
from groundwire.dialects.opensearch.rest.plugin_routes import no_handler_response

if TYPE_CHECKING:
    from groundwire_mcp.transport.http import HttpResponse

CHANGES: Final = frozenset({"PUT", "POST", "DELETE", "PATCH"})
"""Methods that change something."""
_READS_ONLY: Final = "these routes only read; add documents by ingestion"
_NO_EXPLANATION: Final = "explanations contain numbers of the whole index; hits have their relevance in _score"
_MOST_PATH_CHARACTERS: Final = 256
_UNSERVED: Final = frozenset(
    {
        *("_alias", "_aliases", "_analyze", "_data_stream", "_field_caps", "_index_template", "_ingest", "_mget"),
        *("_mtermvectors", "_nodes", "_pit", "_plugins", "_rank_eval", "_recovery", "_remote", "_render", "_script"),
        *("_scripts", "_segments", "_settings", "_snapshot", "_sql", "_stats", "_tasks", "_template", "_validate"),
    }
)
"""First parts of paths that the engine has and these routes have not."""


def unserved_response(path: str, method: str) -> "HttpResponse":
    """Return the response to what these routes do not have: changes and explanations are refused, the rest unknown."""
    shown = shown_path(path)
    if "/_explain" in path:
        return with_version(error_response(_forbidden(f"{method} {shown}", _NO_EXPLANATION)))
    if method in CHANGES:
        return with_version(error_response(_forbidden(f"{method} {shown}", _READS_ONLY)))
    if shown.removeprefix("/").split("/")[0] in _UNSERVED:
        hint = (
            "these exist: _search, _count, _msearch, _mapping, _cat/indices, _cat/shards, _resolve and _cluster/health"
        )
        return with_version(error_response(not_served(f"{method} {shown}", hint)))
    if path.startswith("/_") and "/" not in path[1:]:
        name = shown.removeprefix("/")
        reason = f"Invalid index name [{name}], must not start with '_'."
        members = {"index": name, "index_uuid": "_na_"}
        return with_version(
            error_response(OpenSearchError(HTTPStatus.BAD_REQUEST, "invalid_index_name_exception", reason, members))
        )
    return no_handler_response(path, method)


def _forbidden(what: str, why: str) -> OpenSearchError:
    return OpenSearchError(HTTPStatus.FORBIDDEN, "security_exception", f"no permissions for [{what}]: {why}")


def shown_path(path: str) -> str:
    """Return a path in a length for messages."""
    return path[:_MOST_PATH_CHARACTERS]
