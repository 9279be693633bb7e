"""Which generation of an index answers, as text: canonical, so that equal standings are equal text."""

import json
from typing import Any

from groundwire.ports import GenerationState, IndexGeneration, ModelId


def to_json(state: GenerationState) -> str:
    """All fields, none implied."""
    begun = state.building
    held = {
        "answering": _from_generation(state.live),
        "begun": None if begun is None else _from_generation(begun),
        "last": state.highest_number,
    }
    return json.dumps(held, separators=(",", ":"))


def from_json(text: str) -> GenerationState:
    """What `to_json` wrote."""
    held = json.loads(text)
    begun = held["begun"]
    return GenerationState(
        live=_to_generation(held["answering"]),
        building=None if begun is None else _to_generation(begun),
        highest_number=int(held["last"]),
    )


def _from_generation(generation: IndexGeneration) -> dict[str, Any]:
    return {"number": generation.number, "model": generation.model.name, "dimension": generation.model.dimension}


def _to_generation(held: dict[str, Any]) -> IndexGeneration:
    return IndexGeneration(int(held["number"]), ModelId(str(held["model"]), int(held["dimension"])))
