"""Exception tree of all errors that a caller can get; each class maps to one HTTP status and one JSON-RPC code."""

from typing import Literal

ResourceKind = Literal[
    "tenant", "collection", "document", "deleted document", "key", "source", "evaluation", "ingestion"
]
"""Kinds of resources whose names a command and a route list."""
Remedy = Literal[
    "delete_tenant",
    "allow_host",
    "move_home",
    "install_model",
    "rebuild_index",
    "restore_embedder",
    "end_model_change",
    "ingest_again",
    "set_identity_provider",
    "set_identity_tenant",
    "run_doctor",
]
"""Action of the operator that ends an error; each interface has its own sentence for it."""


class DomainError(Exception):
    """Error that is reported to the caller; `str()` of it is safe to show and names no command and no setting.

    Attributes:
        http_status: status of an HTTP response with this error.
        remedy: what the operator can do, where that needs a command or a setting; `domain.error_codes` has the
            sentence for each interface.
    """

    http_status: int = 500

    def __init__(self, message: str = "", *, remedy: Remedy | None = None) -> None:
        super().__init__(message)
        self.remedy: Remedy | None = remedy


class InvalidInput(DomainError):
    """Error in the request itself: a repeat helps only after a change."""

    http_status = 400


class Forbidden(DomainError):
    """Error of a valid key without the right to do this."""

    http_status = 403


class NotFound(DomainError):
    """Error for a name that does not exist or that the caller may not know; the two cases look the same.

    Attributes:
        resource_kind: kind of resource, where an interface lists the existing names; `domain.error_codes` has the hint
            for each interface.
    """

    http_status = 404

    def __init__(
        self, message: str, resource_kind: ResourceKind | None = None, *, remedy: Remedy | None = None
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.resource_kind: ResourceKind | None = resource_kind


class Conflict(DomainError):
    """Error when the resource exists already, or has changed since it was read."""

    http_status = 409


class PreconditionFailed(Conflict):
    """Error when the condition of a write does not hold for what is stored; nothing was written."""

    http_status = 412


class LimitExceeded(DomainError):
    """Error when a rate limit or a size limit is exceeded.

    Attributes:
        retry_after_s: whole seconds after which a repeat is admitted, at least 1.
    """

    http_status = 429

    def __init__(self, message: str, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Unavailable(DomainError):
    """Error when a required service does not respond: the same request may succeed later.

    Attributes:
        retry_after_s: whole seconds after which a repeat is worth trying.
    """

    http_status = 503

    def __init__(self, message: str, retry_after_s: int = 5, *, remedy: Remedy | None = None) -> None:
        super().__init__(message, remedy=remedy)
        self.retry_after_s = retry_after_s


class Superseded(Unavailable):
    """Error when the resource of the request was replaced meanwhile: a repeat from the start uses the replacement."""


class ResourceBusy(Unavailable):
    """Error when another process holds the resource: a later repeat succeeds once it is free."""


class ParserBusy(Unavailable):
    """Error when the parser has no capacity or does not answer: the document waits, and a later repeat parses it."""


class ParserBroken(Unavailable):
    """Error when the parser cannot start: no repeat helps before the operator has mended it."""


class DocumentRefused(DomainError):
    """Error when a document cannot be read; the message is the reason that its owner sees."""

    http_status = 422


class ParsingFailed(DocumentRefused):
    """Error when the parser ended while it read this document; the document alone fails, and a rebuild reads it."""
