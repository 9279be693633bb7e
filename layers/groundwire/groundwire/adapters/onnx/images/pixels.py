"""Input of a vision tower: thumbnails as normalised pixels, as the model's preprocessor declares them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.models.repository import ModelRepository
from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import is_mapping
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES, THUMBNAIL_SIDE

PREPROCESSOR_FILE: Final = "preprocessor_config.json"
_CHANNELS: Final = 3
_SIDES: Final = ("shortest_edge", "height", "width")
_RESCALE_FACTOR: Final = 1 / 255
_CLIP_MEAN: Final = (0.48145466, 0.4578275, 0.40821073)
_CLIP_STD: Final = (0.26862954, 0.26130258, 0.27577711)


@dataclass(frozen=True, slots=True)
class PixelConfig:
    """Normalisation of pixels: `(value * factor - mean) / std` per channel."""

    factor: float
    mean: tuple[float, ...]
    std: tuple[float, ...]


def read_pixel_config(repository: ModelRepository) -> PixelConfig:
    """Return the normalisation that the model's preprocessor declares.

    Raises:
        InvalidInput: the file is missing or malformed, or the model sees images of another size than a thumbnail.
    """
    path = repository.folder / PREPROCESSOR_FILE
    declared: Mapping[str, object] = repository.json_object(PREPROCESSOR_FILE)
    if not declared:
        raise InvalidInput(f"{repository.folder} has no {PREPROCESSOR_FILE}: fetch the model again, with this file.")
    for member in ("size", "crop_size"):
        for side in _sides(declared.get(member)):
            if side != THUMBNAIL_SIDE:
                raise InvalidInput(
                    f"{path} declares images of {side} pixels: choose a model of {THUMBNAIL_SIDE} by {THUMBNAIL_SIDE}, "
                    "such as CLIP ViT-B/32."
                )
    try:
        config = _normalisation(declared)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{path} declares no normalisation that can be used: fetch the model again.") from error
    return config


def pixel_values(thumbnails: Sequence[bytes], config: PixelConfig) -> NDArray[np.float32]:
    """Return the thumbnails as float32 [images, channels, rows, columns].

    Raises:
        InvalidInput: a thumbnail is not of THUMBNAIL_BYTES bytes.
    """
    if any(len(thumbnail) != THUMBNAIL_BYTES for thumbnail in thumbnails):
        raise InvalidInput(f"A thumbnail has {THUMBNAIL_BYTES} bytes: {THUMBNAIL_SIDE} rows of as many pixels.")
    shape = (len(thumbnails), THUMBNAIL_SIDE, THUMBNAIL_SIDE, _CHANNELS)
    pixels = np.frombuffer(b"".join(thumbnails), np.uint8).reshape(shape).astype(np.float32)
    mean, std = (np.array(numbers, np.float32) for numbers in (config.mean, config.std))
    normalised = (pixels * np.float32(config.factor) - mean) / std
    return np.ascontiguousarray(normalised.transpose(0, 3, 1, 2))


def _sides(declared: object) -> list[object]:
    """Return the sides of a size, which is a number or an object of named sides."""
    if is_mapping(declared):
        return [declared[side] for side in _SIDES if side in declared]
    return [] if declared is None else [declared]


def _normalisation(declared: Mapping[str, object]) -> PixelConfig:
    """Return the declared normalisation; ValueError or TypeError for another value."""
    is_normalised = declared.get("do_normalize", True)
    (factor,) = _numbers([declared.get("rescale_factor", _RESCALE_FACTOR)])
    config = PixelConfig(
        factor if declared.get("do_rescale", True) else 1.0,
        _channels(declared.get("image_mean", _CLIP_MEAN) if is_normalised else (0.0,) * _CHANNELS),
        _channels(declared.get("image_std", _CLIP_STD) if is_normalised else (1.0,) * _CHANNELS),
    )
    # A division by it would give values that are no numbers.
    if min(config.std) <= 0:
        raise ValueError
    return config


def _channels(values: object) -> tuple[float, ...]:
    numbers = _numbers(values)
    if len(numbers) != _CHANNELS:
        raise ValueError
    return numbers


def _numbers(values: object) -> tuple[float, ...]:
    numbers = tuple(float(cast("float", value)) for value in cast("Sequence[object]", values))
    if not np.isfinite(numbers).all():
        raise ValueError
    return numbers
