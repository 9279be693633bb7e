"""`groundwire console`: the one-time address by which the operator of this machine signs in to the page."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.forms.page_session import TICKET_SECONDS
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.entry.cli.console import print_line
from groundwire.entry.cli.options import TenantOption, examples
from groundwire.services.keys.admin import NEVER, KeySpec

if TYPE_CHECKING:
    from groundwire.wiring.local.services import LocalServices

ServerPortOption = Annotated[int, typer.Option("--port", min=1, max=65535, help="Port of the server.")]
KEY_NAME: Final = "page of this machine"
CONSOLE_EXAMPLES: Final = examples("groundwire console --tenant acme")


def console(tenant: TenantOption, port: ServerPortOption = 8080) -> None:
    """Print an address that opens the page of a server on this machine, once, as an administrator."""
    services = wiring.local_services()
    name = services.administration.tenant_admin.find(tenant).tenant
    print_line(page_address(services, name, f"http://127.0.0.1:{port}"))
    print_line(f"It signs in once, within {TICKET_SECONDS // 60} minutes.")


def page_address(services: "LocalServices", tenant: str, url: str) -> str:
    """Return a one-time address of the page below the URL of a server of this machine."""
    ticket = services.administration.page_sessions.issue_ticket(tenant, _page_key(services, tenant))
    # Behind the number sign it is in no request, so in no log either.
    return f"{url}/console#ticket={ticket.text.reveal()}"


def _page_key(services: "LocalServices", tenant: str) -> str:
    """Return the id of the operator's key for the page, whose secret nobody has; it is created where it is missing."""
    admin = services.administration.key_admin
    spec, now = _spec(tenant, services.administration.operator_decision("").decided_by), services.clock()
    for key in admin.all(tenant):
        # One that another key made has at most the rights of that key, and one with fewer rights may have any name.
        is_same = (key.name, key.kind, key.user, key.options) == (spec.name, spec.kind, spec.user, spec.options)
        if is_same and key.scopes == spec.scopes and key.created_with is None and key.is_active(now):
            return key.kid
    created = admin.create(spec).key
    services.administration.audit_operator_action("key.create", tenant=tenant, kid=created.kid)
    return created.kid


def _spec(tenant: str, operator: str) -> KeySpec:
    return KeySpec(
        tenant=tenant,
        name=KEY_NAME,
        kind=KeyKind.PERSONAL,
        # The audit log names a person for what the page does.
        user=operator or "operator",
        tags=frozenset(),
        max_tags=(),
        scopes=frozenset({Scope.ADMIN, Scope.SEARCH}),
        collections=ALL_COLLECTIONS,
        # The page shows the same question as two people.
        options=replace(USUAL_OPTIONS, may_search_as=True),
        expires_in_days=NEVER,
    )
