"""Parsing of documents in a confined worker process."""

from groundwire.adapters.parse.confined_parser import ConfinedParser, find_ocr_settings
from groundwire_readers.sandbox.probe import confinement_report
from groundwire_readers.sandbox.processes.process import ParserLimits

__all__ = ["ConfinedParser", "ParserLimits", "confinement_report", "find_ocr_settings"]
