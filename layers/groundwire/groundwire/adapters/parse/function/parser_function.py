"""The parser function: parses one document per invocation, and reports how its worker and its network are confined."""

import logging
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from groundwire.adapters.parse.function.document_parsing import DocumentParsing
from groundwire.adapters.parse.function.messages import (
    ANSWER,
    ParserIsolation,
    is_other_version,
    is_probe,
    parse_invocation,
)
from groundwire.adapters.parse.function.name_lookup import try_lookup
from groundwire.adapters.parse.function.own_process import OwnProcess
from groundwire_readers.parser import LAYER_VERSION
from groundwire_readers.sandbox.probe import confinement_report

_LOG: Final = logging.getLogger(__name__)


class ParserFunction:
    """Handler of the events that `messages` defines; it logs none of them, as they hold addresses of documents.

    Args:
        parsing: parses and stores; returns whether this process can be used again.
        isolation: `ENVIRONMENT`: this process ends after each document.
        process: the function's own process.
        runtime_api: host and port of Lambda's runtime API; None outside of Lambda, where the process never ends.
    """

    def __init__(
        self,
        parsing: DocumentParsing,
        isolation: ParserIsolation,
        process: OwnProcess,
        runtime_api: str | None,
    ) -> None:
        self._parsing = parsing
        self._isolation = isolation
        self._process = process
        self._runtime_api = runtime_api

    def __call__(self, event: object, request_id: str) -> Mapping[str, object]:
        """Return the answer of one invocation.

        After a document that may have attacked it, the process sends the answer itself and ends.

        The caller gives every error to `end_after`.

        Raises:
            InvalidInput: the event is malformed.
            Unavailable: the bucket does not give the document, or does not take the result.
            ParserBroken: the worker does not start.
        """
        if is_probe(event):
            return self._report()
        if is_other_version(event):
            # The answer states this version: the caller sees the difference and expects no result.
            return ANSWER
        is_clean = self._parsing(parse_invocation(event))
        if self._runtime_api is not None and not (is_clean and self._isolation is ParserIsolation.TENANT):
            self._process.answer_and_end(self._runtime_api, request_id, ANSWER)
        return ANSWER

    def end_after(self, error: Exception, request_id: str) -> None:
        """End the process after an error, which Lambda gets: a worker or its descendants may still run.

        Outside of Lambda it does nothing.
        """
        if self._runtime_api is not None:
            _LOG.error("an invocation failed, and the process ends", exc_info=error)
            self._process.fail_and_end(self._runtime_api, request_id, error)

    def close(self) -> None:
        """End the processes that parse."""
        self._parsing.close()

    def _report(self) -> Mapping[str, object]:
        restrictions = [asdict(restriction) for restriction in confinement_report()]
        return {
            "confinement": restrictions,
            "lookup": asdict(try_lookup()),
            "version": LAYER_VERSION,
            "isolation": self._isolation.value,
        }
