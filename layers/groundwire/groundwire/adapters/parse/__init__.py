"""Documents read in a confined worker process."""

from groundwire.adapters.parse.confinement import confinement
from groundwire.adapters.parse.parser import Limits, WorkerParser

__all__ = ["Limits", "WorkerParser", "confinement"]
