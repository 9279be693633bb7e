"""Libraries of this installation: the command that adds those of an extra, and that none reports to its maker."""

import os
from importlib.util import find_spec
from typing import Final

from groundwire.settings.folders import checkout_folder

_DISTRIBUTION: Final = "groundwire"


def forbid_telemetry() -> None:
    """Forbid ONNX Runtime to send events to its maker and to keep an identifier of the machine; call before its import.

    Official builds do both by default, from their first import on. The function of its interface that turns events off
    comes too late for those of the start, so the variable is set, whatever it was.
    Source: https://github.com/microsoft/onnxruntime/blob/main/docs/Privacy.md
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def extra_command(extra: str) -> str:
    """Return the command that adds an extra to this installation: of a checkout, of a wheel's file, or of an index."""
    if checkout_folder() is not None:
        return f"`pip install -e '.[{extra}]'` in the checkout"
    requirement = f"{_origin()}[{extra}]"
    # An environment that uv has made has no pip, and the next `uvx` would not take what somebody adds to it.
    if find_spec("pip") is None:
        return f"`uvx --from '{requirement}' groundwire` in place of `groundwire`"
    return f"`pip install '{requirement}'`"


def _origin() -> str:
    """Return the path of the wheel that this installation is from; the name of the package if it is from an index.

    A name alone would send somebody who has a wheel to an index, where the name may be another's.
    Form of the record: https://packaging.python.org/en/latest/specifications/direct-url/
    """
    # Imported on use: a function that starts loads nothing for a message.
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        recorded = distribution(_DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return _DISTRIBUTION
    url = str(json.loads(recorded).get("url")) if recorded else ""
    return unquote(urlsplit(url).path) if url.startswith("file:") else _DISTRIBUTION
