"""What `sam build` makes of the template's functions and layers, for this machine: by the very same makefiles."""

import hashlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from groundwire.entry.gateway import cloudformation
from tests.support.engines.installers.locks import alone, install

ROOT: Final = Path(__file__).parents[4]
TEMPLATE: Final = ROOT / "template.yaml"
_BUILT: Final = ROOT / ".cache" / "artifacts"
_CODE: Final = {"AWS::Serverless::Function": "CodeUri", "AWS::Serverless::LayerVersion": "ContentUri"}
_DAY_S: Final = 86_400
_NOT_SOURCE: Final = ("__pycache__", "*.egg-info")


@dataclass(frozen=True, slots=True)
class Artifact:
    """A function's or a layer's folder as it is deployed.

    Attributes:
        logical_id: in the template.
        source: as the template names it, relative to it.
        folder: what was built.
        layers: logical ids, for a function, in their order.
        handler: for a function; empty for a layer.
    """

    logical_id: str
    source: str
    folder: Path
    layers: tuple[str, ...]
    handler: str


def build() -> dict[str, Artifact]:
    """Every artifact that a makefile builds, by logical id; built again only when its source has changed.

    Raises:
        Absent: a makefile fails here, as it does where no package can be fetched.
    """
    template = cast("dict[str, Any]", cloudformation.load_template(TEMPLATE))
    general = template["Globals"]["Function"]
    return {
        logical_id: _built(logical_id, resource, general)
        for logical_id, resource in template["Resources"].items()
        if resource["Type"] in _CODE and resource.get("Metadata", {}).get("BuildMethod") == "makefile"
    }


def _built(logical_id: str, resource: Mapping[str, Any], general: Mapping[str, Any]) -> Artifact:
    kind, properties = resource["Type"], resource["Properties"]
    source = properties[_CODE[kind]]
    copied = resource["Metadata"].get("ProjectRootDirectory", source)
    makefile = resource["Metadata"].get("ContextPath", source)
    place = _BUILT / f"{logical_id}-{_digest(copied)}"
    with alone(_BUILT / logical_id):
        if not place.is_dir():
            _forget(_BUILT.glob(f"{logical_id}-*"))
            _make(logical_id, copied, makefile, place)
    if kind == "AWS::Serverless::LayerVersion":
        return Artifact(logical_id, source, place, (), "")
    # Lists of the globals are joined with a function's own, as SAM does it.
    layers = tuple(layer["Ref"] for layer in (*general["Layers"], *properties.get("Layers", ())))
    return Artifact(logical_id, source, place, layers, properties.get("Handler", general["Handler"]))


def _make(logical_id: str, copied: str, makefile: str, place: Path) -> None:
    """Run the makefile in a copy, as the tool does: one that reaches out of what is copied fails here, too."""
    scratch = place.with_name(f"{place.name}.scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(ROOT / copied, scratch / copied, ignore=shutil.ignore_patterns(*_NOT_SOURCE))
    (scratch / "built").mkdir()
    variables = {**this_machine(), "ARTIFACTS_DIR": str(scratch / "built")}
    install(["make", f"build-{logical_id}"], scratch / makefile, variables)
    (scratch / "built").rename(place)
    shutil.rmtree(scratch)


def _forget(built: Iterable[Path]) -> None:
    """What has not been built today: another process may still run what was."""
    for place in built:
        if time.time() - place.stat().st_mtime > _DAY_S:
            shutil.rmtree(place)


def this_machine() -> dict[str, str]:
    """Return the variables by which the makefiles build for this interpreter instead of Lambda's."""
    return {
        "RUNTIME": f"{sys.version_info.major}.{sys.version_info.minor}",
        "ARCH": platform.machine().replace("aarch64", "arm64"),
        "PYTHON": sys.executable,
    }


def _digest(copied: str) -> str:
    """Return a digest of all files that the build of an artifact can read."""
    key = hashlib.sha256(repr(sorted(this_machine().items())).encode())
    for file in _files(ROOT / copied):
        key.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return key.hexdigest()[:16]


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.endswith(".egg-info"))
        yield from (Path(parent) / name for name in sorted(names))
