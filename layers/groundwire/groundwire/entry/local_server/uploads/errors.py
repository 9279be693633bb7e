"""Answers to upload forms, in the form of S3: 204, or an XML error with the code that S3 has for it."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from groundwire.domain.limits import MIN_UPLOAD_BYTES_PER_SECOND, UPLOAD_FORM_HEADER_SECONDS, UPLOAD_WINDOW_SECONDS
from groundwire.entry.gateway.responses import GatewayResponse

if TYPE_CHECKING:
    from groundwire.domain.errors import Unavailable

STORED: Final = GatewayResponse(HTTPStatus.NO_CONTENT, (), b"")
_RETRY_AFTER_S: Final = 5


class UploadError(Exception):
    """The form, or the file, is not what was agreed; `code` is one of S3's where S3 has one."""

    def __init__(self, status: HTTPStatus, code: str, message: str, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self._retry_after_s = retry_after_s

    def to_response(self, *, closes_connection: bool) -> GatewayResponse:
        """Returns the answer; `closes_connection` ends the connection after it."""
        answer = GatewayResponse(self.status, (("content-type", "application/xml"),), self.body)
        if self._retry_after_s is not None:
            answer = answer.with_header("retry-after", str(self._retry_after_s))
        return answer.with_connection_close() if closes_connection else answer

    @property
    def body(self) -> bytes:
        """The XML."""
        message = escape(str(self))
        return f"<Error><Code>{escape(self.code)}</Code><Message>{message}</Message></Error>".encode()


def access_denied(message: str) -> UploadError:
    """Refuses a form that no ticket allows."""
    return UploadError(HTTPStatus.FORBIDDEN, "AccessDenied", message)


def bad_request(code: str, message: str) -> UploadError:
    """Refuses a form that is not what it should be."""
    return UploadError(HTTPStatus.BAD_REQUEST, code, message)


def malformed_form(message: str) -> UploadError:
    """Refuses what is no form, or no whole one."""
    return bad_request("MalformedPOSTRequest", message)


def file_too_large(max_bytes: int) -> UploadError:
    """Refuses a file above its agreed size, or a form above the size of every file."""
    return bad_request("EntityTooLarge", f"The file has more than {max_bytes} bytes.")


def upload_too_slow() -> UploadError:
    """Refuses a sender below the times and the rate for forms."""
    message = (
        f"The form came too slowly: its fields have {UPLOAD_FORM_HEADER_SECONDS} seconds, "
        f"its file {MIN_UPLOAD_BYTES_PER_SECOND} bytes per second over each {UPLOAD_WINDOW_SECONDS} seconds."
    )
    return bad_request("RequestTimeout", message)


def ticket_used() -> UploadError:
    """Refuses a second file under one ticket; S3 has no code for it."""
    message = (
        "A file has come with this ticket already. GET /v1/uploads/{ticket} tells what became of it; "
        "POST /v1/uploads gives a ticket for another file."
    )
    return UploadError(HTTPStatus.CONFLICT, "TicketUsed", message)


def too_many_uploads() -> UploadError:
    """Refuses a form beyond those that are read at a time."""
    message = f"Too many files are being sent: repeat after {_RETRY_AFTER_S} seconds."
    return UploadError(HTTPStatus.SERVICE_UNAVAILABLE, "SlowDown", message, _RETRY_AFTER_S)


def upload_unavailable(problem: "Unavailable") -> UploadError:
    """Refuses a file that cannot be kept or recorded just now; the reason is the operator's to know."""
    message = f"The file cannot be kept just now: repeat after {problem.retry_after_s} seconds."
    return UploadError(HTTPStatus.SERVICE_UNAVAILABLE, "ServiceUnavailable", message, problem.retry_after_s)
