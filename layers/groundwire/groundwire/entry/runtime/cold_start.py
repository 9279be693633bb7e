"""The start of a deployed function, which every call of a quiet hour waits for."""

import gc
import os
from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias, cast

Handler: TypeAlias = Callable[..., object]


def load_handler(module: str) -> Handler:
    """The `handler` of this entry module.

    In a function of Lambda it is loaded, and called for the first time, without the garbage collector: nothing of
    what a start makes is garbage, and looking for some takes a tenth of it. Afterwards the collector goes on, and
    what is there by then is never looked at again.
    """
    if "AWS_LAMBDA_FUNCTION_NAME" not in os.environ:
        return _import_handler(module)
    gc.disable()
    answer = _import_handler(module)

    def handler(*event_and_context: object) -> object:
        try:
            return answer(*event_and_context)
        finally:
            if not gc.isenabled():
                gc.freeze()
                gc.enable()

    return handler


def _import_handler(module: str) -> Handler:
    return cast("Handler", import_module(module).handler)
