"""ONNX Runtime sessions on the CPU, with worker threads that sleep between calls."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.settings.installation import forbid_telemetry

InputFeed = Mapping[str, NDArray[np.int64] | NDArray[np.float32]]


class TensorInfo(Protocol):
    """An input or output of a graph; a dimension that varies by call is a name or None."""

    name: str
    shape: Sequence[int | str | None]


class GraphSession(Protocol):
    """A graph that is ready to run."""

    def run(self, output_names: Sequence[str], input_feed: InputFeed) -> list[NDArray[Any]]:
        """Return the outputs of these names."""
        ...

    def get_inputs(self) -> Sequence[TensorInfo]:
        """Return the graph's inputs."""
        ...

    def get_outputs(self) -> Sequence[TensorInfo]:
        """Return the graph's outputs."""
        ...


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int

    def add_session_config_entry(self, name: str, value: str) -> None: ...


class _OpenSession(Protocol):
    def __call__(self, model: bytes | str, options: _Options, *, providers: Sequence[str]) -> GraphSession: ...


class _Runtime(Protocol):
    """The used part of ONNX Runtime, which ships no types."""

    SessionOptions: Callable[[], _Options]
    InferenceSession: _OpenSession


def open_session(graph: bytes | Path, threads: int) -> GraphSession:
    """Load the graph; each call uses `threads` threads.

    Raises:
        Unavailable: ONNX Runtime is not installed.
    """
    forbid_telemetry()
    try:
        # Imported on use: only a process that loads a model pays these 0.1 s.
        import onnxruntime
    except ImportError as missing:
        raise Unavailable("the embedding model needs ONNX Runtime: install Groundwire again") from missing
    runtime = cast("_Runtime", onnxruntime)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    # Operators run one after the other, so further threads would do nothing.
    options.inter_op_num_threads = 1
    # Errors alone: no user can act on a warning about a graph.
    options.log_severity_level = 3
    # Otherwise idle threads spin and occupy a core between calls.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    model = graph if isinstance(graph, bytes) else str(graph)
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


@contextmanager
def graph_errors(graph: Path) -> Generator[None]:
    """Raise each of ONNX Runtime's exceptions as InvalidInput with its reason: the graph comes from third parties."""
    try:
        yield
    except _runtime_exceptions() as error:
        reason = " ".join(str(error).split())[:300]
        raise InvalidInput(f"{graph} is no graph that can be run here: {reason}") from error


def _runtime_exceptions() -> tuple[type[Exception], ...]:
    """Return ONNX Runtime's exception types, which have no common base class."""
    forbid_telemetry()
    try:
        states = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    except ImportError:
        return ()
    found = [value for value in vars(states).values() if isinstance(value, type)]
    return (ValueError, RuntimeError, *(each for each in found if issubclass(each, Exception)))
