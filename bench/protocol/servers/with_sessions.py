"""The mcp function with its sessions in the DynamoDB table that SESSIONS names, and all else in a home folder."""

import os
from functools import partial
from typing import TYPE_CHECKING

from ours import answer_to, call_of  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
from requested import main  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

if TYPE_CHECKING:
    from groundwire.settings.environment import Settings
    from groundwire.wiring.local.services import LocalServices


def add_table() -> None:
    """Make the function open the services of this machine with the sessions in the table."""
    from groundwire.wiring.local import services as local_services

    open_home = local_services.open_home

    def open_with_table(settings: "Settings") -> "LocalServices":
        # Here, as the deployed function does it for its first call.
        from groundwire.adapters.aws import clients
        from groundwire.adapters.aws.dynamodb.sessions.store import DynamoSessions

        services = open_home(settings)
        vars(services.stores)["sessions"] = DynamoSessions(clients.dynamodb(), os.environ["SESSIONS"])
        return services

    local_services.open_home = open_with_table


if __name__ == "__main__":
    add_table()
    main({"initialize": partial(answer_to, call_of("initialize"))})
