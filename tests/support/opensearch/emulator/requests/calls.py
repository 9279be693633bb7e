"""The calls that Serverless has; every other gets 404."""

import re
from collections.abc import Mapping
from typing import Final

from tests.support.opensearch.emulator.generations import Generation
from tests.support.opensearch.emulator.http.messages import Request, invalid, unknown_call

_I: Final = r"/[^/_][^/]*"
_ANY: Final[tuple[str, ...]] = (
    # Indexes
    rf"PUT {_I}",
    rf"DELETE {_I}",
    rf"(GET|HEAD) {_I}",
    rf"GET ({_I})?/_mappings?",
    rf"GET {_I}/_settings?(/[^/]+)?",
    rf"(PUT|POST) {_I}/(_mapping|_settings)",
    r"GET /_cat/(indices|aliases|templates)(/[^/]+)?",
    rf"GET /_resolve/index{_I}",
    # Writing
    rf"(POST|PUT) ({_I})?/_bulk",
    rf"POST {_I}/_doc",
    rf"DELETE {_I}/_doc/[^/]+",
    # Reading
    rf"(GET|POST) ({_I})?/(_search|_msearch|_mget|_count)",
    rf"(GET|HEAD) {_I}/(_doc|_source)/[^/]+",
    rf"(GET|POST) {_I}/_explain/[^/]+",
    rf"(GET|POST) ({_I})?/(_field_caps|_analyze|_validate/query|_rank_eval)",
    rf"POST {_I}/_search/point_in_time",
    r"DELETE /_search/point_in_time(/_all)?",
    r"GET /_search/point_in_time/_all",
    r"POST /_plugins/_(sql|ppl)",
    # Collection items
    r"(GET|POST) /_aliases",
    rf"(GET|HEAD|PUT|POST|DELETE) {_I}/_alias/[^/]+",
    r"(GET|HEAD|PUT|POST|DELETE) /(_index_template|_component_template)/[^/]+",
    r"(GET|PUT|DELETE) /(_ingest|_search)/pipeline/[^/]+",
)
_BY_ID: Final[tuple[str, ...]] = (rf"(PUT|POST) {_I}/(_doc|_create)/[^/]+", rf"POST {_I}/_update/[^/]+")
_LISTED: Final[Mapping[bool, re.Pattern[str]]] = {
    custom_ids: re.compile("|".join(f"(?:{call})" for call in (*_ANY, *(_BY_ID if custom_ids else ()))))
    for custom_ids in (False, True)
}
_PARAMETERS: Final = frozenset(
    {
        *("filter_path", "pretty", "human", "error_trace", "format", "h", "s", "v", "timeout"),
        *("ignore_unavailable", "allow_no_indices", "expand_wildcards", "keep_alive"),
        *("_source", "_source_includes", "_source_excludes", "track_total_hits", "rest_total_hits_as_int"),
        *("typed_keys", "size", "from", "search_pipeline", "pipeline", "refresh", "if_seq_no", "if_primary_term"),
    }
)


def judge(request: Request, generation: Generation) -> None:
    """Raises Refusal for a call or a parameter that the service does not have."""
    if not _LISTED[generation.custom_ids].fullmatch(f"{request.method} {request.path}"):
        raise unknown_call()
    for name, value in request.parameters.items():
        if name not in _PARAMETERS:
            raise invalid(
                "illegal_argument_exception", f"request [{request.path}] contains unrecognized parameter: [{name}]"
            )
        if name == "refresh" and value != "false":
            raise invalid("illegal_argument_exception", f"{value or 'true'} refresh policy is not supported")
