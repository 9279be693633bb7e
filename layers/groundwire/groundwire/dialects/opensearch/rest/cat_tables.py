"""Tables of `_cat`: the same rows as JSON with texts alone, or as padded text."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.dialects.opensearch.errors import JSON_TYPE, not_served
from groundwire.dialects.opensearch.rest.parameters import truth
from groundwire_mcp.transport.http import HttpResponse, json_response

if TYPE_CHECKING:
    from groundwire.dialects.opensearch.index_facts import IndexFacts

CAT_PARAMETERS: Final = frozenset({"h", "v"})
CAT_REFUSED: Final[Mapping[str, str]] = {
    "s": "rows are in the order of their names",
    "help": "columns are in the first line of v",
    "bytes": "sizes are not available",
    "time": "no column contains a time",
    "health": "every index is green",
    "pri": "an index has one primary shard",
    "include_unloaded_segments": "leave it out",
}
Row = Mapping[str, str | None]
_INDEX_COLUMNS: Final = (
    *("health", "status", "index", "uuid", "pri", "rep", "docs.count", "docs.deleted", "store.size", "pri.store.size"),
)
SHARD_COLUMNS: Final = ("index", "shard", "prirep", "state", "docs", "store", "ip", "node")
_RIGHT: Final = frozenset({"pri", "rep", "docs.count", "docs.deleted", "store.size", "pri.store.size", "docs", "store"})
_TEXT_TYPE: Final = "text/plain; charset=UTF-8"
_TEXT_FORMATS: Final = frozenset({"text", "txt", "text/plain"})


def index_rows(indices: "Sequence[IndexFacts]") -> list[Row]:
    """Return a row for each index; sizes are null, whatever an index holds."""
    return [
        {
            "health": "green",
            "status": "open",
            "index": each.name,
            "uuid": each.uuid,
            "pri": "1",
            "rep": "0",
            "docs.count": str(each.documents),
            "docs.deleted": "0",
            # A size would change when a document that is hidden from the caller is added or deleted.
            "store.size": None,
            "pri.store.size": None,
        }
        for each in indices
    ]


def index_table(indices: "Sequence[IndexFacts]", parameters: Mapping[str, str], accepted: str) -> HttpResponse:
    """Return the table of `_cat/indices`.

    Args:
        indices: facts of the indexes.
        parameters: of the URL.
        accepted: value of the header `Accept`.
    """
    return cat_response(_INDEX_COLUMNS, index_rows(indices), parameters, accepted)


def cat_response(
    columns: Sequence[str], rows: Sequence[Row], parameters: Mapping[str, str], accepted: str
) -> HttpResponse:
    """Return rows as the call asks for them: `format` counts before `Accept`; `h` chooses columns, `v` names them.

    Raises:
        OpenSearchError: another format is requested.
    """
    wanted = parameters["h"].split(",") if "h" in parameters else columns
    chosen = [name for name in wanted if name in columns]
    if _is_json(parameters.get("format"), accepted):
        shown = [{name: row[name] for name in chosen} for row in rows]
        return json_response(HTTPStatus.OK, shown, {"content-type": JSON_TYPE})
    text = _padded(chosen, rows, has_header=truth(parameters, "v", default=False))
    return HttpResponse(HTTPStatus.OK, {"content-type": _TEXT_TYPE, "cache-control": "no-store"}, text.encode())


def _is_json(given: str | None, accepted: str) -> bool:
    if given is None:
        return accepted.partition(";")[0].strip().lower() == "application/json"
    if given.lower() in {"json", "application/json"}:
        return True
    if given.lower() in _TEXT_FORMATS:
        return False
    raise not_served("format", "formats here are json and text")


def _padded(columns: Sequence[str], rows: Sequence[Row], *, has_header: bool) -> str:
    """Return the rows as text, a column as wide as its widest cell; the last cell of a line is not padded."""
    lines = [[row[name] or "" for name in columns] for row in rows]
    if has_header:
        lines.insert(0, list(columns))
    widths = [max((len(line[at]) for line in lines), default=0) for at in range(len(columns))]
    return "".join(f"{_line(columns, line, widths)}\n" for line in lines)


def _line(columns: Sequence[str], cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.rjust(width) if name in _RIGHT else cell.ljust(width)
        for name, cell, width in zip(columns, cells, widths, strict=True)
    ]
    if padded and columns[-1] not in _RIGHT:
        padded[-1] = cells[-1]
    return " ".join(padded)
