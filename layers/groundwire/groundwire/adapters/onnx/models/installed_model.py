"""An installed model: its `model.json`, and files that are loaded only when they match it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from groundwire.adapters.onnx.models.manifest import MANIFEST_FILE, ModelSource
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.search.model_languages import ModelLanguages, stated_languages
from groundwire.ports import ModelId
from groundwire.settings.model_spec import ModelKind, Precision, TokenPooling

TOKENIZER_FILE: Final = "tokenizer.json"
LANGUAGES_FILE: Final = "languages.json"
"""File with a list of language codes. An earlier release takes no further member of the manifest."""
UNIGRAM_FILE: Final = "unigram.json"
"""Vocabulary of a model whose tokenizer needs no library."""
_FORMAT: Final = 2
_UNIGRAM_FORMAT: Final = 3
"""Format of a model with `unigram.json`, which an earlier release leaves out of its list instead of misreading it."""
_TOKENIZERS: Final[Mapping[int, str]] = {_FORMAT: TOKENIZER_FILE, _UNIGRAM_FORMAT: UNIGRAM_FILE}
_HASH_CHUNK_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class TokenizerConfig:
    """Settings of the tokenizer.

    Attributes:
        max_tokens: the longest input, special tokens included; longer ones are truncated.
        padding_id: the id of the token that fills up a batch.
    """

    max_tokens: int
    padding_id: int
    lower_case: bool


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """Settings of an embedding model.

    Attributes:
        output_name: output of the graph: token vectors, or the text's vector when `pooling` is None.
        full_dimension: of the graph's vectors. dimension: to which they are truncated.
    """

    output_name: str
    pooling: TokenPooling | None
    full_dimension: int
    dimension: int
    query_prefix: str
    passage_prefix: str

    def prefix(self, kind: Literal["query", "passage"]) -> str:
        """Return the text that precedes an input of this kind."""
        return self.query_prefix if kind == "query" else self.passage_prefix


@dataclass(frozen=True, slots=True)
class RerankerConfig:
    """Settings of a reranker.

    Attributes:
        output_name: output of the graph, [pairs, labels]. positive_label: index of the label that means "this answers".
    """

    output_name: str
    label_count: int
    positive_label: int


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model's description, and the digests that its files must have.

    Attributes:
        revision: a commit of a hub, or a digest of the files that were installed.
        variant: digest of the settings that differ from those of the model's own files; empty where none do.
        graph_file: name of the ONNX file. files: sha256 in hexadecimal by file name.
        tokenizer_file: `tokenizer.json` or `unigram.json`.
        source: the package that a packaged model was built from; None: a model of a hub or a folder.
        stated_languages: those that the model supports, from `languages.json`; None: nobody stated them.
        licence: from the model's card; empty when the card names none.
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
    stated_languages: ModelLanguages | None = None
    tokenizer_file: str = TOKENIZER_FILE
    source: ModelSource | None = None

    @property
    def kind(self) -> ModelKind:
        """The model's kind, derived from its configuration."""
        return "embedding" if isinstance(self.config, EmbeddingConfig) else "reranker"

    @property
    def id(self) -> str:
        """Name, revision and settings: two models that could give different numbers never share an id."""
        size = f"/{self.config.dimension}" if isinstance(self.config, EmbeddingConfig) else ""
        variant = f"+{self.variant}" if self.variant else ""
        return f"{self.name}@{self.revision}{variant}{size}/{self.precision}"

    @property
    def folder_name(self) -> str:
        """The id as the name of a folder."""
        return self.id.replace("/", "--")

    @property
    def languages(self) -> ModelLanguages:
        """Stated languages, or those that the model's name implies."""
        return self.stated_languages or stated_languages(self.name)

    @property
    def embedding_model_id(self) -> ModelId:
        """The id that an index stores with its vectors; dimension 0 for a reranker, which makes none."""
        return ModelId(self.id, self.config.dimension if isinstance(self.config, EmbeddingConfig) else 0)

    def to_json(self) -> bytes:
        """Return the content of `model.json`."""
        number = _FORMAT if self.tokenizer_file == TOKENIZER_FILE else _UNIGRAM_FORMAT
        return json.dumps({"format": number, "kind": self.kind, **_members(self)}, indent=2).encode() + b"\n"

    @classmethod
    def from_json(cls, content: bytes) -> Self:
        """Return the model that `to_json` wrote.

        Raises:
            ValueError, KeyError, TypeError: the content is anything else.
        """
        fields: dict[str, Any] = json.loads(content)
        if fields["format"] not in _TOKENIZERS or fields["precision"] not in get_args(Precision):
            raise ValueError
        read_config = {"embedding": _embedding_config, "reranker": _reranker_config}[fields["kind"]]
        tokenizer = fields["text"]
        model = cls(
            name=fields["name"],
            revision=fields["revision"],
            variant=fields["variant"],
            precision=fields["precision"],
            tokenizer=TokenizerConfig(tokenizer["max_tokens"], tokenizer["padding"], tokenizer["lower_case"]),
            config=read_config(fields["use"]),
            graph_file=fields["graph"],
            licence=fields["licence"],
            files=fields["files"],
            tokenizer_file=_TOKENIZERS[fields["format"]],
            source=ModelSource(**fields["source"]) if "source" in fields else None,
        )
        # A name with a slash could lead out of the folder.
        if not {model.graph_file, model.tokenizer_file} <= model.files.keys() or any(
            "/" in name for name in model.files
        ):
            raise ValueError
        return model


