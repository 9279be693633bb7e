"""An installed model: what its `model.json` says of it, and files that are loaded only when they match it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from groundwire.adapters.onnx.models.manifest import MANIFEST_FILE
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.ports import ModelId
from groundwire.settings.model_spec import ModelKind, Precision, TokenPooling

TOKENIZER_FILE: Final = "tokenizer.json"
_FORMAT: Final = 2
_HASH_CHUNK_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class TokenizerConfig:
    """How texts become tokens.

    Attributes:
        max_tokens: the longest input, special tokens included; more is cut.
        padding_id: the id of the token that fills up a batch.
    """

    max_tokens: int
    padding_id: int
    lower_case: bool


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """How an embedding model's graph becomes a vector.

    Attributes:
        output_name: of the graph: token vectors, or with `pooling` None the text's vector.
        full_dimension: of the graph's vectors. dimension: to which they are cut.
    """

    output_name: str
    pooling: TokenPooling | None
    full_dimension: int
    dimension: int
    query_prefix: str
    passage_prefix: str

    def prefix(self, kind: Literal["query", "passage"]) -> str:
        """What stands before a text of this kind."""
        return self.query_prefix if kind == "query" else self.passage_prefix


@dataclass(frozen=True, slots=True)
class RerankerConfig:
    """How a reranker's graph becomes a score.

    Attributes:
        output_name: of the graph, [pairs, labels]. positive_label: the label that says "this answers".
    """

    output_name: str
    label_count: int
    positive_label: int


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """What a model is, and what its files must be.

    Attributes:
        revision: a commit of a hub, or a digest of the files that were installed.
        variant: of settings that differ from those of the model's own files; empty where none do.
        graph_file: name of the ONNX file. files: sha256 in hexadecimal by file name.
        licence: as its card states it; empty where it does not.
    """

    name: str
    revision: str
    variant: str
    precision: Precision
    tokenizer: TokenizerConfig
    config: EmbeddingConfig | RerankerConfig
    graph_file: str
    licence: str
    files: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def kind(self) -> ModelKind:
        """Told by how it is used."""
        return "embedding" if isinstance(self.config, EmbeddingConfig) else "reranker"

    @property
    def id(self) -> str:
        """Name, revision and settings: two models that could give different numbers never share one."""
        size = f"/{self.config.dimension}" if isinstance(self.config, EmbeddingConfig) else ""
        variant = f"+{self.variant}" if self.variant else ""
        return f"{self.name}@{self.revision}{variant}{size}/{self.precision}"

    @property
    def folder_name(self) -> str:
        """The id as the name of a folder."""
        return self.id.replace("/", "--")

    @property
    def embedding_model_id(self) -> ModelId:
        """What an index says of its vectors; dimension 0 for a reranker, which makes none."""
        return ModelId(self.id, self.config.dimension if isinstance(self.config, EmbeddingConfig) else 0)

    def to_json(self) -> bytes:
        """The content of `model.json`."""
        return json.dumps({"format": _FORMAT, "kind": self.kind, **_members(self)}, indent=2).encode() + b"\n"

    @classmethod
    def from_json(cls, content: bytes) -> Self:
        """What `to_json` wrote; raises ValueError, KeyError or TypeError for anything else."""
        fields: dict[str, Any] = json.loads(content)
        if fields["format"] != _FORMAT or fields["precision"] not in get_args(Precision):
            raise ValueError
        use = {"embedding": _embedding_config, "reranker": _reranker_config}[fields["kind"]](fields["use"])
        text = fields["text"]
        model = cls(
            name=fields["name"],
            revision=fields["revision"],
            variant=fields["variant"],
            precision=fields["precision"],
            tokenizer=TokenizerConfig(text["max_tokens"], text["padding"], text["lower_case"]),
            config=use,
            graph_file=fields["graph"],
            licence=fields["licence"],
            files=fields["files"],
        )
        if not {model.graph_file, TOKENIZER_FILE} <= model.files.keys() or any("/" in name for name in model.files):
            raise ValueError
        return model


# Manifests of other releases hold these names: they do not change when a field is renamed.


def _members(model: InstalledModel) -> dict[str, object]:
    text = model.tokenizer
    return {
        "name": model.name,
        "revision": model.revision,
        "variant": model.variant,
        "precision": model.precision,
        "text": {"max_tokens": text.max_tokens, "padding": text.padding_id, "lower_case": text.lower_case},
        "use": _config_members(model.config),
        "graph": model.graph_file,
        "licence": model.licence,
        "files": dict(model.files),
    }


def _config_members(use: EmbeddingConfig | RerankerConfig) -> dict[str, object]:
    if isinstance(use, RerankerConfig):
        return {"output": use.output_name, "labels": use.label_count, "positive": use.positive_label}
    return {
        "output": use.output_name,
        "pooling": use.pooling,
        "full_dimension": use.full_dimension,
        "dimension": use.dimension,
        "query_prefix": use.query_prefix,
        "passage_prefix": use.passage_prefix,
    }


def _embedding_config(members: Mapping[str, Any]) -> EmbeddingConfig:
    return EmbeddingConfig(
        output_name=members["output"],
        pooling=members["pooling"],
        full_dimension=members["full_dimension"],
        dimension=members["dimension"],
        query_prefix=members["query_prefix"],
        passage_prefix=members["passage_prefix"],
    )


def _reranker_config(members: Mapping[str, Any]) -> RerankerConfig:
    return RerankerConfig(members["output"], members["labels"], members["positive"])


def read_installed_model(folder: Path) -> InstalledModel:
    """The manifest of the model in `folder`; its files are not looked at; Raises NotFound, Invalid."""
    try:
        return InstalledModel.from_json((folder / MANIFEST_FILE).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"no model in {folder}: `groundwire model add` installs one") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as broken:
        raise InvalidInput(
            f"{folder / MANIFEST_FILE} cannot be read as a model's manifest: {_remedy(folder)}"
        ) from broken


def is_installed(folder: Path) -> bool:
    """Whether the folder's model is of this form, rather than the one that is built here."""
    try:
        return json.loads((folder / MANIFEST_FILE).read_bytes()).get("format") == _FORMAT
    except (OSError, ValueError, AttributeError):
        return False


def verify_files(folder: Path, model: InstalledModel) -> None:
    """Raises Invalid when a file is missing, unreadable or not the one that was installed."""
    for name, expected in model.files.items():
        path = folder / name
        try:
            found = file_digest(path)
        except OSError as failure:
            raise InvalidInput(
                f"the model's file {path} cannot be read ({failure.strerror}): {_remedy(folder)}"
            ) from failure
        if found != expected:
            raise InvalidInput(f"the model's file {path} is not the one installed (sha256 differs): {_remedy(folder)}")


def file_digest(path: Path) -> str:
    """The sha256 of a file of any size, in lower-case hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_HASH_CHUNK_BYTES):
            digest.update(piece)
    return digest.hexdigest()


def _remedy(folder: Path) -> str:
    return f"delete {folder} and run `groundwire model add` again"
