"""ONNX Runtime as far as it is used here: sessions on the CPU that sleep between calls."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from groundwire.domain.errors import InvalidInput, Unavailable

InputFeed = Mapping[str, NDArray[np.int64]]


class TensorInfo(Protocol):
    """An input or output of a graph; a dimension that a call decides is a name or None."""

    name: str
    shape: Sequence[int | str | None]


class GraphSession(Protocol):
    """A graph that is ready to run."""

    def run(self, output_names: Sequence[str], input_feed: InputFeed) -> list[NDArray[Any]]:
        """The outputs of these names."""
        ...

    def get_inputs(self) -> Sequence[TensorInfo]:
        """What the graph reads."""
        ...

    def get_outputs(self) -> Sequence[TensorInfo]:
        """What the graph gives."""
        ...


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int

    def add_session_config_entry(self, name: str, value: str) -> None: ...


class _OpenSession(Protocol):
    def __call__(self, model: bytes | str, options: _Options, *, providers: Sequence[str]) -> GraphSession: ...


class _Runtime(Protocol):
    """What is used of ONNX Runtime, which ships no types."""

    SessionOptions: Callable[[], _Options]
    InferenceSession: _OpenSession


def open_session(graph: bytes | Path, threads: int) -> GraphSession:
    """The graph, loaded; `threads` work on each call.

    Raises:
        Unavailable: ONNX Runtime is not installed.
    """
    try:
        # Imported late: 0.1 s that only a process with the model in it should pay.
        import onnxruntime
    except ImportError as missing:
        raise Unavailable("the embedding model needs ONNX Runtime: `pip install -e '.[local]'`") from missing
    runtime = cast("_Runtime", onnxruntime)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Threads that wait for work would otherwise burn a core between calls.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    model = graph if isinstance(graph, bytes) else str(graph)
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


@contextmanager
def graph_errors(graph: Path) -> Generator[None]:
    """A graph that others made may fail in any way that ONNX Runtime knows; each is Invalid with its reason."""
    try:
        yield
    except _runtime_exceptions() as broken:
        reason = " ".join(str(broken).split())[:300]
        raise InvalidInput(f"{graph} is no graph that can be run here: {reason}") from broken


def _runtime_exceptions() -> tuple[type[Exception], ...]:
    """ONNX Runtime's exceptions have no base of their own."""
    try:
        states = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    except ImportError:
        return ()
    found = [value for value in vars(states).values() if isinstance(value, type)]
    return (ValueError, RuntimeError, *(each for each in found if issubclass(each, Exception)))
