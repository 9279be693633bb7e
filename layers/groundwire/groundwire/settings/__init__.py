"""Settings: everything that names an environment variable."""
