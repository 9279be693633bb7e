"""Answers to upload forms, in the form of S3: 204, or an XML error with the code that S3 has for it."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from groundwire.domain.limits import FORM_SECONDS, MIN_UPLOAD_RATE, UPLOAD_WINDOW_SECONDS
from groundwire.entry.gateway.responses import Response

if TYPE_CHECKING:
    from groundwire.domain.errors import Unavailable

TAKEN: Final = Response(HTTPStatus.NO_CONTENT, (), b"")
_RETRY_AFTER_S: Final = 5


class Refused(Exception):
    """The form, or the file, is not what was agreed; `code` is one of S3's where S3 has one."""

    def __init__(self, status: HTTPStatus, code: str, message: str, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self._retry_after_s = retry_after_s

    def response(self, *, closing: bool) -> Response:
        """Returns the answer; `closing` ends the connection after it."""
        answer = Response(self.status, (("content-type", "application/xml"),), self.body)
        if self._retry_after_s is not None:
            answer = answer.saying("retry-after", str(self._retry_after_s))
        return answer.closing() if closing else answer

    @property
    def body(self) -> bytes:
        """The XML."""
        message = escape(str(self))
        return f"<Error><Code>{escape(self.code)}</Code><Message>{message}</Message></Error>".encode()


def denied(message: str) -> Refused:
    """Refuses a form that no ticket allows."""
    return Refused(HTTPStatus.FORBIDDEN, "AccessDenied", message)


def wrong(code: str, message: str) -> Refused:
    """Refuses a form that is not what it should be."""
    return Refused(HTTPStatus.BAD_REQUEST, code, message)


def malformed(message: str) -> Refused:
    """Refuses what is no form, or no whole one."""
    return wrong("MalformedPOSTRequest", message)


def too_large(most: int) -> Refused:
    """Refuses a file above its agreed size, or a form above the size of every file."""
    return wrong("EntityTooLarge", f"The file has more than {most} bytes.")


def too_slow() -> Refused:
    """Refuses a sender below the times and the rate for forms."""
    message = (
        f"The form came too slowly: its fields have {FORM_SECONDS} seconds, "
        f"its file {MIN_UPLOAD_RATE} bytes per second over each {UPLOAD_WINDOW_SECONDS} seconds."
    )
    return wrong("RequestTimeout", message)


def used() -> Refused:
    """Refuses a second file under one ticket; S3 has no code for it."""
    message = (
        "A file has come with this ticket already. GET /v1/uploads/{ticket} tells what became of it; "
        "POST /v1/uploads gives a ticket for another file."
    )
    return Refused(HTTPStatus.CONFLICT, "TicketUsed", message)


def too_many() -> Refused:
    """Refuses a form beyond those that are read at a time."""
    message = f"Too many files are being sent: repeat after {_RETRY_AFTER_S} seconds."
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, "SlowDown", message, _RETRY_AFTER_S)


def unavailable(problem: "Unavailable") -> Refused:
    """Refuses a file that cannot be kept or recorded just now; the reason is the operator's to know."""
    message = f"The file cannot be kept just now: repeat after {problem.retry_after_s} seconds."
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, "ServiceUnavailable", message, problem.retry_after_s)
