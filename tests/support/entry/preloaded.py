"""The command `groundwire` for a search path, whose processes begin with its modules loaded.

A command takes a second to import them, and pages have hundreds of commands. That the installed command starts alone is
what the README's clone, the wheel and the servers of other tests show.
"""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[3]
_CLIENT: Final = """#!{python} -ISE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({path!r})
    call = {{"arguments": sys.argv[1:], "environment": dict(os.environ), "folder": os.getcwd()}}
    content = json.dumps(call).encode() + b"\\n"
    sent = socket.send_fds(connection, [content], [0, 1, 2])
    connection.sendall(content[sent:])
    answer = connection.recv(10)
os._exit(int(answer or 70))
"""


@contextmanager
def preloaded_command(folder: Path) -> Generator[Path]:
    """Give a folder with the command, until the block ends; `folder` is an empty one for it."""
    path = folder / "socket"
    client = folder / "groundwire"
    client.write_text(_CLIENT.format(python=sys.executable, path=str(path)), encoding="utf-8")
    client.chmod(0o700)
    program = [sys.executable, "-m", "tests.support.entry.preloaded_program", str(path)]
    with subprocess.Popen(program, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        try:
            yield folder
        finally:
            process.stdin.close()
            process.wait()
