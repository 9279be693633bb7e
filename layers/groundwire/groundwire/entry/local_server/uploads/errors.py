"""Responses to upload forms in S3's form: 204, or an XML error with S3's code."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from groundwire.domain.errors import DomainError
from groundwire.domain.limits import MIN_UPLOAD_BYTES_PER_SECOND, UPLOAD_FORM_HEADER_SECONDS, UPLOAD_WINDOW_SECONDS
from groundwire.entry.gateway.responses import GatewayResponse

if TYPE_CHECKING:
    from groundwire.domain.errors import Unavailable

STORED: Final = GatewayResponse(HTTPStatus.NO_CONTENT, (), b"")
_RETRY_AFTER_S: Final = 5


class UploadError(DomainError):
    """An error of an upload form or its file; `code` is S3's code where S3 has one."""

    def __init__(self, status: HTTPStatus, code: str, message: str, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self._retry_after_s = retry_after_s

    def to_response(self, *, closes_connection: bool) -> GatewayResponse:
        """Return the response; `closes_connection` ends the connection after it."""
        response = GatewayResponse(self.status, (("content-type", "application/xml"),), self.body)
        if self._retry_after_s is not None:
            response = response.with_header("retry-after", str(self._retry_after_s))
        return response.with_connection_close() if closes_connection else response

    @property
    def body(self) -> bytes:
        """The XML body."""
        message = escape(str(self))
        return f"<Error><Code>{escape(self.code)}</Code><Message>{message}</Message></Error>".encode()


def access_denied(message: str) -> UploadError:
    """Return the error for a form that no ticket allows."""
    return UploadError(HTTPStatus.FORBIDDEN, "AccessDenied", message)


def bad_request(code: str, message: str) -> UploadError:
    """Return the error for an invalid form."""
    return UploadError(HTTPStatus.BAD_REQUEST, code, message)


def malformed_form(message: str) -> UploadError:
    """Return the error for a body that is not a complete form."""
    return bad_request("MalformedPOSTRequest", message)


def file_too_large(max_bytes: int) -> UploadError:
    """Return the error for a file above its agreed size, or a form above the size limit of files."""
    return bad_request("EntityTooLarge", f"The file has more than {max_bytes} bytes.")


def upload_too_slow() -> UploadError:
    """Return the error for a sender below the time limits and the minimum rate."""
    message = (
        f"The form was sent too slowly. Send its fields within {UPLOAD_FORM_HEADER_SECONDS} seconds, and "
        f"its file with {MIN_UPLOAD_BYTES_PER_SECOND} bytes per second over each {UPLOAD_WINDOW_SECONDS} "
        "seconds."
    )
    return bad_request("RequestTimeout", message)


def ticket_used() -> UploadError:
    """Return the error for a second file with one ticket; S3 has no code for it."""
    message = (
        "This ticket already has a file. GET /v1/uploads/{ticket} returns its state; for another file, "
        "create a ticket with POST /v1/uploads."
    )
    return UploadError(HTTPStatus.CONFLICT, "TicketUsed", message)


def too_many_uploads() -> UploadError:
    """Return the error for a form above the number of concurrent forms."""
    message = f"Too many files are being uploaded. Try again after {_RETRY_AFTER_S} seconds."
    return UploadError(HTTPStatus.SERVICE_UNAVAILABLE, "SlowDown", message, _RETRY_AFTER_S)


def upload_unavailable(error: "Unavailable") -> UploadError:
    """Return the error for a file that cannot be stored or recorded now; only the operator gets the reason."""
    message = f"The file cannot be stored at this moment. Try again after {error.retry_after_s} seconds."
    return UploadError(HTTPStatus.SERVICE_UNAVAILABLE, "ServiceUnavailable", message, error.retry_after_s)
