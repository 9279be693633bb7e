"""Section of docs/reference/errors.md: each reason for which a call is not admitted, as the audit log has it."""

from collections.abc import Iterator, Mapping
from typing import Final

from groundwire.domain.keys.auth_decision import AuthReason

_NEW_TOKEN: Final = "Sign in again. [Refused tokens](../oauth.md#refused-tokens) has the rules."
_REASONS: Final[Mapping[AuthReason, tuple[str, str]]] = {
    AuthReason.NO_CREDENTIAL: (
        "The call has no key and no token.",
        "Send `Authorization: Bearer KEY`.",
    ),
    AuthReason.MALFORMED_KEY: (
        "The text is no key of Groundwire: it is empty, cut off, mistyped or of another system.",
        "Copy the whole key, from `gw_` to its end. An unset variable gives an empty text.",
    ),
    AuthReason.UNKNOWN_KEY: (
        "No key has this id: it is of another home or of a deleted tenant. For a token: there is no sign-in key.",
        "Compare with `groundwire key list`, and the home with `groundwire doctor`.",
    ),
    AuthReason.WRONG_SECRET: (
        "The key has an old or a wrong secret. For a token: the sign-in key has another issuer or audience.",
        "Use the key of the last rotation. If no key works, restore `secrets.json`.",
    ),
    AuthReason.EXPIRED: ("The key expired.", "Create a key. `--days` sets how long it is valid."),
    AuthReason.REVOKED: ("Somebody revoked the key.", "Create a key."),
    AuthReason.SUSPENDED_TENANT: (
        "The operator suspended the tenant.",
        "The operator ends it with `groundwire tenant resume`.",
    ),
    AuthReason.BLOCKED_USER: (
        "The user of the call is blocked.",
        "[Offboarding](../operate/offboarding.md) has the rules. `groundwire user list --blocked` has the reason.",
    ),
    AuthReason.KEY_RATE: ("The calls are over the rate of the key.", "Wait, or create a key with a higher `--rate`."),
    AuthReason.TENANT_RATE: ("The calls are over the rate of the tenant.", "Wait for `Retry-After` seconds."),
    AuthReason.FAIR_SHARE: (
        "Too much work of the user, the key or the tenant waits on a server of one machine.",
        "Wait for `Retry-After` seconds. [Fairness](../operate/fairness.md) has the shares.",
    ),
    AuthReason.SEVERAL_CREDENTIALS: ("The key is in two headers, or twice in one.", "Send the key once."),
    AuthReason.FOREIGN_PAGE: (
        "A change has the cookie of the page, but not the proofs that the page itself sent it.",
        "Programs send a key. Behind a proxy, pass the original `Host` header on.",
    ),
    AuthReason.SEVERAL_IDENTITIES: ("The call has a user's token and an identity header.", "Send one of the two."),
    AuthReason.TENANT_HEADER: ("A header names a tenant.", "Remove it, because the key determines the tenant."),
    AuthReason.REPEATED_HEADER: ("`x-user-id` was sent twice, or contains a comma.", "Send one user."),
    AuthReason.MALFORMED_USER: ("`x-user-id` is no valid user id.", "Correct it as the message states."),
    AuthReason.MALFORMED_TAGS: (
        "`x-session-tags` is no JSON array of strings, or has a tag that a key with `--strict-tags` does not take.",
        'Send an array such as `["department:sales"]`.',
    ),
    AuthReason.USER_REQUIRED: (
        "The key has `--require-user`, and the call names no user.",
        "Send the end user in `x-user-id`.",
    ),
    AuthReason.PERSONAL_KEY: (
        "A personal key came with an identity header or a user's token.",
        "Remove the header, or use a delegated key.",
    ),
    AuthReason.BASIC_CREDENTIAL: ("HTTP Basic has a delegated key or a token.", "Send it as `Bearer`."),
    AuthReason.MISSING_SCOPE: (
        "A delegated key lacks the scope `act_as`.",
        "Create a key with `--act-as`.",
    ),
    AuthReason.TAG_OUTSIDE_KEY: (
        "A key with `--strict-tags` got a tag outside `--max-tag`.",
        "Remove the tag, or create a key that allows it.",
    ),
    AuthReason.TOKEN_TOO_LARGE: ("The access token is too long.", "Let the provider issue fewer claims."),
    AuthReason.TOKEN_MALFORMED: ("The access token is no signed JWT.", _NEW_TOKEN),
    AuthReason.TOKEN_ALGORITHM: ("The token's signature has an algorithm that is not accepted.", _NEW_TOKEN),
    AuthReason.TOKEN_UNKNOWN_SIGNER: ("The provider publishes no usable key for the token.", _NEW_TOKEN),
    AuthReason.TOKEN_SIGNATURE: ("The token's signature is wrong.", _NEW_TOKEN),
    AuthReason.SIGN_IN_NOT_STARTED: (
        "The answer of an identity provider came to a browser that began no such sign-in, or too late.",
        "Start again on the page. Many such lines may be an attack.",
    ),
    AuthReason.SIGN_IN_REFUSED: (
        "The identity provider refused a sign-in to the page, or another issuer answered.",
        "Compare the client with [the guide](../oauth.md#sign-in-to-the-page).",
    ),
    AuthReason.TOKEN_ISSUER: ("The token is from another issuer.", "Compare it with `GROUNDWIRE_OAUTH_ISSUER`."),
    AuthReason.TOKEN_AUDIENCE: ("The token is for another server.", "Compare it with `GROUNDWIRE_OAUTH_AUDIENCE`."),
    AuthReason.TOKEN_EXPIRED: ("The token expired.", "Sign in again."),
    AuthReason.TOKEN_NOT_YET_VALID: ("The token is not valid yet.", "Correct the clock of the server or provider."),
    AuthReason.TOKEN_CLAIMS: ("The token lacks a required claim, or names nobody.", _NEW_TOKEN),
    AuthReason.TOKEN_IDENTITY: (
        "A token came with an identity header or a second token.",
        "Send the token alone: it names the user.",
    ),
    AuthReason.TOKEN_TAGS: ("The token has too many tags.", "Let the provider send fewer groups."),
    AuthReason.TOKEN_TENANT: ("The user's token belongs to another tenant than the key.", "Use a key of that tenant."),
    AuthReason.NO_PROVIDER: (
        "The call has a user's token, and the server has no identity provider.",
        "Set up [sign-in](../oauth.md).",
    ),
    AuthReason.STORE_UNAVAILABLE: ("The registry does not answer.", "Try again after `Retry-After` seconds."),
    AuthReason.PROVIDER_UNAVAILABLE: (
        "The identity provider does not answer.",
        "Try again later. API keys work without it.",
    ),
    AuthReason.INTERNAL_FAULT: ("The server has a defect.", "Look at the log of the server, and report the defect."),
    AuthReason.NO_CONTEXT: (
        "The call did not pass the authorizer of the gateway.",
        "Call the address of the gateway, not the function.",
    ),
}
_INTRO: Final = """### Reasons in the audit log

The caller does not get the exact reason, because it could help a stranger. `groundwire audit list --last 5 --json` has
it as `reason`:

| reason | meaning | what to do |
|---|---|---|"""


def reason_rows() -> Iterator[str]:
    """Yield the section, its table with a row for each reason."""
    yield _INTRO
    for reason in AuthReason:
        if reason is not AuthReason.ADMITTED:
            yield f"| `{reason}` | {' | '.join(_REASONS[reason])} |"
