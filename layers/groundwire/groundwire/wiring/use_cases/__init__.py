"""Groups of use cases, each built from backends on first access."""
