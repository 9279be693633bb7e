"""Folders that count without a setting: those of the checkout, of the current folder or of the user."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from groundwire.domain.errors import Unavailable

_PACKAGED: Final = Path(__file__).resolve().parents[1] / "packaged"
"""Folder of the checkout's files in a wheel: the build puts them there."""


def checkout_folder() -> Path | None:
    """Return the folder with template.yaml and functions/ when the package is in a checkout, else None."""
    root = Path(__file__).resolve().parents[4]
    return root if (root / "template.yaml").is_file() else None


def served_folder() -> Path:
    """Return the folder with template.yaml, functions/ and samples/: the checkout, else that of the installed package.

    Raises:
        Unavailable: neither is there, as in a Lambda function.
    """
    folder = checkout_folder() or _PACKAGED
    if not (folder / "template.yaml").is_file():
        raise Unavailable(f"{folder / 'template.yaml'} was not found: install Groundwire again.")
    return folder


def default_home(environment: Mapping[str, str]) -> Path:
    """Return `.groundwire` of the current folder if it exists, else of the checkout, else the user's data folder.

    Without this order, the current folder would silently decide the home, and a command in another folder would create
    an empty one.
    """
    local = Path(".groundwire")
    if (local / "registry.db").exists():
        return local
    root = checkout_folder()
    if root is not None:
        return root / ".groundwire"
    # The XDG base directory specification; on macOS the folder that Apple documents for application data.
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "groundwire"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "groundwire"


def default_models() -> Path:
    """Return the folder of models in the cache of the checkout, else in that of the user."""
    root = checkout_folder()
    cache = root / ".cache" if root else Path.home() / ".cache" / "groundwire"
    return cache / "models"
