"""The server's end of a connection on a virtual clock; a test is the other one."""

import asyncio

from groundwire.entry.local_server.application import GatewayApplication
from groundwire.entry.local_server.connections.protocol import ReadTimeoutProtocol
from groundwire.entry.local_server.server import GatewayServer


class Wire(asyncio.Transport):
    """The server's end of a connection; the test is the other one."""

    def __init__(
        self, gateway: GatewayApplication, server: GatewayServer | None = None, address: str = "192.0.2.1"
    ) -> None:
        super().__init__({"peername": (address, 40_000)})
        server = server or GatewayServer(gateway, lambda: None)
        self._loop = asyncio.get_running_loop()
        self.protocol = ReadTimeoutProtocol(server.config, server.server_state, {})
        self.stated = b""
        self.ended_at: float | None = None
        self.reads = True
        self._unsent = 0
        self._is_closing = False
        self.protocol.connection_made(self)

    async def send(self, data: bytes) -> None:
        """What the other end sends; nothing, once the connection has ended."""
        self.receive(data)
        await self.reconcile()

    def receive(self, data: bytes) -> None:
        """The server gets the data, and handles it later."""
        if data and not self.is_closing():
            self.protocol.data_received(data)

    async def drip(self, data: bytes, every: float) -> None:
        """One byte after the other, until the connection ends."""
        for byte in data:
            await asyncio.sleep(every)
            if self.ended_at is not None:
                return
            await self.send(bytes([byte]))

    async def reconcile(self) -> None:
        """Lets the server do what it can do at once."""
        for _ in range(20):
            await asyncio.sleep(0)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.stated += bytes(data)
        if not self.reads:
            self._unsent += len(data)

    def get_write_buffer_size(self) -> int:
        return self._unsent

    def read(self) -> None:
        """The other end takes what is there, and reads from now on."""
        self.reads, self._unsent = True, 0
        if self._is_closing:
            self.abort()

    def close(self) -> None:
        self._is_closing = True
        if not self._unsent:
            self.abort()

    def abort(self) -> None:
        if self.ended_at is None:
            self._unsent = 0
            self.ended_at = self._loop.time()
            self._loop.call_soon(self.protocol.connection_lost, None)

    def is_closing(self) -> bool:
        return self._is_closing or self.ended_at is not None

    def pause_reading(self) -> None:
        """The test sends little."""

    def resume_reading(self) -> None:
        """Likewise."""
