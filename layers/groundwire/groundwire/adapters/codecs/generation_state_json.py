"""Generation state of an index as canonical JSON, so that equal states are equal text."""

import json
from typing import Any

from groundwire.ports import GenerationState, IndexGeneration, ModelId


def to_json(state: GenerationState) -> str:
    """Write all fields, none implied."""
    building = state.building
    members = {
        "answering": _from_generation(state.live),
        "begun": None if building is None else _from_generation(building),
        "last": state.highest_number,
    }
    return json.dumps(members, separators=(",", ":"))


def from_json(text: str) -> GenerationState:
    """Read the text that `to_json` wrote."""
    members = json.loads(text)
    building = members["begun"]
    return GenerationState(
        live=_to_generation(members["answering"]),
        building=None if building is None else _to_generation(building),
        highest_number=int(members["last"]),
    )


def _from_generation(generation: IndexGeneration) -> dict[str, Any]:
    return {"number": generation.number, "model": generation.model.name, "dimension": generation.model.dimension}


def _to_generation(members: dict[str, Any]) -> IndexGeneration:
    return IndexGeneration(int(members["number"]), ModelId(str(members["model"]), int(members["dimension"])))
