"""Parameters of the query of a URL: those that a route reads, those without effect here, and those that are refused."""

from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import parse_qsl

from groundwire.dialects.opensearch.errors import OpenSearchError, illegal_argument, not_served

LOOKS: Final = frozenset({"pretty", "human", "error_trace", "format"})
"""Parameters that every route has; only `pretty`, and the format of tables, change an answer here."""
WAITS: Final = frozenset({"local", "timeout", "cluster_manager_timeout", "master_timeout"})
"""Parameters of a cluster with several nodes."""
NAMES: Final = frozenset({"ignore_unavailable", "allow_no_indices", "expand_wildcards", "ignore_throttled"})
"""Parameters of how names of indexes are expanded."""
_ALL_OPEN: Final = frozenset({"open", "all", "open,hidden", "open,closed"})
_MOST_CHARACTERS: Final = 256
_TRUTHS: Final = {"": True, "true": True, "false": False}


def read_parameters(query: str) -> dict[str, str]:
    """Return the parameters of a query by name; of a repeated one the last counts."""
    return dict(parse_qsl(query, keep_blank_values=True))


def check_names(path: str, parameters: Collection[str], known: Collection[str], refused: Mapping[str, str]) -> None:
    """Check that every parameter is one that the route has.

    Args:
        path: for the message.
        parameters: names.
        known: names that the route reads, or that have no effect here.
        refused: names that the engine has and this server has not, with what to send instead.

    Raises:
        OpenSearchError: one is not.
    """
    for name in parameters:
        if name in refused:
            raise not_served(name, refused[name])
        if name not in known and name not in LOOKS:
            raise illegal_argument(f"request [{path}] contains unrecognized parameter: [{name[:_MOST_CHARACTERS]}]")


def check_format(parameters: Mapping[str, str], *, is_table: bool) -> None:
    """Check that an answer that is no table is to be JSON.

    Raises:
        OpenSearchError: it is not.
    """
    if not is_table and parameters.get("format", "json").lower() not in {"json", "application/json"}:
        raise not_served("format", "answers here are json")


def check_expansion(parameters: Mapping[str, str]) -> None:
    """Check that names are to be expanded as this server does it: open indexes, and nothing is no error.

    Raises:
        OpenSearchError: they are not.
    """
    if not truth(parameters, "allow_no_indices", default=True):
        raise not_served("allow_no_indices=false", "name an existing index, without a pattern")
    if parameters.get("expand_wildcards", "open") not in _ALL_OPEN:
        raise not_served("expand_wildcards", "patterns match only open indexes")


def truth(parameters: Mapping[str, str], name: str, *, default: bool) -> bool:
    """Return the value of a parameter that is true or false; without a value it is true.

    Raises:
        OpenSearchError: it is neither.
    """
    if name not in parameters:
        return default
    value = _TRUTHS.get(parameters[name])
    if value is None:
        raise _unreadable("value", parameters[name], "as only [true] or [false] are allowed.")
    return value


def number(parameters: Mapping[str, str], name: str) -> int:
    """Return the value of a parameter that is a whole number.

    Raises:
        OpenSearchError: it is not valid.
    """
    text = parameters[name]
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(1 << 31))):
        raise _unreadable(f"int parameter [{name}] with value", text, "")
    return int(text)


def _unreadable(what: str, text: str, reason: str) -> OpenSearchError:
    return illegal_argument(f"Failed to parse {what} [{text[:_MOST_CHARACTERS]}] {reason}".strip())
