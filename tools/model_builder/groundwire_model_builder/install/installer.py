"""Installation of a model from a folder of published files: described, tested, and moved into place atomically."""

import fcntl
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.inference.reranker import OnnxReranker
from groundwire.adapters.onnx.inference.sentence_model import SentenceModel, run_graph
from groundwire.adapters.onnx.inference.session import GraphSession, graph_errors, open_session
from groundwire.adapters.onnx.inference.tokenizer import ModelTokenizer
from groundwire.adapters.onnx.models.installed_model import (
    TOKENIZER_FILE,
    EmbeddingConfig,
    InstalledModel,
    RerankerConfig,
    file_digest,
    read_installed_model,
    verify_files,
    write_languages,
)
from groundwire.adapters.onnx.models.manifest import GRAPH_FILE, MANIFEST_FILE
from groundwire.adapters.onnx.models.repository import ModelRepository
from groundwire.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.settings.model_spec import ModelSpec
from groundwire_model_builder.graph.graph_files import copy_graph, quantise_graph
from groundwire_model_builder.graph.head import append_head
from groundwire_model_builder.install import model_config
from groundwire_model_builder.install.hub import download_model
from groundwire_model_builder.install.model_head import head_of

InstallProgress = Callable[[str, float], None]
"""Callback for progress: the present step, and the finished fraction of the whole, 0 to 1."""

_LOGITS_RANK: Final = 2
_REVISION_LENGTH: Final = 12
_VARIANT_LENGTH: Final = 8
_MIN_COSINE: Final = 0.9
"""Minimum mean cosine between the vectors of an int8 model and of its f32 original."""
_SAMPLE_TEXTS: Final = (
    "How long is the notice period?",
    "Employees may resign with four weeks' notice, in writing, to the end of a month.",
    "The pump weighs 12 kg and must not be run dry; see the table of part numbers below.",
    "Revenue rose by 4.2 % to 318 million.",
)


def install_model(
    models: Path, spec: ModelSpec, folder: Path, commit: str | None, progress: InstallProgress
) -> InstalledModel:
    """Install the model from the files in `folder`; an identical, complete installation is left as it is.

    Args:
        models: the folder of all installed models.
        spec: the requested model and its options.
        folder: files in the layout of a hub.
        commit: the hub's commit that they are from; None: `spec.revision`, else a digest of the files.
        progress: called with each step.

    Raises:
        InvalidInput: something of the model is not supported, or does not work; the reason names it.
        Conflict: another model is installed under the same id.
        Unavailable: a library is missing, or `models` cannot be written.
    """
    try:
        models.mkdir(parents=True, exist_ok=True)
        with _install_lock(models, progress), _staging_folder(models) as built:
            model = _stage_model(built, spec, ModelRepository(folder), commit, progress)
            return _move_into_place(built, models / model.folder_name, model)
    except OSError as failure:
        raise Unavailable(f"the model cannot be installed in {models}: {failure.strerror or failure}") from failure


@contextmanager
def _staging_folder(models: Path) -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix=".installing-", dir=models) as staging:
        built = Path(staging) / "built"
        built.mkdir()
        yield built


@contextmanager
def _install_lock(models: Path, progress: InstallProgress) -> Generator[None]:
    with (models / ".install.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another installation", 0.0)
            fcntl.flock(lock, fcntl.LOCK_EX)
        for abandoned in models.glob(".installing-*"):
            shutil.rmtree(abandoned)
        yield


def _stage_model(
    built: Path, spec: ModelSpec, repository: ModelRepository, commit: str | None, progress: InstallProgress
) -> InstalledModel:
    tokenizer, graph = repository.tokenizer(), repository.graph(spec.precision)
    progress("copying the model", 0.1)
    shutil.copyfile(tokenizer, built / TOKENIZER_FILE)
    quantised_here = spec.precision == "int8" and not repository.is_quantised(graph)
    head = head_of(repository, graph.relative_to(repository.folder), spec)
    copy_graph(graph, built)
    if head is not None:
        append_head(built / GRAPH_FILE, head)
    model = _describe_model(built, spec, repository, _revision(spec, commit, built))
    before = _sample_output(built, model)
    if quantised_here:
        progress("quantising", 0.4)
        # The quantised graph holds its weights itself: those beside the first one would only take space.
        for name in _files(built) - {TOKENIZER_FILE}:
            (built / name).unlink()
        quantise_graph(graph, built)
        if head is not None:
            append_head(built / GRAPH_FILE, head)
        progress("testing the model", 0.9)
        _check_agreement(before, _sample_output(built, model))
    model = replace(model, files={name: file_digest(built / name) for name in sorted(_files(built))})
    (built / MANIFEST_FILE).write_bytes(model.to_json())
    write_languages(built, model)
    return model


def _revision(spec: ModelSpec, commit: str | None, built: Path) -> str:
    if commit is not None:
        return commit[:_REVISION_LENGTH]
    return spec.revision or _digest([file_digest(built / name) for name in sorted(_files(built))], _REVISION_LENGTH)


