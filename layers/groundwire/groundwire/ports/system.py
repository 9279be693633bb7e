"""Ports of system services: clock, audit log, sessions, sealed tokens, grants of links."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from groundwire.domain.access.groups import GroupTags
    from groundwire.domain.audit.selection import AuditSelection
    from groundwire.domain.audit.trail import AuditPage, TenantUsage, VerifiedPart
    from groundwire.domain.keys.forms.key_text import Secret
    from groundwire.domain.keys.forms.oauth import Claims, TokenDenialReason, TokenIdentity
    from groundwire.domain.keys.forms.provider_session import OpenedSession, ProviderSession
    from groundwire_mcp.definitions.sessions import Session, SessionOwner

Clock = Callable[[], float]
"""Function that returns epoch seconds."""


class AuditLog(Protocol):
    """Log with one line per call, chained: each line holds the hash of the previous one."""

    # A call that is not recorded is not answered.
    def append(self, record: Mapping[str, object]) -> None:
        """Write the line before returning; no content of `record` raises an error."""
        ...


class AuditTrail(Protocol):
    """Lines of the audit log by tenant, read within a bound of work; each method raises Unavailable on a defect."""

    def page(self, tenant: str, selection: "AuditSelection", after: str | None, limit: int) -> "AuditPage":
        """Return the latest lines of the tenant that match, before the position `after`; None: from the end.

        A page may be short or empty and still have a next one: its work is bounded.

        Raises:
            InvalidInput: the position is one of another log.
        """
        ...

    def verify_part(self, tenant: str, after: str | None) -> "VerifiedPart":
        """Verify the next lines of the chain after the position, of every tenant, and count those of the tenant.

        Raises:
            InvalidInput: the position is malformed.
        """
        ...

    def usage(self, tenant: str) -> "TenantUsage":
        """Return the counts of the tenant's calls by month."""
        ...


class Sessions(Protocol):
    """Store of sessions by owner and id; each method raises Unavailable when the store does not respond."""

    def add(self, session: "Session") -> None:
        """Add the session.

        Raises:
            Conflict: the id exists.
        """
        ...

    # By owner, so that an id that leaked is of no use with another key.
    def get(self, owner: "SessionOwner", session_id: str, now: float) -> "Session | None":
        """Return the live session, in one read; None for one that is unknown, ended, expired or another owner's."""
        ...

    # A session that its client ended must stay ended.
    def extend(self, owner: "SessionOwner", session_id: str, now: float, expires_at: float) -> bool:
        """Extend a live session until `expires_at`; return False when it no longer exists, and never restore it."""
        ...

    def set_log_level(self, owner: "SessionOwner", session_id: str, now: float, level: str) -> bool:
        """Store the log level that the client requested; return False as `extend` does."""
        ...

    def end(self, owner: "SessionOwner", session_id: str, now: float) -> bool:
        """End the session; return False if it was missing (of two concurrent calls, one returns True)."""
        ...


class HeaderCounts(NamedTuple):
    """Admitted calls of a tenant whose identity headers were compared with the authorizer's context.

    Attributes:
        compared: calls that were counted: each call that differed, and each that asked to be counted.
        different: calls whose headers were not those that the gateway has to write from the context.
    """

    compared: int
    different: int


class HeaderChecks(Protocol):
    """Counts of compared identity headers, for a gateway that is not part of this process."""

    def record(self, tenant: str, now: float, *, is_different: bool) -> None:
        """Count one compared call at `now` (epoch seconds); the counts end one day after the last one."""
        ...

    def counts(self, tenant: str) -> HeaderCounts:
        """Return the tenant's counts; zeros where nothing was counted."""
        ...


class ScratchTenants(Protocol):
    """Ids of tenants that a check of the deployment created, deleted ones too."""

    def remember(self, tenant: str, now: float) -> None:
        """Remember the id from `now` (epoch seconds) on, for about three months."""
        ...

    def all(self) -> Sequence[str]:
        """Return the remembered ids, sorted."""
        ...


