"""Telemetry of ONNX Runtime: off, before its library is loaded."""

import os
from typing import Final

_SWITCH: Final = "ORT_DISABLE_TELEMETRY"


def forbid_telemetry() -> None:
    """Forbid ONNX Runtime to send events to its maker and to keep an identifier of the machine; call before its import.

    Official builds do both by default, from their first import on. The function of its interface that turns events off
    comes too late for those of the start, so the variable is set, whatever it was.
    Source: https://github.com/microsoft/onnxruntime/blob/main/docs/Privacy.md
    """
    os.environ[_SWITCH] = "1"
