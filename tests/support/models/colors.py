"""An image model that knows three colours, and a parser whose pictures have them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from groundwire.domain.errors import Unavailable
from groundwire.ports import ModelId, Vector
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES, ParsedDocument
from tests.support.documents.plain_text_parser import PlainText
from tests.support.models.image_models import COLORS, unit

MODEL: Final = ModelId("colors-0123456789ab", 4)


@dataclass
class Colors:
    """Implements `ports.ImageEmbedder`: a thumbnail is as near to a word as its first byte is to the word's number."""

    model: ModelId = MODEL
    is_down: bool = False
    seen: list[int] = field(default_factory=list[int])

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        if self.is_down:
            raise Unavailable("the image model does not answer")
        return [unit(*(float(color in text) for color in COLORS), 0.1).tobytes() for text in texts]

    def embed_images(self, thumbnails: Sequence[bytes]) -> list[Vector]:
        self.seen += [each[0] for each in thumbnails]
        return [unit(*(float(each[0] == number) for number in range(3)), 0.1).tobytes() for each in thumbnails]


class Thumbnails(PlainText):
    """Draws an image in the colour that its number names."""

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        parsed = super().parse(content, file_type, with_images=with_images)
        drawn = [replace(each, thumbnail=bytes([each.position]) * THUMBNAIL_BYTES) for each in parsed.images]
        return replace(parsed, images=tuple(drawn)) if with_thumbnails else parsed
