"""Program with the modules of the command line loaded, of which each command becomes a process of its own by `fork`.

`python -m tests.support.entry.preloaded_program SOCKET`. A client sends its three streams, and as JSON its arguments,
environment and folder; it gets the exit code. The program ends with its standard input.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import sys
import tempfile
from contextlib import redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Final

import typer.main

from groundwire import wiring
from groundwire.entry.cli.main import main

_MESSAGE_BYTES: Final = 1_000_000


def _load() -> None:
    """Run two commands that open a home, whose modules are loaded when they are first used."""
    typer.main.get_command = cache(typer.main.get_command)
    with (
        tempfile.TemporaryDirectory() as home,
        Path(os.devnull).open("w", encoding="utf-8") as nothing,
        redirect_stdout(nothing),
    ):
        os.environ["GROUNDWIRE_HOME"] = home
        for arguments in ("tenant create nobody", "key list --tenant nobody"):
            sys.argv = ["groundwire", *arguments.split()]
            with suppress(SystemExit):
                main()
            wiring.reset()


def _serve(path: str) -> None:
    _load()
    # Nobody asks for the exit codes of the children here.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("ready", flush=True)  # noqa: T201 - the parent waits for it
        # A child would copy every page whose objects a search for garbage marks.
        gc.freeze()
        while listener in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            with connection:
                if os.fork() == 0:
                    listener.close()
                    _become(connection)


def _become(connection: socket.socket) -> None:
    code = 1
    try:
        code = _run(connection)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        connection.sendall(str(code).encode())
        # The children of a command hold the connection no longer than the command.
        connection.shutdown(socket.SHUT_RDWR)
        os._exit(code)


def _run(connection: socket.socket) -> int:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    content, streams, _, _ = socket.recv_fds(connection, _MESSAGE_BYTES, 3)
    while not content.endswith(b"\n"):
        content += connection.recv(_MESSAGE_BYTES)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    call = json.loads(content)
    os.chdir(call["folder"])
    os.environ.clear()
    os.environ.update(call["environment"])
    sys.argv = ["groundwire", *call["arguments"]]
    try:
        main()
    except SystemExit as end:
        code = end.code
    else:
        code = 0
    # As an interpreter that ends; what this program registered before belongs to it.
    atexit._run_exitfuncs()
    return code if isinstance(code, int) else 1


if __name__ == "__main__":
    _serve(sys.argv[1])
