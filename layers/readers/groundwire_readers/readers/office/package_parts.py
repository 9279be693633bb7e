"""Parts of an Office package, their relationships and the package's properties."""

import posixpath
import zipfile
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry

RELATIONSHIP_NAMESPACE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN_PART: Final = "officeDocument"
_RELATIONSHIP: Final = "http://schemas.openxmlformats.org/package/2006/relationships Relationship"
_CORE: Final = "http://purl.org/dc/elements/1.1/"
_TERMS: Final = "http://purl.org/dc/terms/"
_PROPERTY_TAGS: Final = {
    "author": f"{_CORE} creator",
    "subject": f"{_CORE} subject",
    "created": f"{_TERMS} created",
    "modified": f"{_TERMS} modified",
}


@dataclass(frozen=True, slots=True)
class Relationship:
    """A reference of a part: `kind` is the last word of its type; `target` a path in the package or an address."""

    kind: str
    target: str
    is_external: bool


def relationships(package: zipfile.ZipFile, path: str) -> dict[str, Relationship]:
    """Return the relationships of the part at `path`, by their ids; those of the package for an empty path."""
    folder, name = posixpath.split(path)
    content = read_entry(package, posixpath.join(folder, "_rels", f"{name}.rels"))
    if not content:
        return {}
    return {one.get("Id", ""): _relationship(one, folder) for one in parse_xml(content).iter(_RELATIONSHIP)}


def main_part(package: zipfile.ZipFile) -> str:
    """Return the path of the part that the package is about, such as its workbook; empty without one."""
    found = relationships(package, "").values()
    return next((one.target for one in found if one.kind == _MAIN_PART and not one.is_external), "")


def _relationship(element: Element, folder: str) -> Relationship:
    target, is_external = element.get("Target", ""), element.get("TargetMode") == "External"
    # A target with a slash in front is relative to the package; no `..` leads out of it.
    path = target if is_external else posixpath.normpath(posixpath.join(f"/{folder}", target)).lstrip("/")
    return Relationship(element.get("Type", "").rpartition("/")[2], path, is_external)


def core_properties(package: zipfile.ZipFile) -> tuple[str | None, dict[str, object]]:
    """Return the file's title and its other properties."""
    content = read_entry(package, "docProps/core.xml")
    if not content:
        return None, {}
    core = parse_xml(content)
    found: dict[str, object] = {name: text for name, tag in _PROPERTY_TAGS.items() if (text := _first(core, tag))}
    return _first(core, f"{_CORE} title") or None, found


def _first(tree: Element, tag: str) -> str:
    return next(((element.text or "").strip() for element in tree.iter(tag)), "")
