"""Orders to the operator function of a deployment."""

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from groundwire import wiring
from groundwire.adapters.aws.audit import LogGroupAudit
from groundwire.adapters.aws.clients import logs
from groundwire.entry.gateway.lambda_runtime import LambdaFunction, load_function
from groundwire.entry.gateway.template import FunctionSpec
from tests.support.worlds.exchange import exchange

from .sidecars import checkout

GROUP: Final = "audit"
"""Of the audit log."""

NOBODYS: Final = {
    "INDEX": "http://127.0.0.1:1",
    "INDEX_SERVICE": "opensearch",
    "BUCKET": "groundwire-files",
    "SWEEP_QUEUE": "http://127.0.0.1:1/sweeps",
}
"""Settings of a deployment for parts that nobody asks."""


def operate(order: object) -> Any:
    """The answer of the function, as it comes back through Lambda."""
    services = wiring.cloud_services()
    # A log group takes no lines of another time than the present.
    if "audit" not in vars(services.stores):
        exchange(services, audit=LogGroupAudit(logs(), GROUP, "stream", lambda: datetime.now(UTC).timestamp()))
    return json.loads(json.dumps(_function().invoke(json.loads(json.dumps(order)))))


@cache
def _function() -> LambdaFunction:
    file = checkout() / "functions" / "operator" / "app.py"
    return load_function(
        FunctionSpec(name="OperatorFunction", file=file, attribute="handler", timeout_s=900, memory_mb=1024)
    )
