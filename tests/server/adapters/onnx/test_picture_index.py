"""Pictures in a document are found by what they show, from the file's bytes to the answer."""

import base64
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.adapters.onnx.images.embedder import load_image_embedder
from groundwire.adapters.parse import ConfinedParser, ParserLimits
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.services.documents.images.search import ImageRequest
from tests.support.isolation.policies import PUBLIC
from tests.support.models.image_models import ImageRepo
from tests.support.worlds.document_library import asker
from tests.support.worlds.exchange import exchange
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

COLORS = {"red": (230, 20, 20), "green": (20, 230, 20), "blue": (20, 20, 230)}


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[World]:
    folder = ImageRepo().write(tmp_path / "clip")
    with fresh_home() as home, open_world(home, monkeypatch) as opened, ConfinedParser(ParserLimits()) as parser:
        embedder = load_image_embedder(folder, 1)
        exchange(opened.services, image_embedder=embedder, parser=parser)
        yield opened


def png(color: tuple[int, int, int]) -> bytes:
    """A picture of one colour."""
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", 300, 240, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress((b"\0" + bytes(color) * 300) * 240)),
        (b"IEND", b""),
    ]
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def page() -> bytes:
    """A page with a picture of each colour, in the order of their names, and no text about any."""
    pictures = [
        f'<img src="data:image/png;base64,{base64.b64encode(png(color)).decode()}">' for color in COLORS.values()
    ]
    return f"<html><body><h1>Samples</h1><p>Three pictures.</p>{'<p></p>'.join(pictures)}</body></html>".encode()


@pytest.mark.parametrize(("number", "color"), [*enumerate(COLORS)])
def test_a_picture_without_any_text_is_found_by_its_color(world: World, number: int, color: str) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, page(), PUBLIC, path="/nowhere/samples.html")
    [result] = world.services.reading.image_search(asker(tenant), [ImageRequest(color, ALL_COLLECTIONS, None, 3)])
    assert result.images[0].number == number
