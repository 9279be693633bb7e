"""Loading of a Lambda handler with a short cold start."""

import gc
import os
from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias, cast

Handler: TypeAlias = Callable[..., object]


def load_handler(module: str) -> Handler:
    """Return the `handler` of this entry module.

    In Lambda, import and first call run without the garbage collector: a start creates no garbage, and collection takes
    a tenth of its time. After the first call, the collector runs and ignores the objects that exist by then.
    """
    if "AWS_LAMBDA_FUNCTION_NAME" not in os.environ:
        return _import_handler(module)
    gc.disable()
    loaded = _import_handler(module)

    def handler(*event_and_context: object) -> object:
        try:
            return loaded(*event_and_context)
        finally:
            if not gc.isenabled():
                gc.freeze()
                gc.enable()

    return handler


def _import_handler(module: str) -> Handler:
    return cast("Handler", import_module(module).handler)
