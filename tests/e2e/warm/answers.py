"""Answers as they can be compared: without what is random or of the moment in every one of them."""

import re
from collections.abc import Mapping
from typing import Any, Final

_RANDOM: Final = re.compile(r"[A-Za-z0-9_-]{60,}|=[0-9]{9}\b")
"""Links, cursors and states, which are sealed with a nonce and longer than all else; the boundary around quotations."""
_SESSION: Final = "mcp-session-id"


def comparable(answer: Mapping[str, Any]) -> dict[str, object]:
    """Return the parts of a function's answer that do not differ from call to call."""
    if "statusCode" not in answer:
        return dict(answer)
    headers = {name: "…" if name == _SESSION else value for name, value in answer["headers"].items()}
    return {"status": answer["statusCode"], "headers": headers, "body": _RANDOM.sub("…", answer["body"])}
