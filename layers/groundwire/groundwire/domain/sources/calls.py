"""Errors of calls to the servers of sources."""

from groundwire.domain.errors import Unavailable


class SourceUnavailable(Unavailable):
    """Error when a source's server does not answer as an MCP server; the text names nothing of it."""


class SourceDenied(Unavailable):
    """Error when a source's server answers and refuses the credential, or the user behind it."""


class SourceToolChanged(Unavailable):
    """Error when a source's server declares a tool differently than accepted, or no more."""


class SignInRequired(Unavailable):
    """Error when a source exchanges the user's token, and the caller did not sign in with one."""
