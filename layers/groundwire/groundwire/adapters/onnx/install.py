"""Installs a model from a folder of published files: described, tried out, and put in place whole or not at all."""

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

from groundwire.adapters.onnx import describe
from groundwire.adapters.onnx.graph_files import copy_graph, quantise_graph
from groundwire.adapters.onnx.installed import (
    TOKENIZER,
    InstalledModel,
    ScoreUse,
    VectorUse,
    file_digest,
    read_installed,
    verify,
)
from groundwire.adapters.onnx.manifest import GRAPH, MANIFEST
from groundwire.adapters.onnx.repository import Repository
from groundwire.adapters.onnx.reranker import OnnxReranker
from groundwire.adapters.onnx.runtime import Session, foreign, open_session
from groundwire.adapters.onnx.sentence_model import SentenceModel, run
from groundwire.adapters.onnx.tokens import Tokens
from groundwire.domain.errors import Conflict, Invalid, NotFound, Unavailable
from groundwire.domain.model_order import ModelOrder

Progress = Callable[[str, float], None]
"""Told what is being done, and the fraction of the whole that is behind, 0 to 1."""

_LOGITS_RANK: Final = 2
_REVISION_LENGTH: Final = 12
_VARIANT_LENGTH: Final = 8
_LEAST_AGREEMENT: Final = 0.9
"""Cosine to the f32 model below which an int8 one is no longer the same model."""
_TRIED: Final = (
    "How long is the notice period?",
    "Employees may resign with four weeks' notice, in writing, to the end of a month.",
    "The pump weighs 12 kg and must not be run dry; see the table of part numbers below.",
    "Revenue rose by 4.2 % to 318 million.",
)


def install(models: Path, order: ModelOrder, folder: Path, commit: str | None, progress: Progress) -> InstalledModel:
    """The model is among `models`, made of the files in `folder`; nothing happens when it is there and whole.

    Args:
        models: the folder of all installed models.
        order: what was asked for.
        folder: files as a hub keeps them.
        commit: of the hub that they are from; None: `order.revision`, else a digest of the files.
        progress: told of each step.

    Raises:
        Invalid: something of the model is not supported, or does not work; the reason names it.
        Conflict: another model is installed under the same id.
        Unavailable: a library is missing, or `models` cannot be written.
    """
    try:
        models.mkdir(parents=True, exist_ok=True)
        with _only_installer(models, progress), _workshop(models) as built:
            model = _make(built, order, Repository(folder), commit, progress)
            return _put_in_place(built, models / model.folder_name, model)
    except OSError as failure:
        raise Unavailable(f"the model cannot be installed in {models}: {failure.strerror or failure}") from failure


@contextmanager
def _workshop(models: Path) -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix=".installing-", dir=models) as shop:
        built = Path(shop) / "built"
        built.mkdir()
        yield built


@contextmanager
def _only_installer(models: Path, progress: Progress) -> Generator[None]:
    with (models / ".install.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another installation", 0.0)
            fcntl.flock(lock, fcntl.LOCK_EX)
        for abandoned in models.glob(".installing-*"):
            shutil.rmtree(abandoned)
        yield


def _make(
    built: Path, order: ModelOrder, repository: Repository, commit: str | None, progress: Progress
) -> InstalledModel:
    tokenizer, graph = repository.tokenizer(), repository.graph(order.precision)
    progress("copying the model", 0.1)
    shutil.copyfile(tokenizer, built / TOKENIZER)
    quantised_here = order.precision == "int8" and not repository.is_quantised(graph)
    copy_graph(graph, built)
    model = _described(built, order, repository, _revision(order, commit, built))
    before = _try(built, model)
    if quantised_here:
        progress("quantising", 0.4)
        for name in _files(built) - {TOKENIZER}:
            (built / name).unlink()
        quantise_graph(graph, built)
        progress("trying it out", 0.9)
        _compare(before, _try(built, model))
    model = replace(model, files={name: file_digest(built / name) for name in sorted(_files(built))})
    (built / MANIFEST).write_bytes(model.to_json())
    return model


