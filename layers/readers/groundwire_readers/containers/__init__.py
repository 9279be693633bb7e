"""Container formats: ZIP packages, compound files, XML."""
