"""The unmodified `opensearch-mcp-server-py`; the first argument replaces the address of the files of its tools."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
# The library is in the client's own environment; its module `tools` is not the folder of this checkout.
import sys

from mcp_server_opensearch import main

from tools import tool_generator

if __name__ == "__main__":
    tool_generator.BASE_URL = sys.argv.pop(1)
    main()
