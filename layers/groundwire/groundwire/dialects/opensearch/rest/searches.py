"""`_search`, `_count` and `_msearch`: parameters of the URL join the body, and several searches share one answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from groundwire.dialects.opensearch.errors import (
    OpenSearchError,
    domain_errors,
    error_body,
    illegal_argument,
    parsing_error,
)
from groundwire.dialects.opensearch.index_names import split_names
from groundwire.dialects.opensearch.query.parsed import EVERY_PASSAGE
from groundwire.dialects.opensearch.rest.json_bodies import read_json, validation_error
from groundwire.dialects.opensearch.rest.parameters import NAMES, check_expansion, number, truth
from groundwire.domain.limits import SEARCH_SECONDS
from groundwire.domain.text.json_values import is_text_list, list_or_single, require_mapping
from groundwire.ports.deadline import time_limit
from groundwire.services.search.results import SearchResult

if TYPE_CHECKING:
    from groundwire.dialects.opensearch.engine import Engine, EngineAnswer, PreparedSearch
    from groundwire.services.call_context import CallContext

MAX_SEARCHES: Final = 10
_SOURCE: Final = "_source"
_SOURCE_LISTS: Final = {
    "_source_includes": "includes",
    "_source_include": "includes",
    "_source_excludes": "excludes",
    "_source_exclude": "excludes",
}
_IN_BODY: Final = frozenset({"size", "from", "sort", "track_total_hits", _SOURCE, *_SOURCE_LISTS})
_WITHOUT_EFFECT: Final = frozenset(
    {
        # opensearch-mcp-server-py sends `cancel_after_time_interval` where its user sets a timeout.
        *("allow_partial_search_results", "batched_reduce_size", "cancel_after_time_interval"),
        *("ccs_minimize_roundtrips", "max_concurrent_searches", "max_concurrent_shard_requests"),
        *("explain", "phase_took", "pre_filter_shard_size", "preference", "request_cache", "search_type"),
        *("seq_no_primary_term", "stats", "timeout", "track_scores", "verbose_pipeline", "version"),
    }
)
SEARCH_PARAMETERS: Final = _IN_BODY | _WITHOUT_EFFECT | NAMES | {"typed_keys"}
SEVERAL_PARAMETERS: Final = _WITHOUT_EFFECT | {"typed_keys"}
COUNT_PARAMETERS: Final = NAMES | {"preference"}
_SEND_BODY: Final = "send the query as a body"
SEARCH_REFUSED: Final[Mapping[str, str]] = {
    **dict.fromkeys(("q", "df", "analyzer", "analyze_wildcard", "default_operator", "lenient", "source"), _SEND_BODY),
    **dict.fromkeys(("source_content_type", "docvalue_fields", "stored_fields"), "use _source to select fields"),
    **dict.fromkeys(("scroll", "search_pipeline", "suggest_field", "suggest_mode", "suggest_text"), "leave it out"),
    **dict.fromkeys(("suggest_size", "terminate_after", "include_named_queries_score"), "leave it out"),
    "rest_total_hits_as_int": "hits.total is an object",
    "routing": "an index has one shard",
    "min_score": "the score of a hit is its relevance",
}
_HEADER_WITHOUT_EFFECT: Final = _WITHOUT_EFFECT | {"ignore_throttled", "expand_wildcards", "allow_no_indices"}


@dataclass(frozen=True, slots=True)
class Searches:
    """Search requests of the REST routes.

    Attributes:
        engine: indexes as callers see them.
    """

    engine: "Engine"

    def search(
        self, call: "CallContext", names: Sequence[str] | None, body: object, parameters: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return the answer of `_search`; a parameter counts before the member of the body.

        Args:
            call: whose rights apply.
            names: names and patterns; None: all indexes.
            body: the decoded body; None: there is none.
            parameters: of the URL.
        """
        members = {**_object(body), **_members(parameters)}
        answer = self.engine.run(call, self._prepare(call, names, members, parameters))
        call.audit_fields.update(answer.result.audit_fields(answer.shown))
        return answer.body

    def count(
        self, call: "CallContext", names: Sequence[str] | None, body: object, parameters: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return the answer of `_count`; arguments as in `search`."""
        return self.engine.count(call, self._names(call, names, parameters), _object(body), EVERY_PASSAGE)

    def search_several(
        self, call: "CallContext", names: Sequence[str] | None, body: bytes, parameters: Mapping[str, str]
    ) -> list[dict[str, Any]]:
        """Return the answers of the searches of `_msearch`, in order.

        A search whose index does not exist, or whose fields do not allow it, has its error in its place.

        Args:
            call: whose rights apply.
            names: indexes of searches that name none; None: all.
            body: lines of JSON, a header and a search by turns.
            parameters: of the URL.

        Raises:
            OpenSearchError: a line cannot be read, there are too many searches, or a part of the service fails.
        """
        prepared = [
            self._attempt_preparation(call, header, members, names, parameters) for header, members in _lines(body)
        ]
        # All searches share one limit of time, as they share one answer.
        with domain_errors(call), time_limit(SEARCH_SECONDS):
            answers = [each if isinstance(each, OpenSearchError) else self._attempt(call, each) for each in prepared]
        found = [each for each in answers if not isinstance(each, OpenSearchError)]
        notices = dict.fromkeys(each.result.degradation for each in found if each.result.degradation is not None)
        mismatches = max((each.result.acl_mismatches for each in found), default=0)
        result = SearchResult((), " ".join(notices) or None, mismatches)
        call.audit_fields.update(result.audit_fields([passage for each in found for passage in each.shown]))
        return [
            error_body(each) if isinstance(each, OpenSearchError) else {**each.body, "status": 200} for each in answers
        ]

    def _prepare(
        self,
        call: "CallContext",
        names: Sequence[str] | None,
        members: Mapping[str, Any],
        parameters: Mapping[str, str],
    ) -> "PreparedSearch":
        prepared = self.engine.prepare(call, self._names(call, names, parameters), members)
        if not truth(parameters, "typed_keys", default=False):
            return prepared
        named = tuple(each._replace(has_typed_name=True) for each in prepared.wanted.aggregations)
        return prepared._replace(wanted=prepared.wanted._replace(aggregations=named))

    def _names(self, call: "CallContext", names: Sequence[str] | None, parameters: Mapping[str, str]) -> list[str]:
        check_expansion(parameters)
        ignores_unknown = truth(parameters, "ignore_unavailable", default=False)
        return self.engine.names(call, names, ignores_unknown=ignores_unknown)

    def _attempt_preparation(
        self,
        call: "CallContext",
        header: Mapping[str, Any],
        members: Mapping[str, Any],
        names: Sequence[str] | None,
        parameters: Mapping[str, str],
    ) -> "PreparedSearch | OpenSearchError":
        own = {**parameters, **_header_parameters(header)}
        try:
            return self._prepare(call, _header_names(header) or names, members, own)
        except OpenSearchError as error:
            if _belongs_to_search(error):
                return error
            raise

    def _attempt(self, call: "CallContext", search: "PreparedSearch") -> "EngineAnswer | OpenSearchError":
        try:
            return self.engine.run(call, search)
        except OpenSearchError as error:
            # A part that does not answer fails the call, so that its status tells when to try again.
            if error.retry_after_s is None:
                return error
            raise


def _belongs_to_search(error: OpenSearchError) -> bool:
    """Return whether the engine has an error in the place of its search; it reads all searches before it runs one."""
    return error.is_of_shards or error.type == "index_not_found_exception"


def _object(body: object) -> Mapping[str, Any]:
    if body is None:
        return {}
    return require_mapping(body, parsing_error("Expected [START_OBJECT] but found another value"))


def _members(parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameters as members of a body."""
    members: dict[str, Any] = {name: number(parameters, name) for name in ("size", "from") if name in parameters}
    if "sort" in parameters:
        members["sort"] = [_order(each) for each in split_names(parameters["sort"])]
    if (total := parameters.get("track_total_hits")) is not None:
        is_number = total.removeprefix("-").isdecimal()
        name = "track_total_hits"
        members[name] = number(parameters, name) if is_number else truth(parameters, name, default=True)
    if (source := parameters.get(_SOURCE)) is not None:
        members[_SOURCE] = {"true": True, "": True, "false": False}.get(source, split_names(source))
    lists = {kind: split_names(parameters[name]) for name, kind in _SOURCE_LISTS.items() if name in parameters}
    return {**members, _SOURCE: lists} if lists else members


def _order(text: str) -> object:
    name, colon, direction = text.rpartition(":")
    return {name: {"order": direction}} if colon else text


def _lines(body: bytes) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Return headers and searches.

    Raises:
        OpenSearchError: the body is empty, has no line end, or is no such list.
    """
    if not body.strip():
        raise OpenSearchError(400, "parse_exception", "request body or source parameter is required")
    if not body.endswith(b"\n"):
        raise illegal_argument("The msearch request must be terminated by a newline [\n]")
    lines = body.removesuffix(b"\n").split(b"\n")
    if len(lines) < 2:  # noqa: PLR2004 - a header and a search
        raise validation_error("no requests added")
    if len(lines) % 2:
        raise illegal_argument("The msearch request has a header without a search: each search is two lines")
    if len(lines) > 2 * MAX_SEARCHES:
        raise illegal_argument(f"The msearch request has more than {MAX_SEARCHES} searches: send several requests")
    return [(_line(lines[at]), _line(lines[at + 1])) for at in range(0, len(lines), 2)]


def _line(line: bytes) -> Mapping[str, Any]:
    return _object(read_json(line)) if line.strip() else {}


def _header_names(header: Mapping[str, Any]) -> list[str]:
    """Return the names of a header; none: those of the path count."""
    given = header.get("index", header.get("indices"))
    listed = [] if given is None else list_or_single(given)
    if not is_text_list(listed):
        raise illegal_argument("explicit index in multi search is a name or an array of names")
    return [name for each in listed for name in split_names(each)]


def _header_parameters(header: Mapping[str, Any]) -> dict[str, str]:
    """Return how a header has names expanded.

    Raises:
        OpenSearchError: it has a member that no search has.
    """
    for name in header:
        if name not in {"index", "indices", "ignore_unavailable"} and name not in _HEADER_WITHOUT_EFFECT:
            raise illegal_argument(f"key [{name[:128]}] is not supported in the metadata section")
    value = header.get("ignore_unavailable")
    return {} if value is None else {"ignore_unavailable": str(value).lower()}
