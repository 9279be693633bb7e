"""Parser function: parses documents that others sent, with no right but to write its log.

Its execution environment is the wall around a document: whatever a file gets hold of here belongs to its own tenant.
Only therefore may the worker go on where the kernel refuses to confine it, as Lambda's does.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from groundwire import wiring

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


def handler(event: object, context: "LambdaContext") -> Mapping[str, object]:
    """Parse the document of the invocation, or report the confinement; every error ends the process in Lambda.

    Raises:
        InvalidInput: the event is malformed, or a setting is.
        Unavailable: the bucket does not answer.
        ParserBroken: the worker does not start.
    """
    function = wiring.parser_function(allow_unconfined=True)
    try:
        return function(event, context.aws_request_id)
    except Exception as error:
        # What a document did to this process must not reach the next document.
        function.end_after(error, context.aws_request_id)
        raise
