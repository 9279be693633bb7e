"""Setting RELEVANCE_FITS: fits of relevance for models of one's own, as `groundwire eval --fit-relevance` prints them.

JSON: an array of objects with `model`, `reranker` (a name or null), `hybrid` and `semantic`; each of the last two holds
the numbers of one fit by name.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from math import isfinite
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.relevance import ModelFits, RelevanceFit, check_floor
from groundwire.domain.text.json_values import is_list, mapping_or_empty

_NUMBERS: Final = tuple(field.name for field in fields(RelevanceFit) if field.name != "evidence")
"""Numbers of a fit; those of searches with vectors have no coefficient of the evidence."""
_INVALID: Final = "GROUNDWIRE_RELEVANCE_FITS must be what `groundwire eval --fit-relevance` prints: {}."


def read_relevance_fits(text: str) -> tuple[ModelFits, ...]:
    """Read the setting; empty text has no fits.

    Raises:
        InvalidInput: the text has another form, or a number that no fit has.
    """
    if not text.strip():
        return ()
    try:
        rows: object = json.loads(text)
    # Python's decoder raises RecursionError for deeply nested JSON.
    except (ValueError, RecursionError) as error:
        raise InvalidInput(_INVALID.format("this is not JSON")) from error
    if not is_list(rows):
        raise InvalidInput(_INVALID.format("an array is expected"))
    return tuple(map(_model_fits, rows))


def relevance_fits_text(fits: Sequence[ModelFits]) -> str:
    """Return the setting's value for these fits, on one line."""
    rows = [asdict(each) for each in fits]
    for row in rows:
        row |= {fit: {name: row[fit][name] for name in _NUMBERS} for fit in ("hybrid", "semantic")}
    return json.dumps(rows, separators=(",", ":"))


def _model_fits(row: object) -> ModelFits:
    members = _members(row, {"model", "reranker", "hybrid", "semantic"})
    model, reranker = members["model"], members["reranker"]
    if not isinstance(model, str) or not isinstance(reranker, str | None):
        raise InvalidInput(_INVALID.format("`model` is a name, `reranker` a name or null"))
    return ModelFits(model, reranker, _fit(members["hybrid"]), _fit(members["semantic"]))


def _fit(row: object) -> RelevanceFit:
    members = _members(row, set(_NUMBERS))
    numbers = {name: _number(name, value) for name, value in members.items()}
    if any(value < 0 for name, value in numbers.items() if name != "intercept"):
        raise InvalidInput(_INVALID.format("only `intercept` may be below 0"))
    check_floor(numbers["floor"])
    return RelevanceFit(**numbers)


def _members(row: object, names: set[str]) -> Mapping[str, object]:
    members = mapping_or_empty(row)
    if set(members) != names:
        raise InvalidInput(_INVALID.format(f"an object with {', '.join(sorted(names))} is expected"))
    return members


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise InvalidInput(_INVALID.format(f"`{name}` is not a number"))
    return float(value)
