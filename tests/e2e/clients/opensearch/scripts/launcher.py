"""The unmodified `opensearch-mcp-server-py`; the first argument replaces the address of the files of its tools."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import sys
from importlib import import_module

from mcp_server_opensearch import main

if __name__ == "__main__":
    # By name: for a type checker, the module `tools` is the folder of this checkout.
    vars(import_module("tools.tool_generator"))["BASE_URL"] = sys.argv.pop(1)
    main()
