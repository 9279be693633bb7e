"""`groundwire serve` and `groundwire demo`: the Lambda handlers of this installation behind a local API Gateway."""

import gc
import os
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from groundwire import wiring
from groundwire.entry.cli.console import print_line
from groundwire.entry.cli.options import examples
from groundwire.entry.cli.server.demo_setup import TENANT, prepare_demo
from groundwire.entry.cli.server.demo_welcome import print_welcome
from groundwire.entry.cli.server.open_key import check_options, open_access
from groundwire.entry.cli.server.page_address import page_address
from groundwire.entry.cli.server.warmup import warm
from groundwire.entry.cli.server.watching import address_of_metrics, watching
from groundwire.settings import folders

if TYPE_CHECKING:
    from groundwire.domain.keys.fairness.parties import KnownUsers
    from groundwire.entry.local_server.open_access import OpenAccess
    from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint
    from groundwire.entry.local_server.watch import ServerWatch
    from groundwire.wiring.local.services import LocalServices

THREAD_NAME: Final = "groundwire-rewriting"
FIRST_PAUSE_SECONDS: Final = 5.0
"""Pause before the first step: the first calls after a start are the slowest ones."""

HostOption = Annotated[str, typer.Option(help="Address to listen on.")]
PortOption = Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")]
PublicUrlOption = Annotated[str | None, typer.Option(help="URL of this server for agents; links begin with it.")]
AllowedHostOption = Annotated[list[str], typer.Option(help="Host name that requests may have; repeat for more.")]
TrustedProxyOption = Annotated[
    list[str],
    typer.Option(
        metavar="ADDRESS",
        help="Address or network of a proxy whose Forwarded and X-Forwarded-For count; repeat for more.",
    ),
]

OpenAsOption = Annotated[
    str | None,
    typer.Option(
        metavar="KEY",
        help="For development: calls without a key on /edgeai/mcp act with this personal key. "
        "Other users of the machine can see the key and make such calls.",
    ),
]


MetricsOption = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Serve metrics for Prometheus at this address; they need no key."),
]
AccessLogOption = Annotated[bool, typer.Option("--access-log", help="Print one JSON line per request.")]

SERVE_EXAMPLES: Final = examples(
    "groundwire serve --port 8080",
    "groundwire serve --host 0.0.0.0 --public-url https://groundwire.example.com --allowed-host groundwire.internal",
)


def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = 8080,
    public_url: PublicUrlOption = None,
    allowed_host: AllowedHostOption = [],
    trusted_proxy: TrustedProxyOption = [],
    open_as: OpenAsOption = None,
    metrics: MetricsOption = None,
    access_log: AccessLogOption = False,
) -> None:
    """Start the server on this machine: MCP, REST, dialects and links."""
    metrics_address = None if metrics is None else address_of_metrics(metrics)
    if open_as is not None:
        check_options(host, public_url, allowed_host, trusted_proxy)
    _check_port_is_free(host, port)
    if trusted_proxy:
        os.environ["GROUNDWIRE_TRUSTED_PROXIES"] = " ".join(trusted_proxy)
    services = _services(host, port, public_url)
    opened = None if open_as is None else open_access(services, open_as)
    warm(services)

    def on_started(url: str) -> None:
        open_note = "" if opened is None else f" Without a key, for every user of this machine: {url}{opened.path}"
        print_line(f"Serving MCP on {url}/mcp (Ctrl-C stops).{open_note}")

    with watching(services, metrics_address, access_log=access_log) as watch:
        _serve(host, port, services, allowed_host, on_started, opened, watch)


DEMO_EXAMPLES: Final = examples("groundwire demo --port 8080")


def demo(host: HostOption = "127.0.0.1", port: PortOption = 8080) -> None:
    """Start the server with sample documents; missing model, tenant, keys and documents are created first."""
    _check_port_is_free(host, port)
    services = _services(host, port, None)
    keys = prepare_demo(services)
    with watching(services, None, access_log=False) as watch:
        tenant = services.administration.tenant_admin.find(TENANT).tenant

        def welcome(url: str) -> None:
            print_welcome(url, keys, page_address(services, tenant, url))

        _serve(host, port, services, [], welcome, None, watch)


