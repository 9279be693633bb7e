"""Methods of MCP: tools, prompts, resources, completions."""
