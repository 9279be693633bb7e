"""Sizes of the product: its packages, the server's folders, and own code in the layers."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.support.aws.template.variants import ROOT

_LAYERS: Final = ROOT / "layers"
_SERVER: Final = _LAYERS / "groundwire" / "groundwire"
_COPIED: Final = re.compile(r"^\tcp -R (.+) \$\(LIBRARIES\)$", re.MULTILINE)
_REMOVED: Final = re.compile(r"^\tcd \$\(LIBRARIES\)/(\S+) && rm -rf (.+)$", re.MULTILINE)
_PACKAGE: Final = re.compile(r"^[\w.-]+==", re.MULTILINE)
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def package_folders() -> list[Path]:
    """Return the folders of the packages of the product."""
    places = (*_LAYERS.glob("*/groundwire*/__init__.py"), *ROOT.glob("tools/*/groundwire*/__init__.py"))
    return sorted((place.parent for place in places), key=lambda folder: folder.name)


def lines_of_packages() -> dict[str, int]:
    """Return the lines of sources of each package."""
    return {folder.name: _lines(folder) for folder in package_folders()}


def lines_of_the_server() -> dict[str, int]:
    """Return the lines of sources of each folder of the server; modules beside the folders are in none."""
    return {folder.name: _lines(folder) for folder in sorted(_SERVER.iterdir()) if (folder / "__init__.py").is_file()}


def layer_kilobytes() -> int:
    """Return the kilobytes of own code in the layer of the server, sources alone, in a compressed archive.

    The Makefile of the layers names what it copies and what it removes again.
    """
    makefile = (_LAYERS / "Makefile").read_text(encoding="utf-8")
    [copied] = _COPIED.findall(makefile)
    removed = {Path(top, each) for top, names in _REMOVED.findall(makefile) for each in names.split()}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in (_LAYERS / each for each in copied.split()):
            for file in _files(folder):
                name = file.relative_to(folder.parent)
                if removed.isdisjoint(name.parents):
                    # A fixed time, because the archive of a fresh checkout must have the same size.
                    archive.writestr(zipfile.ZipInfo(str(name), _EPOCH), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return len(content.getvalue()) // 1000


def packages_in_layer(name: str) -> int:
    """Return the number of packages that are installed into the layer of this folder."""
    return len(_PACKAGE.findall((_LAYERS / name / "requirements.txt").read_text(encoding="utf-8")))


def _lines(folder: Path) -> int:
    return sum(len(file.read_bytes().splitlines()) for file in folder.rglob("*.py"))


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files but bytecode, in an order that no file system decides."""
    yield from sorted(file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
