"""`groundwire serve`: the gateway on a socket, until it is asked to stop."""

import errno
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final

import uvicorn

from groundwire.domain.errors import Conflict, InvalidInput
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.template import read_routes
from groundwire.entry.local_server.allowed_hosts import HostAllowList
from groundwire.entry.local_server.application import GatewayApplication
from groundwire.entry.local_server.connection_timeouts import ReadTimeoutProtocol
from groundwire.entry.local_server.shutdown import stop_signals

if TYPE_CHECKING:
    from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint

_BACKLOG: Final = 256
_GRACE_S: Final = 3
"""For calls in flight; less than `stopping.EXIT_S`, so that those that end in time are answered."""
_KEEP_ALIVE_S: Final = 10
"""How long a connection stays open after an answer, for the next request."""
MAX_CONNECTIONS: Final = 512
"""Beyond it a request is answered with 503 and its connection closed."""
_LAST_PORT: Final = 65_535


def serve(
    host: str,
    port: int,
    public_url: str,
    allowed_hosts: Sequence[str],
    template: Path,
    on_ready: Callable[[str], None],
    uploads: "UploadEndpoint | None" = None,
) -> None:
    """Serves the template's functions until SIGINT or SIGTERM; calls in flight then have a few seconds to end.

    Port 0 takes a free one. Requests may come under the host of `public_url`, under `allowed_hosts` and under the
    loopback names. `on_ready` is called once, with the server's own address, when it answers. `uploads` takes uploaded files,
    beginning with those that an earlier process left.

    Raises:
        Conflict: the port is taken.
        Invalid: the address cannot be listened on, or the template cannot be served.
    """
    with (
        stop_signals() as stop,
        listen(host, port) as listening,
        closing(create_application(public_url, allowed_hosts, template, uploads)) as gateway,
    ):
        if uploads is not None:
            uploads.resume()
        server = GatewayServer(gateway, lambda: on_ready(address_of(listening)), stop)
        if not stop.is_set():
            server.run(sockets=[listening])


def create_application(
    public_url: str, allowed_hosts: Sequence[str], template: Path, uploads: "UploadEndpoint | None" = None
) -> GatewayApplication:
    """The gateway of a template, its functions loaded."""
    return GatewayApplication(
        Dispatcher(read_routes(template)), HostAllowList(public_url, allowed_hosts), uploads=uploads
    )


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, so that calls wait instead of failing while the server starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio sets TCP_NODELAY only on a socket that says TCP: without it an answer
    # in two packets waits 40 ms for the client's acknowledgement.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # So that a server may start again at once; it never shares a port with one that runs.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as problem:
        listening.close()
        if problem.errno == errno.EADDRINUSE:
            other = port + 1 if port < _LAST_PORT else port - 1
            raise Conflict(f"Port {port} is taken: choose another, for example --port {other}.") from problem
        reason = problem.strerror or str(problem)
        raise InvalidInput(
            f"Cannot listen on {host} port {port} ({reason}): choose another --host or --port."
        ) from problem
    return listening


def address_of(listening: socket.socket) -> str:
    """The URL under which this machine reaches the socket."""
    host, port = listening.getsockname()[:2]
    named = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{named}:{port}"


class GatewayServer(uvicorn.Server):
    """Uvicorn with nothing switched on that API Gateway does not do."""

    def __init__(self, gateway: GatewayApplication, on_ready: Callable[[], None], stop: Event | None = None) -> None:
        """Ends once `stop` is set."""
        super().__init__(
            uvicorn.Config(
                gateway,
                http=ReadTimeoutProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                # The sender's word for its address is worth nothing: API Gateway takes the socket's.
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_S,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_graceful_shutdown=_GRACE_S,
            )
        )
        self._on_ready = on_ready
        self._stop = stop or Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accepts connections, and says so."""
        await super().startup(sockets)
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        """Tells several times a second whether to end."""
        return self._stop.is_set() or await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leaves signals to `stop_signals`: Uvicorn would repeat the one that stopped it."""
        yield
