"""The mcp function with its sessions in the DynamoDB table that SESSIONS names, and all else in a home folder."""

import os
from functools import partial

from requested import main  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.dynamodb.sessions import DynamoSessions
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.local import services as local_services


class WithTable(local_services.LocalServices):
    """Of this machine, but for the sessions."""

    @Lazy
    def sessions(self) -> DynamoSessions:  # pyright: ignore[reportIncompatibleVariableOverride] - another adapter of the port
        """In the table."""
        return DynamoSessions(clients.dynamodb(), os.environ["SESSIONS"])


if __name__ == "__main__":
    local_services.LocalServices = WithTable  # pyright: ignore[reportAttributeAccessIssue]
    from ours import answer_to, call_of  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    main({"initialize": partial(answer_to, call_of("initialize"))})
