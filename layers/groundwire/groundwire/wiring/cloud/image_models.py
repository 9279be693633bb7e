"""Composition of the image model of the embedding function, and its check when the image is built."""

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput
from groundwire.settings import environment
from groundwire.wiring.external_backends import build_image_embedder

if TYPE_CHECKING:
    from groundwire.ports import ImageEmbedder


def load_image_embedder() -> "ImageEmbedder | None":
    """Return the image embedder of the embedding function; None where its stack names no image model.

    Raises:
        NotFound, InvalidInput, Unavailable: see `build_image_embedder`.
    """
    return build_image_embedder(environment.read_settings(os.environ))


def check_image_model(folder: str, expected: str) -> None:
    """Check the image model that the embedding function's image gets, and empty its folder where none is named.

    Args:
        folder: the folder of the model's files.
        expected: its name and dimension as the stack's parameter has them; empty for no image model.

    Raises:
        InvalidInput: the folder's model has another name or dimension, or cannot be used.
        Unavailable: a library is missing.
    """
    if not expected:
        shutil.rmtree(folder)
        Path(folder).mkdir()
        return
    from groundwire.adapters.onnx.images.embedder import load_image_embedder as load_from

    # A wrong file must fail when the image is built, and not in the first call.
    model = load_from(Path(folder), threads=1).model
    if expected != (found := f"{model.name}/{model.dimension}"):
        raise InvalidInput(f"functions/embedding/image-model holds {found}, but ImageModel is {expected}: name it so.")
