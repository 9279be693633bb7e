"""An order becomes an installed model: from its folder, or fetched first."""

from pathlib import Path
from typing import Final

from groundwire.adapters.onnx.hub import fetch
from groundwire.adapters.onnx.install import Progress, install
from groundwire.adapters.onnx.installed import InstalledModel
from groundwire.domain.errors import Unavailable
from groundwire.domain.model_order import ModelOrder

_FETCHING: Final = 0.7
"""The share of the time that fetching takes on an ordinary line."""


def add(models: Path, order: ModelOrder, progress: Progress) -> InstalledModel:
    """The model is among `models`; Raises Invalid, Conflict, Unavailable as fetching and installing do."""
    order.check()
    if order.folder is not None:
        return install(models, order, order.folder, None, progress)
    try:
        models.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise Unavailable(f"{models} cannot be written: {failure.strerror}") from failure
    fetched = fetch(models, order, lambda part: progress("fetching the model", _FETCHING * part))

    def installing(step: str, part: float) -> None:
        progress(step, _FETCHING + (1 - _FETCHING) * part)

    model = install(models, order, fetched.folder, fetched.commit, installing)
    fetched.forget()
    return model
