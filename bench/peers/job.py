"""Task of a retriever, passed in files, since each retriever runs in an environment of its own."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

TAGS: Final = 10
FILTERED: Final = 3
"""The tag whose holders may read a tenth of the documents."""
FOUND: Final = 10
"""Number of documents per question: the depth of nDCG@10."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Text:
    """A document or a question; `title` is empty for a question."""

    id: str
    title: str
    text: str

    @property
    def whole(self) -> str:
        """Title and text as one, as the collections' own baselines index them."""
        return f"{self.title}\n{self.text}" if self.title else self.text

    @property
    def tag(self) -> int:
        """Return one of `TAGS`; the choice is the same in every run."""
        return crc32(self.id.encode()) % TAGS


class Retriever(Protocol):
    """A peer that holds the documents."""

    def search(self, text: str, vector: list[float], tag: int | None) -> list[str]:
        """Ids of the `FOUND` best documents, best first; only those of `tag` when one is given."""
        ...


@dataclass(frozen=True, slots=True)
class Answers:
    """Result of a run.

    Attributes:
        ranked: ids by question. all_ms, filtered_ms: of each timed question, embedding included.
    """

    ranked: dict[str, list[str]]
    all_ms: list[float]
    filtered_ms: list[float]


def texts(file: Path) -> list[Text]:
    """Documents or questions of a collection in BEIR layout."""
    with file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return [Text(row["_id"], row.get("title") or "", row["text"]) for row in rows]


def save(file: Path, answers: Answers) -> None:
    """Write the answers for the process that started this one."""
    file.write_text(json.dumps([answers.ranked, answers.all_ms, answers.filtered_ms]), encoding="utf-8")


def load(file: Path) -> Answers:
    """Return the result that `save` wrote."""
    return Answers(*json.loads(file.read_text(encoding="utf-8")))


def distinct(ids: Sequence[str]) -> list[str]:
    """Each document where it came first."""
    return list(dict.fromkeys(ids))[:FOUND]
