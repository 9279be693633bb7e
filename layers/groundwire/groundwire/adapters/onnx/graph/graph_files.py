"""Graph files of a model to be installed: copied with their weights, or quantised."""

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
    """Copy the graph into `folder` as `model.onnx`, with its external weight files, if any.

    Raises:
        InvalidInput: the graph cannot be read, or refers to files outside its folder.
    """
    for name in _weight_files(graph):
        shutil.copyfile(graph.parent / name, folder / name)
    shutil.copyfile(graph, folder / GRAPH_FILE)


def quantise_graph(graph: Path, folder: Path) -> None:
    """Write the graph into `folder` as `model.onnx` with int8 weights.

    Raises:
        InvalidInput: the graph cannot be read or quantised.
    """
    _weight_files(graph)
    try:
        write_quantised(_load(graph), folder / GRAPH_FILE)
    except (ValueError, RuntimeError, OSError) as failure:
        raise InvalidInput(f"{graph} cannot be quantised ({failure}): use --precision f32") from failure


def _weight_files(graph: Path) -> list[str]:
    """Return the names of the graph's external weight files.

    Raises:
        InvalidInput: the graph cannot be read, or refers to files outside its folder.
    """
    from google.protobuf.message import DecodeError

    try:
        model = _load(graph, load_external_data=False)
    except (DecodeError, ValueError, OSError) as error:
        raise InvalidInput(f"{graph} is no ONNX graph: fetch the model again") from error
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
