"""The diagram of a document's life, drawn from the table of its transitions."""

from groundwire.domain.documents.changes.lifecycle import TRANSITIONS
from groundwire.domain.documents.record import DocumentState


def lifecycle_diagram() -> str:
    """The states and steps as a Mermaid state diagram; steps between the same states share an arrow."""
    steps: dict[tuple[str, str], list[str]] = {}
    for transition, by_state in TRANSITIONS.items():
        for before, after in by_state.items():
            steps.setdefault((_name(before), _name(after)), []).append(transition.value)
    arrows = [f"    {before} --> {after}: {', '.join(names)}" for (before, after), names in sorted(steps.items())]
    return "\n".join(["stateDiagram-v2", *arrows])


def _name(state: DocumentState | None) -> str:
    return "[*]" if state is None else state.value
