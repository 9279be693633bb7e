"""Small OpenDocument files and books, with only the parts that a reader looks at."""

import zipfile

from tests.readers.office import package

_NAMES = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = " ".join(
    f'xmlns:{short}="{_NAMES}:{long}:1.0"'
    for short, long in (
        *(("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing")),
        *(("presentation", "presentation"), ("fo", "xsl-fo-compatible"), ("meta", "meta")),
    )
)
_OTHERS = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'


def open_file(kind: str, body: str, styles: str = "", properties: str = "", masters: str = "") -> bytes:
    """An OpenDocument file; `kind` is "text", "spreadsheet" or "presentation", the others are raw XML."""
    pages = f"<office:document-styles {_SPACES}><office:master-styles>{masters}</office:master-styles>"
    return package(
        {
            **({"styles.xml": f"{pages}</office:document-styles>"} if masters else {}),
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {_SPACES} {_OTHERS}>"
            f"<office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
            "meta.xml": f"<office:document-meta {_SPACES} {_OTHERS}><office:meta>{properties}</office:meta>"
            "</office:document-meta>",
        }
    )


def table(name: str, rows: list[list[str]], row_attributes: dict[int, str] | None = None, **attributes: str) -> str:
    """A table of text cells; `row_attributes` by row number from 0."""
    marks = row_attributes or {}
    body = "".join(
        f"<table:table-row {marks.get(at, '')}>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + "</table:table-row>"
        for at, row in enumerate(rows)
    )
    extra = "".join(f' table:{key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<table:table table:name="{name}"{extra}>{body}</table:table>'


def epub(
    chapters: dict[str, str],
    title: str = "A book",
    spine: list[str] | None = None,
    guide: str = "",
    extra: tuple[str, str, str] | None = None,
    *,
    is_stored: bool = False,
) -> bytes:
    """A book: file name to the body of each chapter, read in the order of `spine`.

    `guide` has its references; `extra` is the name, the attributes and the content of one more file.
    """
    added = {} if extra is None else {f"OEBPS/{extra[0]}": extra[2]}
    order = spine or list(chapters)
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in chapters)
    items += "" if extra is None else f'<item id="extra" href="{extra[0]}" {extra[1]}/>'
    references = "".join(f'<itemref idref="{name}"/>' for name in order)
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    pages = {
        f"OEBPS/{name}": f'<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>'
        for name, body in chapters.items()
    }
    return package(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'<container xmlns="{container}"><rootfiles>'
            '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
            "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<metadata><dc:title>{title}</dc:title><dc:creator>Ann Author</dc:creator></metadata>"
            f"<manifest>{items}</manifest><spine>{references}</spine><guide>{guide}</guide></package>",
            **pages,
            **added,
        },
        zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED,
    )
