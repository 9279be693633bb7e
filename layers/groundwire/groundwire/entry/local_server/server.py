"""Command `groundwire serve`: the gateway on a socket, until a signal stops it."""

import errno
import socket
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Final

import uvicorn

from groundwire.domain.errors import Conflict, InvalidInput
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.template import read_routes
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication, ServerParts
from groundwire.entry.local_server.connections.protocol import ReadTimeoutProtocol
from groundwire.entry.local_server.shutdown import stop_signals

_BACKLOG: Final = 128
"""Connections that wait to be accepted, and that asyncio accepts in one step.

With more, a flood of connections would end others whose request is there, but not read yet.
"""
_GRACE_S: Final = 3
"""Time for calls in flight; less than `shutdown.EXIT_TIMEOUT_S`, so that calls that end in time get a response."""
_KEEP_ALIVE_S: Final = 10
"""Time that a connection stays open after a response, for the next request."""
_LAST_PORT: Final = 65_535


def serve(
    host: str,
    port: int,
    hosts: HostAllowList,
    template: Path,
    on_ready: Callable[[str], None],
    parts: ServerParts,
) -> None:
    """Serve the template's functions until SIGINT or SIGTERM; calls in flight then have a few seconds to end.

    Port 0 takes a free one. Requests may use the names of `hosts`. `on_ready` is called once, with the server's own
    address, when it accepts connections.

    Raises:
        Conflict: the port is taken.
        InvalidInput: the address cannot be listened on, or the template cannot be served.
    """
    with (
        stop_signals() as stop,
        listen(host, port) as listening,
        closing(create_application(hosts, template, parts)) as gateway,
    ):
        if parts.uploads is not None:
            parts.uploads.resume()
        server = GatewayServer(gateway, lambda: on_ready(address_of(listening)), stop)
        if not stop.is_set():
            server.run(sockets=[listening])


def create_application(hosts: HostAllowList, template: Path, parts: ServerParts) -> GatewayApplication:
    """Return the gateway application of a template with its functions loaded."""
    dispatcher = Dispatcher(read_routes(template), users=parts.users)
    return GatewayApplication(dispatcher, hosts, parts=parts)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that calls wait instead of failing while the server starts.

    Raises:
        Conflict: the port is taken.
        InvalidInput: the address cannot be listened on.
    """
    address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is explicit because asyncio sets TCP_NODELAY only on a TCP socket: without it a response
    # in two packets waits 40 ms for the client's acknowledgement.
    listening = socket.socket(address_family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # The server may restart at once; the option does not let two servers share a port.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            alternative = port + 1 if port < _LAST_PORT else port - 1
            raise Conflict(f"Port {port} is taken: choose another, for example --port {alternative}.") from error
        reason = error.strerror or str(error)
        raise InvalidInput(
            f"Cannot listen on {host} port {port} ({reason}): choose another --host or --port."
        ) from error
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the socket's URL for clients on this machine."""
    host, port = listening.getsockname()[:2]
    url_host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{url_host}:{port}"


class GatewayServer(uvicorn.Server):
    """Uvicorn without features that API Gateway does not have."""

    def __init__(self, gateway: GatewayApplication, on_ready: Callable[[], None], stop: Event | None = None) -> None:
        """Create the server; it stops once `stop` is set."""
        super().__init__(
            uvicorn.Config(
                gateway,
                http=ReadTimeoutProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                # The application reads these headers from trusted proxies alone.
                proxy_headers=False,
                server_header=False,
                backlog=_BACKLOG,
                timeout_keep_alive=_KEEP_ALIVE_S,
                timeout_graceful_shutdown=_GRACE_S,
            )
        )
        self._on_ready = on_ready
        self._stop = stop or Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections and call `on_ready`."""
        await super().startup(sockets)
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        """Return whether to stop; called several times a second."""
        return self._stop.is_set() or await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals to `stop_signals`: Uvicorn would repeat the signal that stopped it."""
        yield
