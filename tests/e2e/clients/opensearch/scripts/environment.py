"""Environment of a process that a script starts."""

import os

_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "NO_PROXY")


def own_environment() -> dict[str, str]:
    """Return what the script's own process was given."""
    return {name: os.environ[name] for name in _KEPT if name in os.environ}
