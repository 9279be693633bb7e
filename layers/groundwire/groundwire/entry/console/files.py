"""Files of the page as the package holds them, by the only names under which they are served."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_FOLDER: Final = Path(__file__).parent / "page"
_MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Types of the files that the page has. An editor's copy in the folder has none, so it is not served."""
INDEX: Final = "index.html"


class PageFile(NamedTuple):
    """One file of the page."""

    content: bytes
    media_type: str

    @property
    def entity_tag(self) -> str:
        """A strong tag (RFC 9110, 8.8.3): another content has another tag, in every release."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'


@cache
def page_files() -> dict[str, PageFile]:
    """Return all files by name, such as `screens/try.js`.

    They are read once. A request selects one by its exact name, so no path of a request reaches the file system.
    """
    return {
        file.relative_to(_FOLDER).as_posix(): PageFile(file.read_bytes(), _MEDIA_TYPES[file.suffix])
        for file in sorted(_FOLDER.rglob("*"))
        if file.is_file() and file.suffix in _MEDIA_TYPES
    }
