"""Sign-in to the page by the authorization code flow of the identity provider, with PKCE (RFC 6749, RFC 7636).

The access token decides, not an ID token: its audience is this server, and it grants scopes, so its user has the rights
that the same token has in a call of an agent. An ID token names the client alone and grants nothing. The token is used
once and kept nowhere. PKCE binds the code to the browser that began, so no `nonce` is needed (RFC 9700, 2.1.1).
"""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.domain.keys.forms.key_text import RandomBytes, Secret
from groundwire.domain.keys.forms.provider_session import ATTEMPT_SECONDS, SignInAttempt
from groundwire.services.keys.denials import decision_for_outage

if TYPE_CHECKING:
    from groundwire.ports import AuthorizationServer, Clock, Sealer
    from groundwire.services.keys.sign_in.page_sessions import OpenedPage
    from groundwire.services.keys.sign_in.signed_in_users import SignedInUsers
    from groundwire.services.keys.token_authorizer import TokenDecision

_SEAL_PURPOSE: Final = "sign-in attempt"
_NOT_STARTED: Final = AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.SIGN_IN_NOT_STARTED)
_REFUSED: Final = AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.SIGN_IN_REFUSED)


@dataclass(frozen=True, slots=True)
class StartedSignIn:
    """Start of a sign-in.

    Attributes:
        address: of the provider, to which the browser goes.
        cookie: sealed attempt, which only this browser gets. seconds: its life.
    """

    address: str
    cookie: Secret
    seconds: int


@dataclass(frozen=True, slots=True)
class CompletedSignIn:
    """End of a sign-in.

    Attributes:
        decision: on the user of the token, as on a call with it; or why there is no token.
        page: session that was opened; None unless the user was admitted.
        screen: part of the page to which the person returns.
    """

    decision: AuthDecision
    page: "OpenedPage | None" = None
    screen: str = ""


class CodeFlow:
    """Authorization code flow of the page.

    Args:
        explain: decides on an access token as on a call with it, and returns its identity.
    """

    def __init__(
        self,
        server: "AuthorizationServer",
        seal: "Sealer",
        explain: "Callable[[Secret, None], TokenDecision]",
        users: "SignedInUsers",
        clock: "Clock",
        random_bytes: RandomBytes,
    ) -> None:
        self._server = server
        self._seal = seal
        self._explain = explain
        self._users = users
        self._clock = clock
        self._random_bytes = random_bytes

    def start(self, screen: str) -> StartedSignIn:
        """Return the start of a sign-in after which the person returns to a screen; nothing is stored.

        Raises:
            Unavailable: the provider's addresses cannot be fetched.
        """
        attempt = SignInAttempt.start(screen, self._clock(), self._random_bytes)
        address = self._server.address(attempt.state, attempt.challenge)
        return StartedSignIn(address, Secret(self._seal.seal(_SEAL_PURPOSE, attempt.to_bytes())), ATTEMPT_SECONDS)

    def complete(self, cookie: Secret | None, answer: Mapping[str, str]) -> CompletedSignIn:
        """Return the end of a sign-in, and open the session if its user is admitted; never raises Unavailable.

        Args:
            cookie: sealed attempt of the browser; None where it has none.
            answer: parameters of the provider's answer, each sent once.
        """
        attempt = None if cookie is None else self._read(cookie)
        # First: without the state of this browser, an answer is somebody else's, and causes no call and no write.
        if attempt is None or not hmac.compare_digest(attempt.state.encode(), answer.get("state", "").encode()):
            return CompletedSignIn(_NOT_STARTED)
        try:
            token = self._token(attempt, answer)
        except Unavailable as error:
            return CompletedSignIn(decision_for_outage(error, AuthReason.PROVIDER_UNAVAILABLE))
        return CompletedSignIn(_REFUSED) if token is None else self._open(attempt, token)

    def _read(self, cookie: Secret) -> SignInAttempt | None:
        payload = self._seal.unseal(_SEAL_PURPOSE, cookie.reveal())
        attempt = None if payload is None else SignInAttempt.from_bytes(payload)
        return None if attempt is None or attempt.expires_at <= self._clock() else attempt

    def _token(self, attempt: SignInAttempt, answer: Mapping[str, str]) -> Secret | None:
        code = answer.get("code")
        # The issuer first: an error of another provider is as foreign as its code.
        if not self._server.is_answer(answer.get("iss")) or "error" in answer or not code:
            return None
        return self._server.exchange(code, attempt.verifier)

    def _open(self, attempt: SignInAttempt, token: Secret) -> CompletedSignIn:
        explained = self._explain(token, None)
        decision = explained.decision
        if decision.caller is None or explained.identity is None:
            return CompletedSignIn(decision)
        try:
            page = self._users.open(attempt, explained.identity)
        except Unavailable as error:
            outage = decision_for_outage(error, AuthReason.STORE_UNAVAILABLE, decision.kid, decision.tenant)
            return CompletedSignIn(outage)
        except NotFound:
            return CompletedSignIn(AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.UNKNOWN_KEY))
        return CompletedSignIn(_NOT_STARTED) if page is None else CompletedSignIn(decision, page, attempt.screen)
