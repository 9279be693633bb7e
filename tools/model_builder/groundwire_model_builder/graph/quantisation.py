"""Quantisation of weights to eight bits: a quarter of the size, several times the speed, cosine about .99."""

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from groundwire.settings.installation import forbid_telemetry
from groundwire_model_builder.graph.safetensors import FloatArray


def quantise_rows(table: FloatArray) -> tuple[NDArray[np.int8], FloatArray]:
    """Return symmetric int8 rows [rows, columns] and their scales [rows, 1]; `rows * scales` restores the table."""
    largest = np.abs(table).max(axis=1, keepdims=True)
    scales = np.where(largest > 0, largest / np.iinfo(np.int8).max, 1).astype(np.float32)
    return np.round(table / scales).astype(np.int8), scales


def write_quantised(model: onnx.ModelProto, path: Path) -> None:
    """Write `model` to `path` with int8 weights per output channel; activations are quantised at run time.

    Weights use seven bits: on x86 without VNNI the eight-bit kernels saturate when adding pairs of products.
    """
    forbid_telemetry()
    from onnxruntime.quantization import (
        QuantType,
        quantize_dynamic,  # pyright: ignore[reportUnknownVariableType] - its optional arguments are unannotated
    )
    from onnxruntime.quantization.quant_utils import add_pre_process_metadata

    # The graph already has the operators that pre-processing would fuse; without this mark each build logs advice.
    add_pre_process_metadata(model)
    quantize_dynamic(
        model,
        path,
        op_types_to_quantize=["MatMul", "Attention"],
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT},
    )
