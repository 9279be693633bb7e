"""The mcp function with its sessions in the DynamoDB table that SESSIONS names, and all else in a home folder."""

import os
from functools import partial

from requested import main  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.dynamodb.sessions import DynamoSessions
from groundwire.settings.environment import Settings
from groundwire.wiring.local import services as local_services
from groundwire.wiring.local.services import LocalServices, open_home


def open_with_table(settings: Settings) -> LocalServices:
    """Return the services of this machine, with the sessions in the table."""
    services = open_home(settings)
    vars(services.stores)["sessions"] = DynamoSessions(clients.dynamodb(), os.environ["SESSIONS"])
    return services


if __name__ == "__main__":
    local_services.open_home = open_with_table
    from ours import answer_to, call_of  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    main({"initialize": partial(answer_to, call_of("initialize"))})
