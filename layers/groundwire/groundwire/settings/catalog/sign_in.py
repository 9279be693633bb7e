"""Settings of the identity provider whose access tokens are accepted."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import InvalidInput
from groundwire.settings.catalog.parsers import absolute_folder, optional_text, secure_url
from groundwire.settings.catalog.setting import (
    PREFIX,
    Audience,
    Environment,
    GroupValue,
    Setting,
    SettingGroup,
    Variable,
)

if TYPE_CHECKING:
    from groundwire.domain.access.groups import GroupTags
    from groundwire.domain.keys.forms.oauth import IdentityProvider


_PRINTED: Final = re.compile(r"[\x20-\x7e]{1,256}")
"""Form of a client's id (RFC 6749, appendix A.1)."""
_SCOPES: Final = re.compile(r"[!#-\[\]-~]{1,256}( [!#-\[\]-~]{1,256}){0,15}")
"""Form of scopes (RFC 6749, 3.3), with a bound."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """Identity provider whose access tokens are accepted besides API keys.

    Attributes:
        usable: None where none is set, or where its settings are not valid.
        problem: what is wrong with its settings; None where nothing is.
    """

    usable: "IdentityProvider | None"
    problem: str | None

    def provider(self) -> "IdentityProvider | None":
        """Return the provider for a use that needs it; None where none is set.

        Raises:
            InvalidInput: its settings are incomplete or not valid.
        """
        if self.problem is not None:
            raise InvalidInput(self.problem)
        return self.usable


NO_SIGN_IN: Final = SignIn(None, None)
"""Value without any of the settings: only API keys are accepted."""


def _optional_secure_url(variable: Variable) -> str | None:
    return secure_url(variable) if variable.text else None


def _client_id(variable: Variable) -> str | None:
    if variable.text and not _PRINTED.fullmatch(variable.text):
        raise variable.refusal("be printable ASCII")
    return variable.text or None


def _client_scopes(variable: Variable) -> str:
    if not _SCOPES.fullmatch(variable.text):
        raise variable.refusal("be names of scopes, separated by one space")
    return variable.text


def _group_tags(variable: Variable) -> "GroupTags":
    if not variable.text:
        return {}
    # Lazy import: few servers have such a file.
    from groundwire.settings.group_file import read_group_file

    return read_group_file(variable.name, absolute_folder(variable.text))


def _sign_in(environment: Environment) -> SignIn:
    """Return the provider, or what is wrong with its settings: only what needs the provider fails for that."""
    if not SIGN_IN.is_given(environment):
        return NO_SIGN_IN
    try:
        return SignIn(_identity_provider(environment), None)
    except InvalidInput as error:
        return SignIn(None, str(error))


def _identity_provider(environment: Environment) -> "IdentityProvider":
    missing = [PREFIX + each.name for each in _REQUIRED if not each.is_given(environment)]
    if _TENANT.is_given(environment) == _TENANT_CLAIM.is_given(environment):
        missing.append(f"exactly one of {PREFIX}{_TENANT.name} and {PREFIX}{_TENANT_CLAIM.name}")
    if missing:
        raise InvalidInput(f"To accept access tokens, also set {', '.join(missing)} (docs/oauth.md).")
    # Lazy import: a server that accepts keys only starts without it.
    from groundwire.domain.keys.forms.oauth import IdentityProvider

    return IdentityProvider(**SIGN_IN.values(environment))


_ISSUER: Final = Setting(
    "OAUTH_ISSUER",
    "URL of the identity provider whose access tokens the server accepts besides keys.",
    secure_url,
    "issuer",
    default_note="only keys",
)
_AUDIENCE: Final = Setting(
    "OAUTH_AUDIENCE", "Value of the claim `aud` in a token. Required with the issuer.", optional_text, "audience"
)
_TENANT: Final = Setting(
    "OAUTH_TENANT",
    "Id of the tenant of all users with a token. The issuer requires this setting or the next one.",
    optional_text,
    "tenant",
)
_TENANT_CLAIM: Final = Setting(
    "OAUTH_TENANT_CLAIM", "Claim that holds the id of the tenant.", optional_text, "tenant_claim"
)
_USER_CLAIM: Final = Setting(
    "OAUTH_USER_CLAIM", "Claim that holds the user. Required with the issuer.", optional_text, "user_claim"
)
_REQUIRED: Final = (_ISSUER, _AUDIENCE, _USER_CLAIM)
"""Settings that a provider needs, besides one of the two that give the tenant."""
SIGN_IN: Final = SettingGroup(
    Audience.SERVER_OPERATOR,
    "Sign-in",
    (
        _ISSUER,
        _AUDIENCE,
        Setting(
            "OAUTH_JWKS_URL",
            "URL of the public keys of the provider.",
            _optional_secure_url,
            "jwks_url",
            default_note="that of the discovery document",
        ),
        _TENANT,
        _TENANT_CLAIM,
        _USER_CLAIM,
        Setting("OAUTH_TAGS_CLAIM", "Claim that holds the tags.", optional_text, "tags_claim", default_note="no tags"),
        Setting(
            "OAUTH_GROUPS",
            "JSON file that maps groups of the provider to tags ([groups](oauth.md#map-groups-to-tags)).",
            _group_tags,
            "groups",
            default_note="no mapping",
        ),
        Setting(
            "OAUTH_CLIENT_ID",
            "Public client at the provider by which people sign in to [the page](operate/console.md).",
            _client_id,
            "client_id",
            default_note="no sign-in to the page by the provider",
        ),
        Setting(
            "OAUTH_CLIENT_SCOPES",
            "Scopes that the page asks the provider for, separated by spaces.",
            _client_scopes,
            "client_scopes",
            default="groundwire:search groundwire:verify",
        ),
    ),
    GroupValue("sign_in", _sign_in),
)
