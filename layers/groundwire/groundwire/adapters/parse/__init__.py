"""Documents read in a confined worker process."""

from groundwire.adapters.parse.confinement import confinement
from groundwire.adapters.parse.parser import Limits, WorkerParser
from groundwire.adapters.parse.recognition import recognition

__all__ = ["Limits", "WorkerParser", "confinement", "recognition"]
