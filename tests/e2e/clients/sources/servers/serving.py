"""Tools that every server of the tests offers, and how a script serves an application until its standard input ends."""

# pyright: reportMissingImports=false
# The libraries are in the server's own environment.
import asyncio
import os
import socket
import sys
import threading
from typing import Any

GREETING = "Grüße, 日本 🎉: "
PAGE = 2
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}}
NAMES = ("echo", "fails", "slow", "spare_1", "spare_2")


class ToolFailedError(Exception):
    """A tool that fails."""


def report(word: str) -> None:
    """Tell the test something."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def called(name: str, arguments: dict[str, Any]) -> str:
    """The text of a tool's result.

    Raises:
        ToolFailedError: the tool fails.
    """
    if name == "echo":
        return GREETING + str(arguments.get("text"))
    if name != "slow":
        raise ToolFailedError(f"{name} failed: ü")
    report("slow started")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        report("slow cancelled")
        raise
    return ""


def serve(app: Any) -> None:
    """Serve an ASGI application at a free port."""
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    report(f"port {listening.getsockname()[1]}")

    def end_with_standard_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_standard_input, daemon=True).start()
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])
