"""The `groundwire` command."""
