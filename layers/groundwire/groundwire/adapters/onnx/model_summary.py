"""Summaries of the installed models, for display."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from groundwire.adapters.onnx.inference.tokenizer import tokenizers_missing
from groundwire.adapters.onnx.models.installed_model import (
    TOKENIZER_FILE,
    EmbeddingConfig,
    InstalledModel,
    is_installed,
    read_installed_model,
    verify_files,
)
from groundwire.adapters.onnx.models.manifest import read_manifest, read_model
from groundwire.adapters.onnx.models.store import ModelStore
from groundwire.domain.errors import NotFound, Unavailable

ModelSummary = Mapping[str, object]


def describe_model(folder: Path) -> ModelSummary:
    """Return the summary of the model in a folder, after checking every file.

    Raises:
        NotFound: the folder holds no model.
        InvalidInput: its files are damaged.
    """
    if is_installed(folder):
        model = read_installed_model(folder)
        verify_files(folder, model)
        return describe_installed_model(model)
    manifest = read_model(folder).manifest
    return {
        "name": manifest.name,
        "dimension": manifest.dimension,
        "max_tokens": manifest.max_tokens,
        "languages": " ".join(manifest.languages.names()),
        "licence": manifest.licence,
        "source": manifest.source.package,
    }


def describe_installed_model(model: InstalledModel) -> ModelSummary:
    """Return the summary of a model that `groundwire model add` installed."""
    config = model.config
    fields: dict[str, object] = {
        "name": model.id,
        "kind": model.kind,
        "dimension": config.dimension if isinstance(config, EmbeddingConfig) else None,
        "max_tokens": model.tokenizer.max_tokens,
        "licence": model.licence or None,
        "source": f"{model.name} at {model.revision}" if model.source is None else model.source.package,
    }
    if isinstance(config, EmbeddingConfig):
        fields |= {
            "pooling": config.pooling or "in the graph",
            "query_prefix": config.query_prefix,
            "passage_prefix": config.passage_prefix,
            "languages": " ".join(model.languages.names()),
        }
    return fields


def list_models(default: Path, store: ModelStore, reranker: str | None) -> list[ModelSummary]:
    """Return name, kind, dimension and use of every model.

    Raises:
        InvalidInput: a manifest cannot be read.
    """
    rows = [_default_row(default)] if _is_present(default) and default not in _folders(store) else []
    for model in store.all():
        used = store.folder_of(model) == default or (model.kind == "reranker" and reranker in _names(model))
        rows.append(
            _row(model.id, model.kind, model.embedding_model_id.dimension or None, used=used, licence=model.licence)
        )
    return rows


def check_models(store: ModelStore, reranker: str | None) -> str:
    """Return one line on the installed models, after checking every file.

    Raises:
        NotFound: the configured reranker is not installed.
        InvalidInput: a model's files are damaged.
        Unavailable: the tokenizers library is missing.
    """
    installed = store.all()
    for model in installed:
        verify_files(store.folder_of(model), model)
    need_library = any(model.tokenizer_file == TOKENIZER_FILE for model in installed)
    if need_library and find_spec("tokenizers") is None:
        raise Unavailable(tokenizers_missing())
    names = ", ".join(f"{model.id} ({model.kind})" for model in installed) or "none added"
    used = f"; reranker: {store.find(reranker, 'reranker').id}" if reranker is not None else ""
    return names + used


def _default_row(folder: Path) -> ModelSummary:
    if is_installed(folder):
        model = read_installed_model(folder)
        return _row(model.id, model.kind, model.embedding_model_id.dimension, used=True, licence=model.licence)
    manifest = read_manifest(folder)
    return _row(manifest.name, "embedding", manifest.dimension, used=True, licence=manifest.licence)


def _row(name: str, kind: str, dimension: int | None, *, used: bool, licence: str) -> ModelSummary:
    return {"name": name, "kind": kind, "dimension": dimension, "default": used, "licence": licence or None}


def _names(model: InstalledModel) -> set[str]:
    return {model.id, model.name, f"{model.name}@{model.revision}"}


def _folders(store: ModelStore) -> set[Path]:
    return {store.folder_of(model) for model in store.all()}


def _is_present(folder: Path) -> bool:
    if is_installed(folder):
        return True
    try:
        read_manifest(folder)
    except NotFound:
        return False
    return True
