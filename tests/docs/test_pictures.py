"""The page of pictures shows what `make pictures` takes, each in the size of a window."""

import re
from pathlib import Path
from typing import Final

from tests.support.documentation.screens.pictures import PICTURES

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docs" / "operate" / "screens"


def _size(picture: bytes) -> tuple[int, int]:
    """Return width and height of the canvas of an extended WebP image (RFC 9649, section 2.7)."""
    assert (picture[:4], picture[8:16]) == (b"RIFF", b"WEBPVP8X")
    return int.from_bytes(picture[24:27], "little") + 1, int.from_bytes(picture[27:30], "little") + 1


def test_the_page_of_pictures_shows_every_screen_once() -> None:
    page = (ROOT / "docs/operate/screens.md").read_text(encoding="utf-8")
    assert re.findall(r"\(screens/(\S+)\.webp\)", page) == list(PICTURES)


def test_each_picture_is_kept_in_the_size_of_a_window() -> None:
    found = {file.stem: _size(file.read_bytes()) for file in FOLDER.iterdir()}
    assert found == dict.fromkeys(PICTURES, (1280, 900))