class Sealer(Protocol):
    """Authenticated encryption of small payloads that clients store and send back, or that a store keeps.

    A token has no end of its own; it opens as long as the installation has the same sealing key.
    """

    def seal(self, purpose: str, payload: bytes) -> str:
        """Return a URL-safe token that only `unseal` with the same purpose opens."""
        ...

    def seal_repeatably(self, purpose: str, payload: bytes) -> str:
        """Return a token as `seal` does, but the same token for each call with this payload.

        Two equal tokens reveal that their payloads are equal, and nothing else.
        """
        ...

    def unseal(self, purpose: str, token: str) -> bytes | None:
        """Return the payload, or None for text that was not sealed here for this purpose."""
        ...


class Secrets(Protocol):
    """Secret keys of an installation, 32 bytes each."""

    @property
    def pepper(self) -> bytes:
        """Key for the digests of API keys."""
        ...

    @property
    # Not the pepper: a key for one purpose must not serve another.
    def sealing_key(self) -> bytes:
        """Key for the `Sealer`: links, cursors, request states, secrets of definitions."""
        ...


class BlockCodes(Protocol):
    """Keyed permutation of blocks of 16 bytes, each as a text of 22 characters of a URL.

    It has no redundancy of its own: any text of this form is the code of some block.
    """

    def encode(self, purpose: str, block: bytes) -> str:
        """Return the code of a block, always the same one."""
        ...

    def decode(self, purpose: str, code: str) -> bytes | None:
        """Return the block, or None for text that has not the form of a code."""
        ...


class LinkGrants(Protocol):
    """Sealed grants of short links, by handles of 48 bits; each is deleted some time after its end."""

    def add(self, tenant: str, handle: int, sealed: str, now: float, expires_at: int) -> bool:
        """Add the tenant's grant by one conditional write, where it is not stored yet.

        Return False where another grant has the handle until after `now` (epoch seconds); nothing is changed then.
        """
        ...

    def get(self, handle: int, now: float) -> str | None:
        """Return the grant that has the handle and ends after `now`; None without one."""
        ...


class ProviderSessions(Protocol):
    """Sign-ins to the page by the identity provider, known by the digest of their credential."""

    def open(self, opened: "OpenedSession", now: float) -> bool:
        """Open the session of an attempt; return False where the attempt has opened one, also one that has ended.

        Raises:
            NotFound: a store that knows its tenants has no such tenant.
        """
        ...

    def find(self, session: "ProviderSession", digest: bytes, now: float) -> "TokenIdentity | None":
        """Return the identity of a session with this digest that is open at `now`; None without one."""
        ...

    def end(self, session: "ProviderSession", digest: bytes, now: float) -> bool:
        """End a session; return whether it was open: of concurrent calls, one alone gets True."""
        ...


class AuthorizationServer(Protocol):
    """Authorization code flow of the identity provider, for a public client with PKCE (RFC 6749, RFC 7636)."""

    def address(self, state: str, challenge: str) -> str:
        """Return the address to which a browser goes to sign in.

        Raises:
            Unavailable: the provider's addresses cannot be fetched, or must not be used.
        """
        ...

    def is_answer(self, issuer: str | None) -> bool:
        """Return whether an answer with this `iss`, or without one, can be of this provider (RFC 9207).

        Raises:
            Unavailable: as `address`.
        """
        ...

    def exchange(self, code: str, verifier: str) -> "Secret | None":
        """Return the access token for a code; None where the provider refuses it.

        Raises:
            Unavailable: the provider does not answer, or not with a token.
        """
        ...


class TokenVerifier(Protocol):
    """Verifier of signed access tokens of one identity provider."""

    def verify(self, text: str, now: float) -> "Claims | TokenDenialReason":
        """Return the claims of a token that the provider signed for this server and that is valid at `now`.

        Raises:
            Unavailable: the provider's keys cannot be fetched at present.
        """
        ...


class Groups(Protocol):
    """Store of a tenant's mapping of its identity provider's groups to tags."""

    def read(self, tenant: str) -> "GroupTags":
        """Return the whole mapping; empty where the tenant has none."""
        ...

    def replace(self, tenant: str, mapping: "GroupTags", expected: "GroupTags") -> None:
        """Replace the whole mapping if the stored one is as expected.

        Raises:
            Conflict: it is not.
        """
        ...
