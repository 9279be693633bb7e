"""Office files whose bytes depend on the text alone: the archives and their properties carry one fixed moment."""

import re
from datetime import datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

MOMENT = datetime(2026, 11, 2, 9, 0, 0)  # noqa: DTZ001 - office properties take a naive time and call it UTC
MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")


def freeze(path: Path) -> None:
    """Rewrite an office archive with `MOMENT` as the time of all its entries and of its last change."""
    with ZipFile(path) as archive:
        entries = [(name, archive.read(name)) for name in archive.namelist()]
    stamp = MOMENT.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in entries:
            fixed = MODIFIED.sub(rb"\g<1>" + stamp, content) if name == "docProps/core.xml" else content
            entry = ZipInfo(name, MOMENT.timetuple()[:6])
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, fixed)