def _check_port_is_free(host: str, port: int) -> None:
    """Check the port before the expensive preparations.

    Raises:
        Conflict: the port is taken.
    """
    # Imported on use, as in `_serve`.
    from groundwire.entry.local_server.server import listen

    listen(host, port).close()


def _services(host: str, port: int, public_url: str | None) -> "LocalServices":
    """Return the services of this process, with links to the server that is about to start."""
    if public_url:
        os.environ["GROUNDWIRE_PUBLIC_URL"] = public_url
    else:
        os.environ.setdefault("GROUNDWIRE_PUBLIC_URL", f"http://{_url_host(host)}:{port}")
    # Always set: pages of this machine may call only while nobody else reaches the server.
    os.environ["GROUNDWIRE_BIND_HOST"] = host
    os.environ.setdefault("POWERTOOLS_METRICS_DISABLED", "true")
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "WARNING")
    # Read when numpy is loaded: its own threads would spin and take time from the embedder's and other calls' threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    wiring.reset()
    return wiring.local_services()


def _serve(
    host: str,
    port: int,
    services: "LocalServices",
    allowed_hosts: list[str],
    on_ready: Callable[[str], None],
    opened: "OpenAccess | None",
    watch: "ServerWatch",
) -> None:
    # Half-set variables stop a server at its start, not at the first call.
    services.settings.sign_in.provider()
    root = folders.served_folder()

    def on_started(url: str) -> None:
        # Loaded objects stay alive: scanning them in garbage collections would delay single calls by ten milliseconds.
        gc.freeze()
        on_ready(url)

    # Imported on use: no other command needs the gateway and its server.
    from groundwire.entry.local_server.allowed_hosts import HostAllowList
    from groundwire.entry.local_server.application import ServerParts
    from groundwire.entry.local_server.connections.forwarding import TrustedProxies
    from groundwire.entry.local_server.server import serve as serve_gateway

    parts = ServerParts(
        _upload_endpoint(services),
        services.agents.allowed_origins,
        opened,
        watch,
        _known_users(services),
        TrustedProxies(services.settings.trusted_proxies),
    )
    with run_steps(services.ingestion.upkeep_steps()):
        serve_gateway(
            host,
            port,
            HostAllowList(services.settings.public_url, allowed_hosts),
            root / "template.yaml",
            on_started,
            parts,
        )


def _upload_endpoint(services: "LocalServices") -> "UploadEndpoint":
    from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint

    def ingest_upload(tenant: str, ticket: str, version: str, at: float, read: Callable[[], bytes]) -> object:
        # Built on use: a server without uploads starts no parser.
        return services.ingestion.uploads(tenant, ticket, version, at, read)

    return UploadEndpoint(
        services.stores.upload_forms,
        services.stores.uploaded_files,
        ingest_upload,
        services.clock,
        is_unused=services.administration.upload_tickets.is_file_awaited,
        audit=services.stores.audit,
        allowed_origins=services.agents.allowed_origins,
    )


def _known_users(services: "LocalServices") -> "KnownUsers":
    from groundwire.domain.keys.fairness.parties import KnownUsers

    def is_listed(tenant: str, user: str) -> bool:
        return services.stores.users.state(tenant, user).tags is not None

    return KnownUsers(is_listed, services.clock)


@contextmanager
def run_steps(steps: Iterator[float]) -> Generator[None]:
    """Take the steps in a thread within the block, each followed by the pause that it yields, in seconds.

    The end of the block waits for the step in progress; no further one begins.
    """
    stop = threading.Event()

    def work() -> None:
        if stop.wait(FIRST_PAUSE_SECONDS):
            return
        for pause in steps:
            if stop.wait(pause):
                return

    thread = threading.Thread(target=work, name=THREAD_NAME, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _url_host(host: str) -> str:
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - recognised, not bound
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
