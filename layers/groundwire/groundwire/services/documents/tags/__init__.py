"""Tags of a tenant: who uses them, which are new, and their renaming."""
