"""Builder of models: weights of a package or of a hub become a quantised ONNX graph with its manifest.

It is a tool beside the server: it writes a folder, and the server reads it. It depends on the server's description of
such a folder; the server depends on nothing of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from groundwire_model_builder.install.builder import build_model
    from groundwire_model_builder.install.installer import add_model
    from groundwire_model_builder.install.packaged_models import (
        MULTILINGUAL_SMALL,
        PACKAGED_MODELS,
        PackagedModel,
        add_packaged_model,
        build_model_in,
        build_packaged_model,
    )
    from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2, PublishedModel
    from groundwire_model_builder.install.wheels import PinnedWheel

__version__ = "0.1.0"

__all__ = [
    "ALL_MINILM_L6_V2",
    "MULTILINGUAL_SMALL",
    "PACKAGED_MODELS",
    "PackagedModel",
    "PinnedWheel",
    "PublishedModel",
    "add_model",
    "add_packaged_model",
    "build_model",
    "build_model_in",
    "build_packaged_model",
]

_MODULES: Final = {
    "ALL_MINILM_L6_V2": "install.published_weights",
    "MULTILINGUAL_SMALL": "install.packaged_models",
    "PACKAGED_MODELS": "install.packaged_models",
    "PackagedModel": "install.packaged_models",
    "PinnedWheel": "install.wheels",
    "PublishedModel": "install.published_weights",
    "add_model": "install.installer",
    "add_packaged_model": "install.packaged_models",
    "build_model": "install.builder",
    "build_model_in": "install.packaged_models",
    "build_packaged_model": "install.packaged_models",
}
"""Modules of the public names: each is loaded with the first use of a name, as only some of them need ONNX."""


def __getattr__(name: str) -> object:
    """Return a public name after loading its module.

    Raises:
        AttributeError: the package has no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
