"""The one tree of problems a caller can meet; each class maps to one HTTP status and one JSON-RPC code."""

from typing import Literal


class DomainError(Exception):
    """Something the caller is told about; `str()` of it is safe to show and says what to do.

    Attributes:
        http_status: the status that an HTTP route answers with.
    """

    http_status: int = 500


class InvalidInput(DomainError):
    """The request itself is wrong: repeat it only after changing it."""

    http_status = 400


class Forbidden(DomainError):
    """A valid key without the right to do this."""

    http_status = 403


ResourceKind = Literal["tenant", "collection", "document", "key"]
"""Kinds of things whose names a command and a route list."""


class NotFound(DomainError):
    """Nothing of that name, or nothing that the caller may know of: the two are not told apart.

    Attributes:
        resource_kind: the kind of thing, where a list shows which names exist; `domain.error_codes` says where for each interface.
    """

    http_status = 404

    def __init__(self, message: str, resource_kind: ResourceKind | None = None) -> None:
        super().__init__(message)
        self.resource_kind: ResourceKind | None = resource_kind


class Conflict(DomainError):
    """The thing exists already, or has changed since it was read."""

    http_status = 409


class LimitExceeded(DomainError):
    """Over a rate or a size limit.

    Attributes:
        retry_after_s: whole seconds after which a repeat is admitted, at least 1.
    """

    http_status = 429

    def __init__(self, message: str, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Unavailable(DomainError):
    """A part that is needed does not answer: the same request may succeed later.

    Attributes:
        retry_after_s: whole seconds after which a repeat is worth trying.
    """

    http_status = 503

    def __init__(self, message: str, retry_after_s: int = 5) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Superseded(Unavailable):
    """What was asked has another in its place by now: whoever asks again from the start is answered by that one."""


class ResourceBusy(Unavailable):
    """Somebody else is at it: nothing is out of order, and who waits has a turn."""


class DocumentRefused(DomainError):
    """A document cannot be read; the message is the reason that its owner sees."""

    http_status = 422
