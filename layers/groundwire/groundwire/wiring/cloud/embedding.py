"""What the embedding function works with: one model, and nothing of tenants, tables or keys."""

import os
from typing import TYPE_CHECKING

from groundwire.settings import environment

if TYPE_CHECKING:
    from groundwire.ports import Embedder


def load_embedder() -> "Embedder":
    """The model of GROUNDWIRE_MODEL, verified and loaded; Raises NotFound, Invalid, Unavailable."""
    from groundwire.adapters.onnx.embedders import OnnxEmbedders
    from groundwire.adapters.onnx.models.store import ModelStore

    chosen = environment.read_settings(os.environ)
    return OnnxEmbedders(chosen.model, ModelStore(chosen.models), chosen.threads).default


def build_configured_model() -> None:
    """That model is in its folder, as `groundwire model build` makes it: how the image comes by it."""
    from groundwire.adapters.onnx.install.builder import build_model

    build_model(environment.read_settings(os.environ).model, lambda _step, _part: None)


def reseed_random_generators() -> None:
    """The generators of Python and of NumPy begin anew."""
    import random

    from numpy import random as of_numpy

    random.seed()
    of_numpy.seed()  # noqa: NPY002 - the one that libraries share
