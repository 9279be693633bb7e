"""A BERT encoder's parts: its sizes, and its tensors by their published names."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from groundwire.adapters.onnx.models.manifest import Pooling
from groundwire.domain.errors import InvalidInput
from groundwire_model_builder.graph.four_bits import FourBitMatrix
from groundwire_model_builder.graph.safetensors import FloatArray


@dataclass(frozen=True, slots=True)
class BertConfig:
    """The sizes of an encoder.

    Attributes:
        max_tokens: the window that the model was trained for, [CLS] and [SEP] included.
    """

    layers: int
    heads: int
    dimension: int
    epsilon: float
    max_tokens: int
    pooling: Pooling


@dataclass(frozen=True, slots=True)
class BertWeights:
    """An encoder with its trained tensors.

    Attributes:
        tensors: by the names of the transformers library; linear weights are [out, in].
        words: the word embeddings where they were published in four bits, instead of their tensor.
    """

    config: BertConfig
    tensors: Mapping[str, FloatArray]
    words: FourBitMatrix | None = None


def read_config(config_json: bytes, max_tokens: int, pooling: Pooling) -> BertConfig:
    """Return the sizes named in a transformers `config.json`.

    Raises:
        InvalidInput: not the configuration of a BERT encoder with the exact (erf) GELU.
    """
    try:
        fields: dict[str, Any] = json.loads(config_json)
        if fields["model_type"] != "bert" or fields["hidden_act"] != "gelu":
            raise InvalidInput("only BERT encoders with GELU can be built: choose another model")
        return BertConfig(
            layers=int(fields["num_hidden_layers"]),
            heads=int(fields["num_attention_heads"]),
            dimension=int(fields["hidden_size"]),
            epsilon=float(fields["layer_norm_eps"]),
            max_tokens=max_tokens,
            pooling=pooling,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput("the model's config.json is not that of a BERT encoder") from error