def _describe_model(built: Path, spec: ModelSpec, repository: ModelRepository, revision: str) -> InstalledModel:
    graph, tokenizer_config = built / GRAPH_FILE, repository.tokenizer_config()
    tokens = ModelTokenizer(built / TOKENIZER_FILE, tokenizer_config)
    with graph_errors(graph):
        session = open_session(graph, 1)
    model_config.check_inputs(session)
    config_of = _reranker_config if spec.kind == "reranker" else _embedding_config
    with graph_errors(graph):
        config = config_of(session, tokens, repository, spec)
    overrides = (spec.pooling, spec.query_prefix, spec.passage_prefix)
    variant = "" if overrides == (None, None, None) else _digest(overrides, _VARIANT_LENGTH)
    languages = repository.languages() if spec.languages is None else ModelLanguages.of(spec.languages)
    return InstalledModel(
        name=spec.name,
        revision=revision,
        variant=variant,
        precision=spec.precision,
        tokenizer=tokenizer_config,
        config=config,
        graph_file=GRAPH_FILE,
        licence=repository.licence(),
        stated_languages=languages,
    )


def _embedding_config(
    session: GraphSession, tokens: ModelTokenizer, repository: ModelRepository, spec: ModelSpec
) -> EmbeddingConfig:
    output = model_config.vector_output(session)
    pooling = model_config.pooling_of(repository, output, spec)
    prefixes = model_config.prefixes_of(repository, spec)
    full = int(run_graph(session, tokens.pad_batch(tokens.encode_texts(_SAMPLE_TEXTS[:1])), output.name).shape[-1])
    dimension = full if spec.dimension is None else spec.dimension
    if dimension > full:
        raise InvalidInput(f"the model's vectors have {full} dimensions: --dimension can only shorten them")
    return EmbeddingConfig(output.name, pooling, full, dimension, prefixes.query, prefixes.passage)


def _reranker_config(
    session: GraphSession, tokens: ModelTokenizer, repository: ModelRepository, _spec: ModelSpec
) -> RerankerConfig:
    model_config.check_reranker(repository)
    output = session.get_outputs()[0].name
    logits = run_graph(session, tokens.pad_batch(tokens.encode_pairs(_SAMPLE_TEXTS[0], _SAMPLE_TEXTS[1:2])), output)
    if logits.ndim != _LOGITS_RANK:
        raise InvalidInput(
            f"the graph's {output} are no labels of a pair: leave --reranker out, or choose another model"
        )
    labels = logits.shape[1]
    return RerankerConfig(output, labels, model_config.positive_label(repository, labels))


def _sample_output(built: Path, model: InstalledModel) -> NDArray[np.float32]:
    """Return the model's output for sample texts: rows to compare with those of another precision."""
    if model.kind == "reranker":
        scores: NDArray[np.float32] = np.array(
            [OnnxReranker(built, model, 1).score(_SAMPLE_TEXTS[0], _SAMPLE_TEXTS)], np.float32
        )
        # Only the order of scores counts; an offset that all have would make any two lists look alike.
        found = scores - scores.mean(dtype=np.float32)
    else:
        vectors = SentenceModel(built, model, 1).embed(_SAMPLE_TEXTS, "passage")
        found = np.stack([np.frombuffer(vector, "<f4") for vector in vectors])
    if not np.isfinite(found).all():
        raise InvalidInput("the model gives no numbers for ordinary texts: fetch it again, or choose another")
    return found


def _check_agreement(full: NDArray[np.float32], int8: NDArray[np.float32]) -> None:
    lengths = np.linalg.norm(full, axis=1) * np.linalg.norm(int8, axis=1)
    cosines: NDArray[np.float32] = (full * int8).sum(axis=1) / np.maximum(lengths, np.finfo(np.float32).tiny)
    agreement = float(cosines.mean())
    if agreement < _MIN_COSINE:
        raise InvalidInput(f"int8 changes this model too much (cosine {agreement:.2f} to f32): use --precision f32")


def _move_into_place(built: Path, target: Path, model: InstalledModel) -> InstalledModel:
    try:
        known = read_installed_model(target)
        if (known.tokenizer, known.config, known.files) != (model.tokenizer, model.config, model.files):
            raise Conflict(f"Another model is installed as {model.id}: give this one another --revision.")
        verify_files(target, known)
    except NotFound:
        built.rename(target)
    except InvalidInput:
        # The installed files fail their own digests, so they are of no use.
        shutil.rmtree(target)
        built.rename(target)
    else:
        # Languages are no part of the id: they change no vector.
        write_languages(target, model)
    return model


def _files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _digest(value: object, length: int) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:length]


_DOWNLOAD_SHARE: Final = 0.7
"""Share of the time that the download takes on an ordinary network connection."""


def add_model(models: Path, spec: ModelSpec, progress: InstallProgress) -> InstalledModel:
    """Download the model unless `spec` names a folder, and install it among `models`.

    Raises:
        InvalidInput: the model is unknown to the hub, not supported, or does not work.
        Conflict: another model is installed under the same id.
        Unavailable: a library is missing, the hub does not answer, or `models` cannot be written.
    """
    spec.validate()
    if spec.folder is not None:
        return install_model(models, spec, spec.folder, None, progress)
    try:
        models.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise Unavailable(f"{models} cannot be written: {failure.strerror}") from failure
    fetched = download_model(models, spec, lambda part: progress("fetching the model", _DOWNLOAD_SHARE * part))

    def installing(step: str, part: float) -> None:
        progress(step, _DOWNLOAD_SHARE + (1 - _DOWNLOAD_SHARE) * part)

    model = install_model(models, spec, fetched.folder, fetched.commit, installing)
    fetched.delete()
    return model
