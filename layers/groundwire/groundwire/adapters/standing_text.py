"""Which generation of an index answers, as text: canonical, so that equal standings are equal text."""

import json
from typing import Any

from groundwire.ports import IndexGeneration, ModelId, Standing


def to_json(standing: Standing) -> str:
    """All fields, none implied."""
    begun = standing.begun
    held = {
        "answering": _from_generation(standing.answering),
        "begun": None if begun is None else _from_generation(begun),
        "last": standing.last,
    }
    return json.dumps(held, separators=(",", ":"))


def from_json(text: str) -> Standing:
    """What `to_json` wrote."""
    held = json.loads(text)
    begun = held["begun"]
    return Standing(
        answering=_to_generation(held["answering"]),
        begun=None if begun is None else _to_generation(begun),
        last=int(held["last"]),
    )


def _from_generation(generation: IndexGeneration) -> dict[str, Any]:
    return {"number": generation.number, "model": generation.model.name, "dimension": generation.model.dimension}


def _to_generation(held: dict[str, Any]) -> IndexGeneration:
    return IndexGeneration(int(held["number"]), ModelId(str(held["model"]), int(held["dimension"])))
