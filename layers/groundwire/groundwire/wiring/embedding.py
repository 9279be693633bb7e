"""What the embedding function works with: one model, and nothing of tenants, tables or keys."""

import os
from typing import TYPE_CHECKING

from groundwire import settings

if TYPE_CHECKING:
    from groundwire.ports import Embedder


def model() -> "Embedder":
    """The model of GROUNDWIRE_MODEL, verified and loaded; Raises NotFound, Invalid, Unavailable."""
    from groundwire.adapters.onnx.embedders import OnnxEmbedders
    from groundwire.adapters.onnx.shelf import Shelf

    chosen = settings.read(os.environ)
    return OnnxEmbedders(chosen.model, Shelf(chosen.models), chosen.threads).default


def build() -> None:
    """That model is in its folder, as `groundwire model build` makes it: how the image comes by it."""
    from groundwire.adapters.onnx.build import build_model

    build_model(settings.read(os.environ).model, lambda _step, _part: None)


def reseed() -> None:
    """The generators of Python and of NumPy begin anew."""
    import random

    from numpy import random as of_numpy

    random.seed()
    of_numpy.seed()  # noqa: NPY002 - the one that libraries share
