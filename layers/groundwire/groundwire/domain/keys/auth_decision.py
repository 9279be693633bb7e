"""Decision about the authorization of one call: the authorizer makes it once, and the handlers apply it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

from groundwire.domain.keys.caller import Caller


class AuthStatus(StrEnum):
    """Status of a decision: admitted, or the kind of error response."""

    ADMITTED = "admitted"
    UNAUTHENTICATED = "unauthenticated"
    CONFLICTING_CREDENTIALS = "conflicting_credentials"
    BAD_IDENTITY_HEADER = "bad_identity_header"
    IDENTITY_NOT_ALLOWED = "identity_not_allowed"
    TAG_NOT_ALLOWED = "tag_not_allowed"
    USER_TOKEN_REFUSED = "user_token_refused"  # noqa: S105
    OVER_LIMIT = "over_limit"
    UNAVAILABLE = "unavailable"


class AuthReason(StrEnum):
    """Exact reason for a decision, for audit lines and tests; callers learn it only from messages that give it."""

    ADMITTED = "admitted"
    NO_CREDENTIAL = "no_credential"
    MALFORMED_KEY = "malformed_key"
    UNKNOWN_KEY = "unknown_key"
    WRONG_SECRET = "wrong_secret"  # noqa: S105
    EXPIRED = "expired"
    REVOKED = "revoked"
    SUSPENDED_TENANT = "suspended_tenant"
    BLOCKED_USER = "blocked_user"
    KEY_RATE = "key_rate"
    TENANT_RATE = "tenant_rate"
    FAIR_SHARE = "fair_share"
    SEVERAL_CREDENTIALS = "several_credentials"
    FOREIGN_PAGE = "foreign_page"
    SEVERAL_IDENTITIES = "several_identities"
    TENANT_HEADER = "tenant_header"
    REPEATED_HEADER = "repeated_header"
    MALFORMED_USER = "malformed_user"
    MALFORMED_TAGS = "malformed_tags"
    PERSONAL_KEY = "personal_key"
    BASIC_CREDENTIAL = "basic_credential"
    MISSING_SCOPE = "missing_scope"
    TAG_OUTSIDE_KEY = "tag_outside_key"
    USER_REQUIRED = "user_required"
    TOKEN_TOO_LARGE = "token_too_large"  # noqa: S105
    TOKEN_MALFORMED = "token_malformed"  # noqa: S105
    TOKEN_ALGORITHM = "token_algorithm"  # noqa: S105
    TOKEN_UNKNOWN_SIGNER = "token_unknown_signer"  # noqa: S105
    TOKEN_SIGNATURE = "token_signature"  # noqa: S105
    TOKEN_ISSUER = "token_issuer"  # noqa: S105
    TOKEN_AUDIENCE = "token_audience"  # noqa: S105
    TOKEN_EXPIRED = "token_expired"  # noqa: S105
    TOKEN_NOT_YET_VALID = "token_not_yet_valid"  # noqa: S105
    TOKEN_CLAIMS = "token_claims"  # noqa: S105
    TOKEN_IDENTITY = "token_identity"  # noqa: S105
    TOKEN_TAGS = "token_tags"  # noqa: S105
    TOKEN_TENANT = "token_tenant"  # noqa: S105
    NO_PROVIDER = "no_provider"
    SIGN_IN_NOT_STARTED = "sign_in_not_started"
    SIGN_IN_REFUSED = "sign_in_refused"
    STORE_UNAVAILABLE = "store_unavailable"
    PROVIDER_UNAVAILABLE = "provider_unavailable"
    INTERNAL_FAULT = "internal_fault"
    NO_CONTEXT = "no_context"


class IdentityDenial(NamedTuple):
    """Denial because of a credential or an identity header.

    Attributes:
        header: the rejected header, lower case; None when the reason is in the key.
        message: text for the caller; names the header.
    """

    status: AuthStatus
    reason: AuthReason
    header: str | None
    message: str


@dataclass(frozen=True, slots=True)
class AuthDecision:
    """Decision about the authorization of one call.

    Attributes:
        caller: set if and only if the status is ADMITTED.
        header: the rejected request header, lower case.
        message: text for the caller in addition to the status's own text; None without one.
        retry_after_s: whole seconds, at least 1; set for OVER_LIMIT and UNAVAILABLE only.
        kid, tenant: for the audit line; None as long as no known key was presented.
        toolset: the key's, for OVER_LIMIT only: it decides the form of the response.
    """

    status: AuthStatus
    reason: AuthReason
    caller: Caller | None = None
    header: str | None = None
    message: str | None = None
    retry_after_s: int | None = None
    kid: str | None = None
    tenant: str | None = None
    toolset: str | None = None

    def __post_init__(self) -> None:
        if (self.caller is not None) != (self.status is AuthStatus.ADMITTED):
            raise ValueError("A decision has a caller if and only if it admits one.")

    @classmethod
    def admit(cls, caller: Caller) -> Self:
        """Return the decision that admits `caller`."""
        tenant = caller.principal.tenant
        return cls(AuthStatus.ADMITTED, AuthReason.ADMITTED, caller=caller, kid=caller.kid, tenant=tenant)

    @classmethod
    def refuse_user_token(cls, reason: AuthReason, header: str, kid: str, tenant: str) -> Self:
        """Return the decision on a call whose key is valid and whose user's token is not."""
        message = f"{header}: A valid access token for this server is required, without `Bearer`."
        return cls(AuthStatus.USER_TOKEN_REFUSED, reason, header=header, message=message, kid=kid, tenant=tenant)

    @classmethod
    def deny(cls, denial: IdentityDenial, kid: str | None, tenant: str | None) -> Self:
        """Return the decision that denies the call for the reason in `denial`."""
        return cls(denial.status, denial.reason, header=denial.header, message=denial.message, kid=kid, tenant=tenant)
