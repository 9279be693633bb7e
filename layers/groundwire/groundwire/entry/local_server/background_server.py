"""Server on a background thread, for tests and benchmarks."""

import threading
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import ServerParts
from groundwire.entry.local_server.server import GatewayServer, address_of, create_application, listen
from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint
from groundwire.entry.local_server.watch import ServerWatch
from groundwire_mcp.transport.origins import NO_ORIGINS, AllowedOrigins


@contextmanager
def run_in_background(
    template: Path,
    public_url: str = "",
    allowed_hosts: Sequence[str] = (),
    uploads: UploadEndpoint | None = None,
    origins: AllowedOrigins = NO_ORIGINS,
    watch: ServerWatch | None = None,
) -> Generator[str]:
    """Serve the template on a free port of 127.0.0.1 within the block; yield the server's URL."""
    started, parts = threading.Event(), ServerParts(uploads, origins, watch=watch)
    with (
        listen("127.0.0.1", 0) as listening,
        closing(create_application(HostAllowList(public_url, allowed_hosts), template, parts)) as gateway,
    ):
        server = GatewayServer(gateway, started.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="groundwire-gateway")
        thread.start()
        try:
            started.wait()
            yield address_of(listening)
        finally:
            server.should_exit = True
            thread.join()
