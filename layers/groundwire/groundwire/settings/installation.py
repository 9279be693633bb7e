"""How this installation gets an extra: a command by where its files came from."""

import json
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from typing import Final, cast
from urllib.parse import unquote, urlsplit

from groundwire.settings.folders import checkout_folder

_DISTRIBUTION: Final = "groundwire"


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
    try:
        recorded = distribution(_DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return _DISTRIBUTION
    url = cast("dict[str, object]", json.loads(recorded)).get("url") if recorded else None
    return unquote(urlsplit(url).path) if isinstance(url, str) and url.startswith("file:") else _DISTRIBUTION
