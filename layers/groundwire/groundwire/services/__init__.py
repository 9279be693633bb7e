"""Use cases, one verb per module: they see the world through `groundwire.ports` alone."""
