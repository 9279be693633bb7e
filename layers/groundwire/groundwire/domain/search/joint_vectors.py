"""Joint vectors of images: the vector of an image's text and that of its picture, side by side in one index row.

A row is `[A * text, B * picture, rest]` with unit length: `A` is .995, `B` its complement, and `rest` stands for a
missing picture. A question about texts is `[text, 0, 0]`, one about pictures `[0, picture, 0]`. So the first one's
cosine is that of the texts times .995, which the fits of relevance do not notice, and the second one's order is that of
the pictures. Neither part changes the other's order.
"""

import math
import re
from array import array
from dataclasses import dataclass
from typing import Final, Self

TEXT_WEIGHT: Final = 0.995
PICTURE_WEIGHT: Final = math.sqrt(1 - TEXT_WEIGHT**2)
_SEPARATOR: Final = " + "
"""Names of models have no spaces."""
_PART: Final = re.compile(r"(\S+) ([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class JointModel:
    """The two models of joint vectors, by name and dimension."""

    text_name: str
    text_dimension: int
    picture_name: str
    picture_dimension: int

    @property
    def name(self) -> str:
        """Name of both models together, from which `parse` makes them again."""
        parts = (self.text_name, self.text_dimension), (self.picture_name, self.picture_dimension)
        return _SEPARATOR.join(f"{name} {dimension}" for name, dimension in parts)

    @property
    def dimension(self) -> int:
        """Dimension of joint vectors."""
        return self.text_dimension + self.picture_dimension + 1

    @property
    def picture_model(self) -> tuple[str, int]:
        """Name and dimension of the model of pictures; vectors of two such models are never put together."""
        return self.picture_name, self.picture_dimension

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """Return the models that a name of joint vectors names; None for the name of a single model."""
        parts = [_PART.fullmatch(part) for part in name.split(_SEPARATOR)]
        match parts:
            case [re.Match() as text, re.Match() as picture]:
                return cls(text[1], int(text[2]), picture[1], int(picture[2]))
            case _:
                return None

    def row(self, text: bytes, picture: bytes | None) -> bytes:
        """Return the vector of a row; the vectors are float32 of unit length, and without a picture None."""
        shown = array("f", bytes(4 * self.picture_dimension) if picture is None else picture)
        rest = PICTURE_WEIGHT if picture is None else 0.0
        scaled = [TEXT_WEIGHT * each for each in array("f", text)], [PICTURE_WEIGHT * each for each in shown], [rest]
        return array("f", [number for part in scaled for number in part]).tobytes()

    def text_query(self, text: bytes) -> bytes:
        """Return the vector that finds rows by their texts."""
        return text + bytes(4 * (self.picture_dimension + 1))

    def picture_query(self, picture: bytes) -> bytes:
        """Return the vector that finds rows by their pictures."""
        return bytes(4 * self.text_dimension) + picture + bytes(4)

    def parts(self, row: bytes) -> tuple[bytes, bytes | None]:
        """Return the vectors of text and picture of a row, of unit length again; None where it has no picture."""
        numbers = array("f", row)
        text = array("f", [number / TEXT_WEIGHT for number in numbers[: self.text_dimension]])
        if numbers[-1]:
            return text.tobytes(), None
        picture = array("f", [number / PICTURE_WEIGHT for number in numbers[self.text_dimension : -1]])
        return text.tobytes(), picture.tobytes()

    def asks_for_pictures(self, query: bytes) -> bool:
        """Return whether a question is about pictures; its other part is zero."""
        return not any(query[: 4 * self.text_dimension])

    def with_picture_of(self, row: bytes, other: bytes) -> bytes:
        """Return the row's vector with the picture of another row, or without one if that has none.

        Args:
            row: vector of this model.
            other: vector of a model with the same model of pictures.
        """
        start = -4 * (self.picture_dimension + 1)
        return row[:start] + other[start:]


def text_model_name(name: str) -> str:
    """Return the name of the model of texts in the name of an index's model."""
    joint = JointModel.parse(name)
    return name if joint is None else joint.text_name
