"""Parsing of documents in a confined worker process."""

from groundwire.adapters.parse.ocr import find_ocr_settings
from groundwire.adapters.parse.parser import ParserLimits, WorkerParser
from groundwire.adapters.parse.sandbox.probe import confinement_report

__all__ = ["ParserLimits", "WorkerParser", "confinement_report", "find_ocr_settings"]
