"""Outcomes of an invocation of the parser function: one table from the answer of Lambda to the state of the document.

Lambda's words before the code ran concern every document, so the document waits. What happens after that may be the
document's doing: a file can crash the parser, fill its memory, or use up its time. Such a document fails, and the
others go on.
"""

import json
import logging
from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, assert_never

from groundwire.adapters.parse.function.limits import FUNCTION_SECONDS
from groundwire.adapters.parse.function.messages import ANSWER
from groundwire.domain.errors import ParserBroken, ParserBusy, ParsingFailed
from groundwire.domain.text.json_values import is_mapping

_LOG: Final = logging.getLogger(__name__)
_RETRY_SECONDS: Final = 60
_LOGGED_CHARACTERS: Final = 100
_BUSY: Final = "The parser of documents has no capacity or does not answer. The document is parsed again soon."
_UPDATING: Final = "The parser of documents is being updated. The document is parsed again soon."
_BROKEN: Final = "The parser of documents does not start."
_REPEAT: Final = "split or repair the file, or ask the operator of the service to have it read again"
_ENDED: Final = f"the parser ended while it read the file: {_REPEAT}"
_TIMED_OUT: Final = f"the parser did not finish the file within {FUNCTION_SECONDS} s: {_REPEAT}"


class Outcome(Enum):
    """Result of one invocation.

    `ANSWERED`: the function has stored a result. `ENDED`: it ended while it had the document, perhaps after it had
    stored a result. `TIMED_OUT`: it used up its time with the document. `NOT_RUN`: Lambda did not start the code, or
    the code could not reach the document. `UPDATING`: the function itself answered that it is of another release.
    `NEVER_STARTS`: no repeat helps before the operator has mended the function.
    """

    ANSWERED = auto()
    ENDED = auto()
    TIMED_OUT = auto()
    NOT_RUN = auto()
    UPDATING = auto()
    NEVER_STARTS = auto()


REFUSALS: Final[Mapping[str, Outcome]] = dict.fromkeys(
    (
        *("InvalidParameterValueException", "InvalidRuntimeException", "InvalidZipFileException"),
        *("InvalidSecurityGroupIDException", "InvalidSubnetIDException", "EC2AccessDeniedException"),
        *("KMSAccessDeniedException", "KMSDisabledException", "KMSNotFoundException", "RuntimeAliasDeletedException"),
        *("RuntimeVersionDeletedException", "CodeArtifactUserDeletedException", "CodeArtifactUserFailedException"),
        *("InvalidRequestContentException", "UnsupportedMediaTypeException", "RequestTooLargeException"),
        *("SerializedRequestEntityTooLargeException", "ModeNotSupportedException", "NoPublishedVersionException"),
    ),
    Outcome.NEVER_STARTS,
)
"""Refusals of an invocation that no repeat changes; Lambda gives every other refusal before the code runs, too.

Source: AWS Lambda API reference, Invoke.
"""
FUNCTION_ERRORS: Final[Mapping[str, Outcome]] = {
    **dict.fromkeys(
        (
            *("ParserBroken", "InvalidInput", "Runtime.ImportModuleError", "Runtime.HandlerNotFound"),
            *("Runtime.UserCodeSyntaxError", "Runtime.MalformedHandlerName"),
        ),
        Outcome.NEVER_STARTS,
    ),
    # Raised by the function where the bucket does not answer it.
    "Unavailable": Outcome.NOT_RUN,
    "Sandbox.Timedout": Outcome.TIMED_OUT,
}
"""Outcome by the type of the function's error; every other type is of a function that ended while it had the document.

The types that begin with Runtime and Sandbox are Lambda's, such as Runtime.ExitError and Runtime.OutOfMemory.
"""
_TIME_OUT_MESSAGE: Final = "Task timed out after "
"""Part of the message by which Lambda reports a timeout, also where the report has no type."""


def outcome_of_refusal(code: str) -> Outcome:
    """Return the outcome of an invocation that Lambda refuses with this code."""
    _LOG.warning("the parser function refuses an invocation", extra={"code": code[:_LOGGED_CHARACTERS]})
    return REFUSALS.get(code, Outcome.NOT_RUN)


def outcome_of_answer(content: bytes, *, failed: bool) -> Outcome:
    """Return the outcome of an invocation by its answer, which a worker may have forged.

    Args:
        content: the answer, or its beginning.
        failed: Lambda reports an error of the function.
    """
    answer = _read_answer(content)
    if answer == ANSWER:
        # Also where the process ended after it had answered: Lambda may report that as an error of the function.
        return Outcome.ANSWERED
    if not failed:
        return Outcome.UPDATING if "version" in answer else Outcome.ENDED
    kind = str(answer.get("errorType"))
    _LOG.warning("the parser function failed", extra={"error_type": kind[:_LOGGED_CHARACTERS]})
    ended = Outcome.TIMED_OUT if _TIME_OUT_MESSAGE in str(answer.get("errorMessage")) else Outcome.ENDED
    return FUNCTION_ERRORS.get(kind, ended)


def _read_answer(content: bytes) -> Mapping[str, object]:
    try:
        answer: object = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return answer if is_mapping(answer) else {}


def raise_without_run(outcome: Outcome) -> None:
    """Raise the error of an invocation that the document did not influence; otherwise its result decides.

    Raises:
        ParserBusy: the function did not run, or is of another release.
        ParserBroken: it does not start.
    """
    match outcome:
        case Outcome.ANSWERED | Outcome.ENDED | Outcome.TIMED_OUT:
            return
        case Outcome.NOT_RUN:
            raise ParserBusy(_BUSY, _RETRY_SECONDS)
        case Outcome.UPDATING:
            raise ParserBusy(_UPDATING, _RETRY_SECONDS)
        case Outcome.NEVER_STARTS:
            raise ParserBroken(_BROKEN, _RETRY_SECONDS)
        case _ as never:
            assert_never(never)


def failure_without_result(outcome: Outcome) -> ParsingFailed:
    """Return the reason of a document for which the function ran and stored no result."""
    return ParsingFailed(_TIMED_OUT if outcome is Outcome.TIMED_OUT else _ENDED)
