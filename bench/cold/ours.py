"""One cold start of the mcp function: imported as the Lambda service does, asked to introduce itself."""

import json
import os
import sys

# The service finds a function's module on the path of its own folder.
sys.path.insert(0, os.environ["FUNCTION_FOLDER"])

from app import handler  # pyright: ignore[reportMissingImports, reportUnknownVariableType]


class Context:
    """What the handler reads of the service's context."""

    aws_request_id = "00000000-0000-4000-8000-000000000000"


with open(os.environ["EVENT_FILE"], encoding="utf-8") as file:  # noqa: PTH123 - pathlib is not ours to load here
    answer = handler(json.load(file), Context())
print(answer["body"])
