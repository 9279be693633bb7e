"""What a person is told of the models that are here."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from groundwire.adapters.onnx.installed import InstalledModel, VectorUse, is_installed, read_installed, verify
from groundwire.adapters.onnx.manifest import read_manifest, read_model
from groundwire.adapters.onnx.shelf import Shelf
from groundwire.adapters.onnx.tokens import EXTRA
from groundwire.domain.errors import NotFound, Unavailable

Facts = Mapping[str, object]


def facts(folder: Path) -> Facts:
    """Of the model in a folder, after every file was checked; Raises NotFound, Invalid."""
    if is_installed(folder):
        model = read_installed(folder)
        verify(folder, model)
        return of_installed(model)
    manifest = read_model(folder).manifest
    return {
        "name": manifest.name,
        "dimension": manifest.dimension,
        "max_tokens": manifest.max_tokens,
        "licence": manifest.licence,
        "source": manifest.source.package,
    }


def of_installed(model: InstalledModel) -> Facts:
    """Of a model that `groundwire model add` put there."""
    use = model.use
    fields: dict[str, object] = {
        "name": model.id,
        "kind": model.kind,
        "dimension": use.dimension if isinstance(use, VectorUse) else None,
        "max_tokens": model.text.max_tokens,
        "licence": model.licence or None,
        "source": f"{model.name} at {model.revision}",
    }
    if isinstance(use, VectorUse):
        fields |= {
            "pooling": use.pooling or "in the graph",
            "query_prefix": use.query_prefix,
            "passage_prefix": use.passage_prefix,
        }
    return fields


def listing(default: Path, shelf: Shelf, reranker: str | None) -> list[Facts]:
    """Name, kind, dimension and use of every model; Raises Invalid."""
    rows = [_default_row(default)] if _is_there(default) and default not in _folders(shelf) else []
    for model in shelf.all():
        used = shelf.folder_of(model) == default or (model.kind == "reranker" and reranker in _names(model))
        rows.append(_row(model.id, model.kind, model.vectors_id.dimension or None, used=used, licence=model.licence))
    return rows


def check(shelf: Shelf, reranker: str | None) -> str:
    """One line on the installed models, every file checked; Raises NotFound, Invalid, Unavailable."""
    installed = shelf.all()
    for model in installed:
        verify(shelf.folder_of(model), model)
    if installed and find_spec("tokenizers") is None:
        raise Unavailable(EXTRA)
    names = ", ".join(f"{model.id} ({model.kind})" for model in installed) or "none added"
    used = f"; reranker: {shelf.find(reranker, 'reranker').id}" if reranker is not None else ""
    return names + used


def _default_row(folder: Path) -> Facts:
    if is_installed(folder):
        model = read_installed(folder)
        return _row(model.id, model.kind, model.vectors_id.dimension, used=True, licence=model.licence)
    manifest = read_manifest(folder)
    return _row(manifest.name, "embedding", manifest.dimension, used=True, licence=manifest.licence)


def _row(name: str, kind: str, dimension: int | None, *, used: bool, licence: str) -> Facts:
    return {"name": name, "kind": kind, "dimension": dimension, "default": used, "licence": licence or None}


def _names(model: InstalledModel) -> set[str]:
    return {model.id, model.name, f"{model.name}@{model.revision}"}


def _folders(shelf: Shelf) -> set[Path]:
    return {shelf.folder_of(model) for model in shelf.all()}


def _is_there(folder: Path) -> bool:
    if is_installed(folder):
        return True
    try:
        read_manifest(folder)
    except NotFound:
        return False
    return True
