"""Specification of a model that an operator wants to install."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.errors import InvalidInput

_LANGUAGE: Final = re.compile("[a-z]{2}|mul")

PACKAGED_MODEL_FOLDERS: Final = {"multilingual-small": "multilingual-small@1--384--int8"}
"""Folders of the models that are built from a package, by the name that chooses them in GROUNDWIRE_MODEL."""

ModelKind = Literal["embedding", "reranker"]
Precision = Literal["f32", "int8"]
TokenPooling = Literal["mean", "cls", "max", "last"]
"""Pooling of token vectors: their mean, the first one, the largest value of each dimension, the last one."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Model and its options; None uses the value in the model's own files.

    Attributes:
        name: as on a hub, `owner/name`, or any name for a folder's model.
        folder: folder of its files; None: fetched from a hub.
        revision: on the hub: branch, tag or commit; of a folder: its label.
        languages: codes of the languages that the model supports; "mul" for every language.
        dimension: length to which vectors are truncated, for models trained for that (Matryoshka).
    """

    name: str
    folder: Path | None
    revision: str | None
    kind: ModelKind = "embedding"
    precision: Precision = "int8"
    dimension: int | None = None
    pooling: TokenPooling | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None
    languages: tuple[str, ...] | None = None

    def validate(self) -> None:
        """Check name, revision, dimension and languages.

        Raises:
            InvalidInput: one of them is not valid, or a reranker has options of vectors.
        """
        if not all(map(is_doc_id, self.name.split("/"))) or self.name.count("/") > 1:
            raise InvalidInput(
                f"{self.name!r} cannot be a model's name: write owner/name of letters, digits, '.', '_', '-'."
            )
        if self.revision is not None and not is_doc_id(self.revision):
            raise InvalidInput(f"{self.revision!r} cannot be a revision: use letters, digits, '.', '_' and '-'.")
        if self.dimension is not None and self.dimension < 1:
            raise InvalidInput("A vector has at least one dimension.")
        if self.languages is not None and not all(map(_LANGUAGE.fullmatch, self.languages)):
            raise InvalidInput("A language is a code of two letters such as `de`, or `mul` for every language.")
        if self.kind == "reranker" and self._vector_options != (None,) * 5:
            raise InvalidInput("A reranker makes no vectors: leave dimension, pooling, prefixes and languages out.")

    @property
    def _vector_options(self) -> tuple[object, ...]:
        return self.dimension, self.pooling, self.query_prefix, self.passage_prefix, self.languages