# Manifests of other releases hold these names: they do not change when a field is renamed.


def _members(model: InstalledModel) -> dict[str, object]:
    tokenizer = model.tokenizer
    source = {} if model.source is None else {"source": model.source.members()}
    return {
        "name": model.name,
        "revision": model.revision,
        "variant": model.variant,
        "precision": model.precision,
        "text": {
            "max_tokens": tokenizer.max_tokens,
            "padding": tokenizer.padding_id,
            "lower_case": tokenizer.lower_case,
        },
        "use": _config_members(model.config),
        "graph": model.graph_file,
        "licence": model.licence,
        "files": dict(model.files),
        **source,
    }


def _config_members(config: EmbeddingConfig | RerankerConfig) -> dict[str, object]:
    if isinstance(config, RerankerConfig):
        return {"output": config.output_name, "labels": config.label_count, "positive": config.positive_label}
    return {
        "output": config.output_name,
        "pooling": config.pooling,
        "full_dimension": config.full_dimension,
        "dimension": config.dimension,
        "query_prefix": config.query_prefix,
        "passage_prefix": config.passage_prefix,
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
    """Return the manifest of the model in `folder`; its files are not checked.

    Raises:
        NotFound: there is no model in the folder.
        InvalidInput: its manifest cannot be read.
    """
    try:
        model = InstalledModel.from_json((folder / MANIFEST_FILE).read_bytes())
        return replace(model, stated_languages=_read_languages(folder / LANGUAGES_FILE))
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"no model in {folder}: `groundwire model add` installs one") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            f"{folder / MANIFEST_FILE} cannot be read as a model's manifest: {_remedy(folder)}"
        ) from error


def write_languages(folder: Path, model: InstalledModel) -> None:
    """Replace the stated languages of the model in `folder`."""
    if model.stated_languages is not None:
        # A file that is replaced as a whole is never read in part.
        written = folder / f".{LANGUAGES_FILE}"
        written.write_text(json.dumps(model.stated_languages.names()))
        written.replace(folder / LANGUAGES_FILE)


def _read_languages(path: Path) -> ModelLanguages | None:
    return ModelLanguages.of(json.loads(path.read_bytes())) if path.is_file() else None


def is_installed(folder: Path) -> bool:
    """Return whether the folder's model was added, rather than built by `groundwire model build`."""
    try:
        return json.loads((folder / MANIFEST_FILE).read_bytes()).get("format") in _TOKENIZERS
    except (OSError, ValueError, AttributeError, TypeError):
        return False


def verify_files(folder: Path, model: InstalledModel) -> None:
    """Check every file of the model against its digest.

    Raises:
        InvalidInput: a file is missing, unreadable or not the one that was installed.
    """
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
    """Return the sha256 of a file of any size, in lower-case hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_HASH_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _remedy(folder: Path) -> str:
    return f"delete {folder} and run `groundwire model add` again"
