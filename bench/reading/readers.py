"""Readers that are compared: Groundwire's parser, and peers in environments of their own."""

import json
import subprocess
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from bench.environments import interpreter
from bench.reading.markdown import read_markdown
from bench.reading.reading import Reading, UnreadableFile
from bench.server import ROOT, plain_environment
from groundwire.adapters.parse import ConfinedParser, ParserLimits
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.passages.chunking import chunk
from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument

OURS: Final = "groundwire"
PEERS: Final = ("markitdown", "docling")
_FOLDER: Final = ROOT / "bench" / "reading"
_TIMEOUT_SECONDS: Final = 600
_REASON: Final = 100
"""Characters of a failure's last line."""
_QUIET: Final = {"DO_NOT_TRACK": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "PYTHONWARNINGS": "ignore"}


class Reader(Protocol):
    """A program that reads documents."""

    @property
    def name(self) -> str: ...

    def read(self, file: Path) -> Reading:
        """Return what it reads; Raises UnreadableFile."""
        ...


@dataclass(frozen=True, slots=True)
class Groundwire:
    """The parser as ingestion uses it: a confined worker, text recognition off."""

    parser: ConfinedParser
    name: str = OURS

    def read(self, file: Path) -> Reading:
        content = file.read_bytes()
        start = time.perf_counter()
        try:
            document = self.parser.parse(content, file.suffix.removeprefix(".").lower())
        except DocumentRefused as refusal:
            raise UnreadableFile(str(refusal)) from refusal
        return reading_of(document, time.perf_counter() - start)


@contextmanager
def groundwire() -> Generator[Groundwire]:
    """Gives our reader, its worker started: a server's has started long before."""
    with ConfinedParser(ParserLimits()) as parser:
        parser.parse(b"Started.", "txt")
        yield Groundwire(parser)


def reading_of(document: ParsedDocument, seconds: float) -> Reading:
    """Return the document as readings are compared; a caption that only a table has is a line above it."""
    texts = {block.text for block in document.blocks}
    return Reading(
        "\n".join(line for block in document.blocks for line in _lines(block, texts)),
        [block.rows for block in document.blocks if block.kind is BlockKind.TABLE],
        [block.text for block in document.blocks if block.kind is BlockKind.HEADING],
        document.title,
        chunk(document),
        seconds,
    )


def _lines(block: Block, texts: set[str]) -> Iterator[str]:
    yield from (line for line in block.caption.splitlines() if line not in texts)
    yield block.text


@dataclass(frozen=True, slots=True)
class Peer:
    """A program of others, started anew for each file."""

    name: str
    python: Path

    def read(self, file: Path) -> Reading:
        try:
            done = subprocess.run(
                [self.python, _FOLDER / "converting.py", self.name, file.resolve()],
                env={**plain_environment(), **_QUIET},
                capture_output=True,
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as timeout:
            raise UnreadableFile(f"no answer in {_TIMEOUT_SECONDS} seconds") from timeout
        if done.returncode:
            raise UnreadableFile(_last_line(done.stderr))
        answer = json.loads(done.stdout)
        return read_markdown(answer["markdown"], title=answer["title"], seconds=answer["seconds"])


def peer(name: str) -> Peer:
    """Return a peer, installed; Raises UnreadableFile where it cannot be."""
    try:
        return Peer(name, interpreter(f"reading-{name}", _FOLDER / f"{name}.txt"))
    except subprocess.CalledProcessError as failure:
        raise UnreadableFile(f"not installed: {failure}") from failure


def _last_line(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1][:_REASON] if lines else "it ended without a word"
