"""The mcp function with its sessions in the DynamoDB table that SESSIONS names, and all else in a home folder."""

import os
from functools import cached_property, partial

from asked import main  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

from groundwire import wiring
from groundwire.adapters.aws import clients
from groundwire.adapters.aws.dynamodb.sessions import DynamoSessions


class WithTable(wiring.LocalServices):
    """Of this machine, but for the sessions."""

    @cached_property
    def sessions(self) -> DynamoSessions:  # pyright: ignore[reportIncompatibleVariableOverride] - another adapter of the port
        """In the table."""
        return DynamoSessions(clients.dynamodb(), os.environ["SESSIONS"])


if __name__ == "__main__":
    wiring.LocalServices = WithTable  # pyright: ignore[reportAttributeAccessIssue]
    from ours import answer_to, call_of  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    main({"initialize": partial(answer_to, call_of("initialize"))})
