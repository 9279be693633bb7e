"""Continuation tokens: sealed texts with which a client continues a list or a call, each for one owner and purpose."""

import json
from collections.abc import Sequence
from typing import NamedTuple, Protocol, cast

Binding = Sequence[str | list[str] | None]
"""Scope of a token: the owner of the call (tenant, key, user, rights), then the list or the call itself."""


class UnknownContinuation(ValueError):
    """Error for a token that was not given to this caller for this list or call, or that has expired.

    All these cases look the same, so a token reveals nothing to whoever tries it elsewhere.
    """


class TokenSealer(Protocol):
    """Authenticated encryption of small payloads that clients store and send back."""

    def seal(self, purpose: str, payload: bytes) -> str:
        """Return a token that only `unseal` with the same purpose opens."""
        ...

    def unseal(self, purpose: str, token: str) -> bytes | None:
        """Return the payload, or None for text that was not sealed here for this purpose."""
        ...


class ContinuationForm(NamedTuple):
    """Codec of the tokens of one purpose.

    Wire format, inside the seal: JSON, the array `[*binding, expires, position]` without `expires` where tokens do not
    expire, or an object of three members. Releases read each other's tokens, so the format of a purpose stays.

    Attributes:
        purpose: of the seal; no two forms have the same one.
        lifetime_seconds: None: a token opens as long as the installation has the same sealing key.
        member_names: names of binding, expiry and position, where the format is an object; None: it is an array.
        least_bytes: length to which the format is padded, so that a token's length does not reveal its position.
    """

    purpose: str
    lifetime_seconds: int | None
    member_names: tuple[str, str, str] | None
    least_bytes: int

    def seal(self, sealer: TokenSealer, now: float, binding: Binding, position: str | None) -> str:
        """Return the token with which the owner of `binding` continues at `position`."""
        expires = None if self.lifetime_seconds is None else int(now) + self.lifetime_seconds
        content = self._content(binding, expires, position)
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        # JSON ignores blanks at its end, so the padding needs no member of its own.
        return sealer.seal(self.purpose, text.encode().ljust(self.least_bytes))

    def open(self, sealer: TokenSealer, now: float, binding: Binding, token: object) -> str | None:
        """Return the position of a token; `token` is any value that a client sent.

        Raises:
            UnknownContinuation: it is no token of this purpose and `binding`, or has expired.
        """
        payload = sealer.unseal(self.purpose, token) if isinstance(token, str) else None
        if payload is not None:
            # Only text that this server sealed reaches the decoder, so it needs no limits of size and depth.
            content: object = json.loads(payload)
            expires, position = self._expiry_and_position(content)
            is_of_binding = content == self._content(binding, expires, position)
            # The seal proves where a token comes from, not whose it is: a caller may send one that another caller got.
            if is_of_binding and (expires is None or now < expires):
                return position
        raise UnknownContinuation("The continuation is unknown or expired: request the first page without one.")

    def _content(self, binding: Binding, expires: float | None, position: str | None) -> object:
        if self.member_names is not None:
            return dict(zip(self.member_names, (list(binding), expires, position), strict=True))
        return [*binding, *(() if self.lifetime_seconds is None else (expires,)), position]

    def _expiry_and_position(self, content: object) -> tuple[float | None, str | None]:
        if self.member_names is not None:
            members = cast("dict[str, object]", content)
            expires, position = (members.get(name) for name in self.member_names[1:])
        else:
            items = cast("list[object]", content)
            expires, position = (None if self.lifetime_seconds is None else items[-2]), items[-1]
        return cast("float | None", expires), cast("str | None", position)
