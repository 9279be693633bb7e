"""Toolset of a key for which none was named; each dialect declares its own toolset."""

from typing import Final

DEFAULT_TOOLSET: Final = "default"
