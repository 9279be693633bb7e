"""Composition of the parser function; it imports neither a client of AWS nor anything of the other functions."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from groundwire.adapters.parse import ConfinedParser, find_ocr_settings
from groundwire.adapters.parse.function.document_parsing import DocumentParsing
from groundwire.adapters.parse.function.limits import PARSER_LIMITS
from groundwire.adapters.parse.function.messages import read_isolation
from groundwire.adapters.parse.function.parser_function import ParserFunction
from groundwire.adapters.parse.function.presigned import PresignedObjects
from groundwire.domain.errors import ParserBroken, Unavailable
from groundwire.settings import environment

if TYPE_CHECKING:
    from groundwire.adapters.parse.function.own_process import OwnProcess

_ENDPOINTS: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
"""Variables of every AWS client that name another S3 service, in the order of their precedence."""


def build_parser_function(
    variables: Mapping[str, str], process: "OwnProcess", *, allow_unconfined: bool
) -> ParserFunction:
    """Return the parser function with the settings of this environment.

    Args:
        variables: environment of the function.
        process: the function's own process.
        allow_unconfined: read documents even where the kernel refuses to confine the worker. No variable sets it.

    Raises:
        InvalidInput: a setting is missing or invalid.
    """
    settings = environment.read_settings(variables)
    isolation = read_isolation(environment.deployment_settings(variables).get("PARSER_ISOLATION", ""))
    endpoint = next((variables[name] for name in _ENDPOINTS if variables.get(name)), None)

    def make_parser() -> ConfinedParser:
        try:
            ocr = find_ocr_settings(settings.ocr, settings.tessdata)
        # As a broken parser: a repeat cannot find data that is not in the function.
        except Unavailable as error:
            raise ParserBroken(str(error)) from error
        forks_workers = sys.platform == "linux"
        return ConfinedParser(PARSER_LIMITS, ocr=ocr, allow_unconfined=allow_unconfined, forks_workers=forks_workers)

    parse = DocumentParsing(PresignedObjects(endpoint), make_parser, process.end_descendants)
    return ParserFunction(parse, isolation, process, variables.get("AWS_LAMBDA_RUNTIME_API"))
