"""Rules of calls: what services refuse of a single request, whatever the template.

The modules import the standard library alone: MiniStack's own interpreter loads them, too.
"""

from typing import Final

from tests.support.aws.refusals.calls import (
    gateway,
    invocations,
    logs,
    metrics,
    objects,
    queues,
    search,
    secrets,
    tables,
)

CALL_RULES: Final = (
    *invocations.INVOCATION_RULES,
    *gateway.GATEWAY_RULES,
    *gateway.AUTHORIZER_RULES,
    *queues.MESSAGE_RULES,
    *queues.BATCH_RULES,
    *queues.ORDER_RULES,
    *tables.TABLE_RULES,
    *objects.OBJECT_RULES,
    *secrets.SECRET_RULES,
    *logs.LOG_RULES,
    *logs.STREAM_RULES,
    *metrics.METRIC_RULES,
    *search.SEARCH_RULES,
)
"""Rules of all kinds of calls."""
