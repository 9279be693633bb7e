"""The graph of a model to be installed: copied with its weights, or quantised."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, cast

from groundwire.adapters.onnx.graph.quantisation import write_quantised
from groundwire.adapters.onnx.models.manifest import GRAPH_FILE
from groundwire.domain.errors import InvalidInput

if TYPE_CHECKING:
    from onnx import ModelProto, TensorProto


def copy_graph(graph: Path, folder: Path) -> None:
    """The graph is in `folder` as `model.onnx`, and beside it the files that hold its weights, if any."""
    for name in _weight_files(graph):
        shutil.copyfile(graph.parent / name, folder / name)
    shutil.copyfile(graph, folder / GRAPH_FILE)


def quantise_graph(graph: Path, folder: Path) -> None:
    """The graph is in `folder` as `model.onnx` with int8 weights; Raises Invalid."""
    _weight_files(graph)
    try:
        write_quantised(_load(graph), folder / GRAPH_FILE)
    except (ValueError, RuntimeError, OSError) as failure:
        raise InvalidInput(f"{graph} cannot be quantised ({failure}): use --precision f32") from failure


def _weight_files(graph: Path) -> list[str]:
    """Raises Invalid for a graph that cannot be read, or that would read files from elsewhere."""
    from google.protobuf.message import DecodeError

    try:
        model = _load(graph, load_external_data=False)
    except (DecodeError, ValueError, OSError) as broken:
        raise InvalidInput(f"{graph} is no ONNX graph: fetch the model again") from broken
    names = sorted(set(_locations(model.graph.initializer)))
    for name in names:
        if PurePath(name).name != name or not (graph.parent / name).is_file() or name == GRAPH_FILE:
            raise InvalidInput(
                f"{graph} keeps weights in {name!r}, which does not lie beside it: fetch the model again"
            )
    return names


def _load(graph: Path, *, load_external_data: bool = True) -> "ModelProto":
    import onnx

    load = cast("Callable[..., ModelProto]", onnx.load)  # pyright: ignore[reportUnknownMemberType] - a bare PathLike
    return load(graph, load_external_data=load_external_data)


def _locations(tensors: Iterable["TensorProto"]) -> Iterable[str]:
    for tensor in tensors:
        for entry in tensor.external_data:
            if entry.key == "location":
                yield entry.value
