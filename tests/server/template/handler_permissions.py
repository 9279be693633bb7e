"""Permissions of the registry's handlers, printed as JSON by resource type; runs in the environment of SAM.

Its linter has CloudFormation's schemas, which name the actions that a handler calls as the deployer.
"""

import json
import sys
from importlib import import_module
from typing import Any, Final

_SCHEMAS: Final[Any] = import_module("cfnlint.schema.manager").PROVIDER_SCHEMA_MANAGER


def permissions(resource_type: str) -> list[str]:
    """Return the actions by which CloudFormation creates, reads, updates and deletes a resource of the type."""
    handlers = _SCHEMAS.get_resource_schema("us-east-1", resource_type).schema.get("handlers", {})
    return sorted({action for name, handler in handlers.items() if name != "list" for action in handler["permissions"]})


if __name__ == "__main__":
    json.dump({name: permissions(name) for name in json.load(sys.stdin)}, sys.stdout)