def _revision(order: ModelOrder, commit: str | None, built: Path) -> str:
    if commit is not None:
        return commit[:_REVISION_LENGTH]
    return order.revision or _digest([file_digest(built / name) for name in sorted(_files(built))], _REVISION_LENGTH)


def _described(built: Path, order: ModelOrder, repository: Repository, revision: str) -> InstalledModel:
    graph, text = built / GRAPH, repository.text_use()
    tokens = Tokens(built / TOKENIZER, text)
    with foreign(graph):
        session = open_session(graph, 1)
    describe.check_inputs(session)
    use = _score_use if order.kind == "reranker" else _vector_use
    with foreign(graph):
        described = use(session, tokens, repository, order)
    overrides = (order.pooling, order.query_prefix, order.passage_prefix)
    variant = "" if overrides == (None, None, None) else _digest(overrides, _VARIANT_LENGTH)
    return InstalledModel(order.name, revision, variant, order.precision, text, described, GRAPH, repository.licence())


def _vector_use(session: Session, tokens: Tokens, repository: Repository, order: ModelOrder) -> VectorUse:
    output = describe.vector_output(session)
    pooling = describe.pooling_of(repository, output, order)
    prefixes = describe.prefixes_of(repository, order)
    full = int(run(session, tokens.batch(tokens.texts(_TRIED[:1])), output.name).shape[-1])
    dimension = full if order.dimension is None else order.dimension
    if dimension > full:
        raise Invalid(f"the model's vectors have {full} dimensions: --dimension can only shorten them")
    return VectorUse(output.name, pooling, full, dimension, prefixes.query, prefixes.passage)


def _score_use(session: Session, tokens: Tokens, repository: Repository, _order: ModelOrder) -> ScoreUse:
    output = session.get_outputs()[0].name
    logits = run(session, tokens.batch(tokens.pairs(_TRIED[0], _TRIED[1:2])), output)
    if logits.ndim != _LOGITS_RANK:
        raise Invalid(f"the graph's {output} are no labels of a pair: leave --reranker out, or choose another model")
    labels = logits.shape[1]
    return ScoreUse(output, labels, describe.positive_label(repository, labels))


def _try(built: Path, model: InstalledModel) -> NDArray[np.float32]:
    """What the model makes of a few texts: rows that another precision's must resemble."""
    if model.kind == "reranker":
        scores: NDArray[np.float32] = np.array([OnnxReranker(built, model, 1).score(_TRIED[0], _TRIED)], np.float32)
        found = scores - scores.mean(dtype=np.float32)
    else:
        vectors = SentenceModel(built, model, 1).embed(_TRIED, "passage")
        found = np.stack([np.frombuffer(vector, "<f4") for vector in vectors])
    if not np.isfinite(found).all():
        raise Invalid("the model gives no numbers for ordinary texts: fetch it again, or choose another")
    return found


def _compare(full: NDArray[np.float32], int8: NDArray[np.float32]) -> None:
    lengths = np.linalg.norm(full, axis=1) * np.linalg.norm(int8, axis=1)
    cosines: NDArray[np.float32] = (full * int8).sum(axis=1) / np.maximum(lengths, np.finfo(np.float32).tiny)
    agreement = float(cosines.mean())
    if agreement < _LEAST_AGREEMENT:
        raise Invalid(f"int8 changes this model too much (cosine {agreement:.2f} to f32): use --precision f32")


def _put_in_place(built: Path, target: Path, model: InstalledModel) -> InstalledModel:
    try:
        known = read_installed(target)
        if (known.text, known.use, known.files) != (model.text, model.use, model.files):
            raise Conflict(f"Another model is installed as {model.id}: give this one another --revision.")
        verify(target, known)
    except NotFound:
        built.rename(target)
    except Invalid:
        shutil.rmtree(target)
        built.rename(target)
    else:
        return known
    return model


def _files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _digest(value: object, length: int) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:length]
