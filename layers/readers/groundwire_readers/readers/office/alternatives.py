"""Alternate content of Office XML (ISO/IEC 29500-3): a choice for programs that know a namespace, and a fallback."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

_COMPATIBILITY: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_CHOICE: Final = f"{_COMPATIBILITY} Choice"
_ALTERNATIVES: Final = f"{_COMPATIBILITY} AlternateContent"
_FALLBACK: Final = f"{_COMPATIBILITY} Fallback"
_OFFICE: Final = "http://schemas.microsoft.com/office"
_STANDARD_FORMS: Final = (
    *(f"{{}}/{name}/main" for name in ("wordprocessingml", "presentationml", "spreadsheetml", "drawingml")),
    *(f"{{}}/drawingml/{name}" for name in ("chart", "diagram", "picture", "lockedCanvas", "wordprocessingDrawing")),
    *("{}/officeDocument/math", "{}/officeDocument/relationships"),
)
_KNOWN: Final = frozenset(
    {
        *(name.format("http://purl.oclc.org/ooxml") for name in _STANDARD_FORMS),
        *("/2006/".join(name.format("http://schemas.openxmlformats.org").rsplit("/", 1)) for name in _STANDARD_FORMS),
        *(f"{_OFFICE}/word/{name}" for name in ("2006/wordml", "2010/wordml", "2012/wordml", "2018/wordml")),
        *(f"{_OFFICE}/word/2010/wordprocessing{name}" for name in ("Shape", "Group", "Canvas", "Ink", "Drawing")),
        *(f"{_OFFICE}/word/2012/wordprocessing{name}" for name in ("Drawing",)),
        *(f"{_OFFICE}/word/{name}" for name in ("2015/wordml/symex", "2016/wordml/cid", "2018/wordml/cex")),
        *(f"{_OFFICE}/word/{name}" for name in ("2020/wordml/sdtdatahash", "2023/wordml/word16du")),
        f"{_OFFICE}/word/2024/wordml/sdtformatlock",
        *(f"{_OFFICE}/drawing/{year}/main" for year in ("2010", "2012", "2014", "2016/SVG")),
        *(f"{_OFFICE}/drawing/{name}" for name in ("2007/8/2/chart", "2012/chart", "2014/chart", "2017/03/chart")),
        *(f"{_OFFICE}/drawing/{year}/chartex" for year in ("2014", "2015/9/8", "2015/10/21")),
        *(f"{_OFFICE}/drawing/2016/5/{day}/chartex" for day in range(9, 15)),
        *(f"{_OFFICE}/drawing/{name}" for name in ("2016/ink", "2017/model3d", "2010/diagram", "2008/diagram")),
        *(f"{_OFFICE}/drawing/{name}" for name in ("2010/slicer", "2012/slicer", "2012/timeslicer")),
        *(f"{_OFFICE}/powerpoint/{year}/main" for year in ("2010", "2012", "2015/09", "2015/10")),
        *(f"{_OFFICE}/powerpoint/2016/{name}zoom" for name in ("slide", "section", "summary")),
        *(f"{_OFFICE}/spreadsheetml/{year}/main" for year in ("2009/9", "2010/11")),
        *(f"urn:schemas-microsoft-com:{name}" for name in ("vml", "office:office", "office:word", "office:excel")),
    }
)
"""Namespaces that Microsoft 365 understands, so that it shows a choice that requires them."""


def are_known(namespaces: str) -> bool:
    """Return whether Microsoft 365 understands all of these namespaces, which are separated by spaces."""
    required = namespaces.split()
    return bool(required) and _KNOWN.issuperset(required)


def shown_children(element: Element) -> Iterator[Element]:
    """Yield the children of an element, with alternate content replaced by the version that Microsoft 365 shows."""
    for child in element:
        if child.tag == _ALTERNATIVES:
            version = _shown_version(child)
            yield from () if version is None else shown_children(version)
        else:
            yield child


def _shown_version(alternatives: Element) -> Element | None:
    for version in alternatives:
        is_shown = version.tag == _CHOICE and are_known(version.get("Requires", ""))
        if is_shown or version.tag == _FALLBACK:
            return version
    return None
