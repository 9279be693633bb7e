"""What a client must have declared before it may be asked for something.

Wire format: `ClientCapabilities` of 2026-07-28; an `elicitation` that names no mode means forms.
"""

from collections.abc import Iterable, Mapping
from typing import cast

from groundwire.protocol.json_edge import Json, JsonObject
from groundwire.protocol.turn import InputRequest


def undeclared(requests: Iterable[InputRequest], declared: JsonObject) -> dict[str, object]:
    """The capabilities that these requests need beyond `declared`, in the form in which a client declares them."""
    missing: dict[str, object] = {}
    for request in requests:
        name, mode = _needed(request)
        if not _covers(declared.get(name), name, mode):
            modes = cast("dict[str, object]", missing.setdefault(name, {}))
            modes.update({} if mode is None else {mode: {}})
    return missing


def _needed(request: InputRequest) -> tuple[str, str | None]:
    if request.method == "elicitation/create":
        return "elicitation", "url" if request.params.get("mode") == "url" else "form"
    if request.method == "sampling/createMessage":
        return "sampling", "tools" if "tools" in request.params else None
    return "roots", None


def _covers(declaration: Json, name: str, mode: str | None) -> bool:
    if not isinstance(declaration, Mapping):
        return False
    is_plain_form = name == "elicitation" and mode == "form" and "url" not in declaration
    return mode is None or mode in declaration or is_plain_form
