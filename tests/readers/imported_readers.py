"""Memory of a fork server: `python -m tests.readers.imported_readers` prints it as JSON.

Members: threads, writable shared mappings, and the modules that reading each format imports afterwards.
"""

import json
import os
import sys
from pathlib import Path

from groundwire_readers.dispatch import read_document
from groundwire_readers.images import extraction, recognition


def main() -> dict[str, object]:
    """Return what there is; the files are made after the count of modules, by modules that are imported before."""
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208 - no path is needed
    shared = [line for line in Path("/proc/self/maps").read_text().splitlines() if line.split()[1][1:4:2] == "ws"]
    from tests.readers.raster_images import data_address, png
    from tests.readers.test_all_formats import FORMATS

    before = set(sys.modules)
    for file_type, (content, _, _) in FORMATS.items():
        read_document(content, file_type)
        extraction.extract_images(content, file_type, 60, with_thumbnails=True)
    page = f"<p>A picture</p><img src='{data_address(png(100, 100))}'>".encode()
    extraction.extract_images(page, "html", 60, with_thumbnails=True)
    return {"threads": threads, "shared": shared, "imported": sorted({*sys.modules} - before)}


if __name__ == "__main__":
    assert recognition
    print(json.dumps(main()))  # noqa: T201 - what the test reads
