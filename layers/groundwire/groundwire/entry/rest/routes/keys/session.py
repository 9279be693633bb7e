"""Sign-in to the page, and its end: the only routes that set a cookie."""

from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request, Response
from pydantic import Field

from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.entry.http.page_cookie import is_own_origin, page_cookie, set_cookie
from groundwire.entry.rest.middleware.access import EVENT_KEY
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import ResponseModel, Timestamp, declared_errors
from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from groundwire.wiring.services import ApiServices


class SignedIn(ResponseModel):
    """A page session; its secret is in the cookie alone."""

    expires_at: Timestamp


class SignedOut(ResponseModel):
    """The end of a page session."""

    signed_out: bool = Field(description="False for a call with a key, which has no session.")


router: Final = APIRouter(prefix="/v1/session", tags=["session"], route_class=ScopedRoute)


@router.post("", response_model=SignedIn, responses=declared_errors(404, 409))
async def sign_in(request: Request, response: Response, context: CurrentContext) -> dict[str, object]:
    """Sign in to the page, for the user and tags of this call: set a cookie that /v1 accepts in place of the key."""
    # A ticket of a one-time address in `x-page-ticket` was admitted as its key, before the call came here.
    host, origin = _host(request), request.headers.get("origin")
    # A program sends no origin. Behind a proxy that hides the host, the cookie would lack the protection of https.
    if origin is not None and not is_own_origin(origin, host):
        raise Forbidden(
            "A sign-in to the page needs the origin of this server: a proxy must pass the `Host` header on."
        )
    opened = context.services.administration.page_sessions.sign_in(context.caller)
    response.headers["set-cookie"] = set_cookie(host, opened.text, opened.seconds)
    return {"expires_at": format_utc(context.services.clock() + opened.seconds)}


@router.delete("", response_model=SignedOut)
async def sign_out(request: Request, response: Response, context: CurrentContext) -> dict[str, object]:
    """Sign out: end the session of this call's cookie. A call with a key changes nothing."""
    # The name of the cookie depends on the host, as at the sign-in.
    host = _host(request)
    cookie = page_cookie(request.scope[EVENT_KEY], {"host": host, "cookie": request.headers.get("cookie", "")})
    if cookie is None:
        return {"signed_out": False}
    _end(context.services, cookie)
    response.headers["set-cookie"] = set_cookie(host, Secret(""), 0)
    return {"signed_out": True}


def _end(services: "ApiServices", cookie: Secret) -> None:
    # Not before: few calls end a session.
    from groundwire.domain.keys.forms.provider_session import is_provider_session

    users = services.access.signed_in_users
    if users is not None and is_provider_session(cookie.reveal()):
        users.end(cookie)
    else:
        services.administration.page_sessions.sign_out(cookie)


def _host(request: Request) -> str:
    return request.headers.get("host", "")
