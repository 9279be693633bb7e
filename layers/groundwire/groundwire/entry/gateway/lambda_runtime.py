"""Local Lambda runtime: loads a function from its file and calls it with an event and a context."""

import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from typing import Final, cast

from groundwire.domain.errors import InvalidInput
from groundwire.entry.gateway.template import FunctionSpec

ACCOUNT: Final = "000000000000"
REGION: Final = "local"

Handler = Callable[[dict[str, object], "LocalLambdaContext"], object]


@dataclass(frozen=True, slots=True)
class LocalLambdaContext:
    """The members of the Lambda service's context object that Python handlers read.

    Attributes:
        deadline: end of the function's timeout, in seconds on the monotonic clock.
        is_in_process: the caller gets the result itself, not its JSON; the Lambda service's object lacks this member.
    """

    function_name: str
    memory_limit_in_mb: str
    deadline: float
    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    function_version: str = "$LATEST"
    log_group_name: str = "local"
    log_stream_name: str = "local"
    is_in_process: bool = False

    @property
    def invoked_function_arn(self) -> str:
        """ARN in the real format, without a real account or region."""
        return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds left of the function's timeout."""
        return max(0, int((self.deadline - time.monotonic()) * 1000))


@dataclass(frozen=True, slots=True)
class LambdaFunction:
    """A loaded function."""

    spec: FunctionSpec
    handler: Handler

    def invoke(self, event: dict[str, object]) -> object:
        """Return the handler's result; its exceptions pass through."""
        spec = self.spec
        deadline = time.monotonic() + spec.timeout_s
        return self.handler(event, LocalLambdaContext(spec.name, str(spec.memory_mb), deadline, is_in_process=True))


def load_function(spec: FunctionSpec) -> LambdaFunction:
    """Load the function from its file under a unique module name.

    Raises:
        InvalidInput: the file has no such handler.
    """
    name = f"groundwire_function_{spec.name}"
    module_spec = spec_from_file_location(name, spec.file)
    if module_spec is None or module_spec.loader is None:
        raise InvalidInput(f"{spec.file} is not a Python file.")
    module = module_from_spec(module_spec)
    # Before the module runs: dataclasses look for their own module there.
    sys.modules[name] = module
    module_spec.loader.exec_module(module)
    handler: object = getattr(module, spec.attribute, None)
    if not callable(handler):
        raise InvalidInput(f"{spec.file} has no handler named {spec.attribute}.")
    return LambdaFunction(spec, cast("Handler", handler))
