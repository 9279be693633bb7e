"""Commands `groundwire documents`."""
