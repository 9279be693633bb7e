"""Starts MiniStack on 127.0.0.1 and a port that is free, prints it, and ends when standard input does.

A program of its own, run by the interpreter of MiniStack's environment: its own command takes a port that it is told,
which another may have taken meanwhile, and outlives whoever started it.
"""

import asyncio
import os
import socket
import sys
from importlib import import_module
from typing import Any


async def _serve(config: Any) -> None:
    app = import_module("ministack.app").app
    ends = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    async def end() -> None:
        await ends

    await import_module("hypercorn.asyncio").serve(app, config, shutdown_trigger=end)


def _main() -> None:
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    port = str(listening.getsockname()[1])
    # Functions are told this address of every service.
    os.environ["GATEWAY_PORT"] = port
    config = import_module("hypercorn.config").Config()
    config.bind = [f"fd://{listening.fileno()}"]
    config.loglevel = "WARNING"
    sys.stdout.write(f"port {port}\n")
    sys.stdout.flush()
    asyncio.run(_serve(config))


if __name__ == "__main__":
    _main()
