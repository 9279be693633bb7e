"""Composition of the embedding function: one model, without tenants, tables or keys."""

import os
from typing import TYPE_CHECKING

from groundwire.settings import environment

if TYPE_CHECKING:
    from groundwire.ports import Embedder


def load_embedder() -> "Embedder":
    """Return the embedder with the model of GROUNDWIRE_MODEL, verified and loaded.

    Raises:
        NotFound: there is no model in the folder.
        InvalidInput: a setting or a file of the model is invalid.
        Unavailable: the model cannot be loaded.
    """
    from groundwire.adapters.onnx.embedders import OnnxEmbedders
    from groundwire.adapters.onnx.models.store import ModelStore

    settings = environment.read_settings(os.environ)
    return OnnxEmbedders(settings.model, ModelStore(settings.models), settings.threads).default


def build_configured_model(name_or_id: str) -> None:
    """Build a model in the folder of GROUNDWIRE_MODEL; used to build the image.

    Args:
        name_or_id: the model's name, or its id as a stack names it: a revision and sizes after the name are ignored.

    Raises:
        InvalidInput: there is no such model, or a fetched file is not the pinned one.
        Unavailable: a file cannot be fetched or written.
    """
    from groundwire.adapters.onnx.model_builder import load_model_builder

    name = name_or_id.partition("/")[0].partition("@")[0]
    load_model_builder().build_model_in(environment.read_settings(os.environ).model, lambda _step, _part: None, name)


def reseed_random_generators() -> None:
    """Reseed the global random generators of Python and NumPy."""
    import random

    from numpy import random as numpy_random

    # SnapStart restores one snapshot many times, and all copies would draw the same numbers.
    random.seed()
    numpy_random.seed()  # noqa: NPY002 - libraries use the global generator
