"""Graph files of a model to be installed: copied with their weights, or quantised."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, cast

from groundwire.adapters.onnx.models.manifest import GRAPH_FILE
from groundwire.domain.errors import InvalidInput
from groundwire_model_builder.graph.quantisation import write_quantised

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
        write_quantised(load_graph(graph), folder / GRAPH_FILE)
    except (ValueError, RuntimeError, OSError) as failure:
        raise InvalidInput(f"{graph} cannot be quantised ({failure}): use --precision f32") from failure


def output_ranks(graph: Path) -> dict[str, int]:
    """Return the number of dimensions of each output of a graph, by name and in order; 0 where it states none.

    Raises:
        InvalidInput: the graph cannot be read.
    """
    outputs = _read_without_weights(graph).graph.output
    return {each.name: len(each.type.tensor_type.shape.dim) for each in outputs}


def _read_without_weights(graph: Path) -> "ModelProto":
    from google.protobuf.message import DecodeError

    try:
        return load_graph(graph, load_external_data=False)
    except (DecodeError, ValueError, OSError) as error:
        raise InvalidInput(f"{graph} is no ONNX graph: fetch the model again") from error


def _weight_files(graph: Path) -> list[str]:
    """Return the names of the graph's external weight files.

    Raises:
        InvalidInput: the graph cannot be read, or refers to files outside its folder.
    """
    model = _read_without_weights(graph)
    names = sorted(set(_locations(model.graph.initializer)))
    for name in names:
        # The graph states the name: a path in it could copy any file of this machine.
        if PurePath(name).name != name or not (graph.parent / name).is_file() or name == GRAPH_FILE:
            raise InvalidInput(
                f"{graph} keeps weights in {name!r}, which does not lie beside it: fetch the model again"
            )
    return names


def load_graph(graph: Path, *, load_external_data: bool = True) -> "ModelProto":
    """Return the graph in a file, with or without the weights outside of it."""
    import onnx

    load = cast("Callable[..., ModelProto]", onnx.load)  # pyright: ignore[reportUnknownMemberType] - a bare PathLike
    return load(graph, load_external_data=load_external_data)


def _locations(tensors: Iterable["TensorProto"]) -> Iterable[str]:
    for tensor in tensors:
        for entry in tensor.external_data:
            if entry.key == "location":
                yield entry.value
