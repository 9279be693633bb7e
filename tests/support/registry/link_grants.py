"""Grants of short links in memory, and short links over them."""

from dataclasses import dataclass, field

from groundwire.adapters.codecs.aead import AesGcmSeal
from groundwire.adapters.codecs.block_codes import AesBlockCodes
from groundwire.domain.errors import Unavailable
from groundwire.ports import Clock
from groundwire.services.documents.links.source_links import ShortLinks

SECRET = b"k" * 32


@dataclass
class MemoryLinkGrants:
    """The LinkGrants port; it counts its calls, and `fails` makes each of them unanswerable."""

    rows: dict[int, tuple[str, int]] = field(default_factory=dict[int, tuple[str, int]])
    writes: int = 0
    reads: int = 0
    fails: bool = False

    def add(self, tenant: str, handle: int, sealed: str, now: float, expires_at: int) -> bool:
        """As the port states; `tenant` has to be named."""
        assert tenant
        self.writes += 1
        if self.fails:
            raise Unavailable("away", 7)
        stored, end = self.rows.get(handle, (sealed, 0))
        if stored != sealed and end > now:
            return False
        self.rows[handle] = (sealed, expires_at)
        return True

    def get(self, handle: int, now: float) -> str | None:
        """As the port states."""
        self.reads += 1
        if self.fails:
            raise Unavailable("away", 7)
        sealed, end = self.rows.get(handle, ("", 0))
        return sealed if end > now else None


def short_links(grants: MemoryLinkGrants, clock: Clock, secret: bytes = SECRET) -> ShortLinks:
    """Short links of a process that has served nobody yet."""
    return ShortLinks(AesGcmSeal(secret), AesBlockCodes(secret), grants, clock)
