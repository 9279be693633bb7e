"""Access to an Office package (OPC, ISO/IEC 29500-2): relationships of parts, and core properties."""

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
_DUBLIN_CORE: Final = "http://purl.org/dc/elements/1.1/"
_DUBLIN_CORE_TERMS: Final = "http://purl.org/dc/terms/"
_PROPERTY_TAGS: Final = {
    "author": f"{_DUBLIN_CORE} creator",
    "subject": f"{_DUBLIN_CORE} subject",
    "keywords": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties keywords",
    "created": f"{_DUBLIN_CORE_TERMS} created",
    "modified": f"{_DUBLIN_CORE_TERMS} modified",
}


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship of a part; `kind` is the last segment of its type, `target` a path in the package or a URL."""

    kind: str
    target: str
    is_external: bool


def relationships(package: zipfile.ZipFile, path: str) -> dict[str, Relationship]:
    """Return the relationships of the part at `path` by id; an empty path is the package itself."""
    folder, name = posixpath.split(path)
    content = read_entry(package, posixpath.join(folder, "_rels", f"{name}.rels"))
    if not content:
        return {}
    return {element.get("Id", ""): _relationship(element, folder) for element in parse_xml(content).iter(_RELATIONSHIP)}


def main_part(package: zipfile.ZipFile) -> str:
    """Return the path of the main part, such as the workbook; empty if the package lists no main part."""
    of_package = relationships(package, "").values()
    return next(
        (
            relationship.target
            for relationship in of_package
            if relationship.kind == _MAIN_PART and not relationship.is_external
        ),
        "",
    )


def _relationship(element: Element, folder: str) -> Relationship:
    target, is_external = element.get("Target", ""), element.get("TargetMode") == "External"
    # A target with a leading slash is relative to the package; normalisation keeps `..` within it.
    path = target if is_external else posixpath.normpath(posixpath.join(f"/{folder}", target)).lstrip("/")
    return Relationship(element.get("Type", "").rpartition("/")[2], path, is_external)


def core_properties(package: zipfile.ZipFile) -> tuple[str | None, dict[str, object]]:
    """Return the title and the other core properties of the file (Dublin Core)."""
    content = read_entry(package, "docProps/core.xml")
    if not content:
        return None, {}
    core = parse_xml(content)
    properties: dict[str, object] = {name: text for name, tag in _PROPERTY_TAGS.items() if (text := _first(core, tag))}
    if keywords := str(properties.pop("keywords", "")):
        properties["keywords"] = [word for part in keywords.split(",") if (word := part.strip())]
    return _first(core, f"{_DUBLIN_CORE} title") or None, properties


def _first(tree: Element, tag: str) -> str:
    return next(((element.text or "").strip() for element in tree.iter(tag)), "")
