"""The demo's two keys, stored in the home folder so that a later start can print them again."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.keys.admin import NEVER, KeySpec

if TYPE_CHECKING:
    from groundwire.wiring.local.services import LocalServices

FILE: Final = "demo-keys.json"
PERSONAL_USER: Final = "you@weirhaven.example"


@dataclass(frozen=True, slots=True)
class DemoKeys:
    """Texts of the key that acts for others, and of the personal one."""

    # A log or a traceback that shows the object must not show a key.
    act_as: str = field(repr=False)
    personal: str = field(repr=False)


def demo_keys(services: "LocalServices", tenant: str) -> DemoKeys:
    """Return the stored keys, or new ones when the file is missing or one of its keys no longer works."""
    path = services.settings.home / FILE
    stored = stored_keys(services.settings.home)
    if stored is not None and all(_is_valid(services, tenant, text) for text in (stored.act_as, stored.personal)):
        return stored
    issued = DemoKeys(act_as=_issue(services, _act_as_spec(tenant)), personal=_issue(services, _personal_spec(tenant)))
    _write(path, issued)
    return issued


def _act_as_spec(tenant: str) -> KeySpec:
    return KeySpec(
        tenant=tenant,
        name="demo agent",
        kind=KeyKind.ACT_AS,
        user=None,
        tags=frozenset(),
        max_tags=("*",),
        scopes=frozenset({Scope.SEARCH, Scope.VERIFY}),
        collections=ALL_COLLECTIONS,
        options=USUAL_OPTIONS,
        expires_in_days=NEVER,
    )


def _personal_spec(tenant: str) -> KeySpec:
    return KeySpec(
        tenant=tenant,
        name="demo personal",
        kind=KeyKind.PERSONAL,
        user=PERSONAL_USER,
        tags=frozenset({"department:sales", "department:support"}),
        max_tags=(),
        scopes=frozenset({Scope.SEARCH, Scope.VERIFY}),
        collections=ALL_COLLECTIONS,
        options=USUAL_OPTIONS,
        expires_in_days=NEVER,
    )


def _issue(services: "LocalServices", spec: KeySpec) -> str:
    issued = services.administration.key_admin.create(spec)
    services.administration.audit_operator_action("key.create", tenant=spec.tenant, kid=issued.key.kid)
    return issued.secret.reveal()


def _is_valid(services: "LocalServices", tenant: str, text: str) -> bool:
    """Return whether the key is admitted for this tenant; it may have been revoked, rotated or deleted meanwhile."""
    caller = services.access.authorize({"authorization": f"Bearer {text}"}).caller
    return caller is not None and caller.principal.tenant == tenant


def stored_keys(home: Path) -> DemoKeys | None:
    """Return the keys that a start of the demo left in the home folder, valid or not; None without a readable file."""
    try:
        fields = json.loads((home / FILE).read_text(encoding="utf-8"))
        return DemoKeys(act_as=str(fields["act_as"]), personal=str(fields["personal"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, keys: DemoKeys) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(descriptor, 0o600)  # an existing file keeps its mode when opened
        json.dump({"act_as": keys.act_as, "personal": keys.personal}, file, indent=2)
