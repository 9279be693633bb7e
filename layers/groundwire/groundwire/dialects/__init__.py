"""Tools, resources and prompts for the clients of each supported system: thin translations of the same services."""
