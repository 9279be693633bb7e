"""The embedding model, loaded: texts to unit vectors with ONNX Runtime on the CPU."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.manifest import ModelFiles, ModelManifest, read_model
from groundwire.adapters.onnx.wordpiece import WordPiece
from groundwire.domain.errors import Unavailable
from groundwire.ports import ModelId, Vector

_BATCH: Final = 32

_Feed = dict[str, NDArray[np.int64]]


class _Session(Protocol):
    def run(self, output_names: Sequence[str], input_feed: _Feed) -> list[NDArray[np.float32]]: ...


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int

    def add_session_config_entry(self, name: str, value: str) -> None: ...


class _OpenSession(Protocol):
    def __call__(self, model: bytes, options: _Options, *, providers: Sequence[str]) -> _Session: ...


class _Runtime(Protocol):
    """What is used of ONNX Runtime, which ships no types."""

    SessionOptions: Callable[[], _Options]
    InferenceSession: _OpenSession


class OnnxEmbedder:
    """Implements `ports.Embedder`; safe to share between threads.

    Activations are quantised over a whole batch, so a text's vector depends slightly on the texts
    embedded with it (cosine about .996).
    """

    def __init__(self, files: ModelFiles, threads: int) -> None:
        self._manifest: ModelManifest = files.manifest
        self._tokenizer = WordPiece(files.vocabulary, files.manifest.max_tokens)
        self._session = _open_session(files.graph, threads)

    @classmethod
    def load(cls, folder: Path, threads: int) -> Self:
        """The model in `folder`, its files verified before any is used; `threads` work on each call.

        Raises:
            NotFound: there is no model in the folder.
            Invalid: a file is missing or not the one that was built.
            Unavailable: ONNX Runtime is not installed.
        """
        return cls(read_model(folder), threads)

    @property
    def model(self) -> ModelId:
        """The model's name and dimension as its manifest gives them."""
        return ModelId(self._manifest.name, self._manifest.dimension)

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """One vector per text, in order; a text without a word has one too."""
        prefix = self._manifest.prefix(kind)
        encoded = [self._tokenizer.encode(prefix + text) for text in texts]
        vectors: list[Vector] = [b""] * len(encoded)
        for batch in _batches(encoded):
            for place, vector in zip(batch, self._run([encoded[place] for place in batch]), strict=True):
                vectors[place] = vector.tobytes()
        return vectors

    def _run(self, batch: list[list[int]]) -> NDArray[np.float32]:
        shape = (len(batch), max(map(len, batch)))
        ids = np.full(shape, self._tokenizer.padding, np.int64)
        mask = np.zeros(shape, np.int64)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (vectors,) = self._session.run(["sentence_embedding"], {"input_ids": ids, "attention_mask": mask})
        return vectors.astype("<f4", copy=False)


def _batches(encoded: list[list[int]]) -> Iterator[list[int]]:
    """Places of texts of like length, since each is padded to the longest beside it."""
    by_length = sorted(range(len(encoded)), key=lambda place: len(encoded[place]))
    for first in range(0, len(by_length), _BATCH):
        yield by_length[first : first + _BATCH]


def _open_session(graph: bytes, threads: int) -> _Session:
    try:
        # Imported late: 0.1 s that only a process with the model in it should pay.
        import onnxruntime
    except ImportError as missing:
        raise Unavailable("the embedding model needs ONNX Runtime: `pip install 'groundwire[local]'`") from missing
    runtime = cast("_Runtime", onnxruntime)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Threads that wait for work would otherwise burn a core between calls.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
