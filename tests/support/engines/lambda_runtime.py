"""Lambda on this machine: AWS's own client of its runtime (awslambdaric) under AWS's own emulator (aws-lambda-rie).

A function finds what it would find in Lambda and nothing else: its code, its layers, and what the managed runtime
brings. Neither the checkout nor the environment of the tests can be imported.
"""

import json
import os
import platform
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.aws.kernel.lambda_kernel import under_lambda_kernel
from tests.support.aws.refusals.calls.invocations import INVOCATION_RULES, Invocation
from tests.support.aws.refusals.calls.metrics import METRIC_RULES, MetricLine
from tests.support.aws.refusals.rule import require_accepted
from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent

_PROVIDED: Final = (
    *("awslambdaric", "simplejson", "snapshot-restore-py"),
    *("boto3", "botocore", "s3transfer", "jmespath", "python-dateutil", "six", "urllib3"),
)
"""What the managed runtime has beside the standard library."""
_TETHER: Final = Path(__file__).with_name("end_with_parent.py")
_PATH: Final = "/2015-03-31/functions/function/invocations"
_START_S: Final = 20
_STOP_S: Final = 10
# As the runtime's own bootstrap: code and layers go before what the runtime brings, for this process alone. A process
# that the function starts finds only PYTHONPATH, as in Lambda.
_BOOTSTRAP: Final = """\
import os, sys
sys.path[:1] = sys.argv[1].split(os.pathsep)
from awslambdaric.__main__ import main
main(["awslambdaric", sys.argv[2]])
"""


@dataclass(frozen=True, slots=True)
class Function:
    """A function under the emulator; its first invocation is a cold start.

    Attributes:
        port: of the emulator, on 127.0.0.1.
        log: what function and emulator have written.
    """

    port: int
    log: Path

    def invoke(self, event: object) -> object:
        """What the handler answers; an error of the handler is answered as Lambda does, by `errorType` and the rest."""
        return json.loads(self.raw(json.dumps(event).encode()))

    def raw(self, payload: bytes) -> bytes:
        """The same in bytes; Raises AssertionError when Lambda refuses the payload, or the emulator answers no JSON."""
        require_accepted(INVOCATION_RULES, Invocation("the function", payload))
        connection = HTTPConnection("127.0.0.1", self.port)
        try:
            connection.request("POST", _PATH, body=payload)
            response = connection.getresponse()
            answer = response.read()
        finally:
            connection.close()
        assert response.status == 200, f"{answer.decode()}\n{self.log.read_text(encoding='utf-8')}"
        require_accepted(INVOCATION_RULES, Invocation("the function", payload, answer=answer))
        return answer


@contextmanager
def running(
    code: Path,
    layers: Sequence[Path] = (),
    variables: Mapping[str, str] | None = None,
    handler: str = "app.handler",
    timeout_s: int = 29,
) -> Generator[Function]:
    """The handler of a folder as a function, for as long as the block.

    Args:
        code: what /var/task would be.
        layers: what is unpacked to /opt, each with a folder `python`.
        variables: the function's environment; the emulator adds those that Lambda does.
        handler: module and attribute in `code`.
        timeout_s: after which the emulator ends the invocation.

    Raises:
        Absent: the emulator cannot be had here.
    """
    emulator = _emulator()
    with TemporaryDirectory(prefix="groundwire-function-") as made:
        folder = Path(made)
        environment = _environment(_runtime_folder(folder), code, {**(variables or {}), "TMPDIR": made}, timeout_s)
        python = os.pathsep.join(str(place) for place in (code, *(layer / "python" for layer in layers)))
        log = folder / "log.txt"
        started = [*under_lambda_kernel(), str(emulator)]
        process, port = _started(started, [_BOOTSTRAP, python, handler], code, environment, log)
        try:
            yield Function(port, log)
        finally:
            process.communicate(timeout=_STOP_S)
        _require_metrics(log)


def _require_metrics(log: Path) -> None:
    """Raise where CloudWatch would not extract a metric that the function logged, which AWS does not report."""
    for line in log.read_text(encoding="utf-8").splitlines():
        if line.startswith("{") and '"CloudWatchMetrics"' in line:
            require_accepted(METRIC_RULES, MetricLine(json.loads(line)))


def _started(
    emulator: list[str], program: list[str], code: Path, environment: Mapping[str, str], log: Path
) -> tuple[subprocess.Popen[bytes], int]:
    """Return the process and its port; both ports are chosen first, so another process may take one in between."""
    for _ in range(3):
        port, runtime_port = _free_ports()
        addresses = ("--runtime-interface-emulator-address", f"127.0.0.1:{port}")
        runtime = ("--runtime-api-address", f"127.0.0.1:{runtime_port}")
        # Without site: what is installed beside this interpreter is not in Lambda.
        python = [_interpreter(), "-S", "-c", *program]
        command = [sys.executable, "-S", _TETHER, *emulator, *addresses, *runtime, *python]
        with log.open("ab") as output:
            process = subprocess.Popen(
                command, cwd=code, env=environment, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT
            )
        if _listens(port, process):
            return process, port
        process.communicate(timeout=_STOP_S)
    raise Absent(f"aws-lambda-rie does not start: {log.read_text(encoding='utf-8')[-500:]}")


def _listens(port: int, process: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + _START_S
    while process.poll() is None and time.monotonic() < end:
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.01)
    return False


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _environment(runtime: Path, code: Path, variables: Mapping[str, str], timeout_s: int) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(runtime),
        "PYTHONNOUSERSITE": "1",
        "LAMBDA_TASK_ROOT": str(code),
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(timeout_s),
        **variables,
    }


def _runtime_folder(folder: Path) -> Path:
    """Return a folder with links to the packages of the managed runtime, and to no others."""
    place = folder / "runtime"
    place.mkdir()
    for name in _PROVIDED:
        for file in distribution(name).files or ():
            top = file.parts[0]
            source = Path(str(distribution(name).locate_file(top)))
            if top not in ("..", "__pycache__") and not (place / top).exists():
                (place / top).symlink_to(source)
    return place


def _interpreter() -> str:
    """Return the base interpreter of the tests' environment: processes of a function must not find that environment."""
    return str(Path(sys.base_exec_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")


@cache
def _emulator() -> Path:
    """AWS's binary, which comes with the SAM CLI; Raises Absent."""
    machine = {"x86_64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine())
    if platform.system() != "Linux" or machine is None:
        raise Absent("aws-lambda-rie runs on Linux on x86-64 and arm64 alone.")
    binaries = environment("sam").parent.glob(f"lib/python*/site-packages/samcli/local/rapid/aws-lambda-rie-{machine}")
    binary = next(binaries, None)
    if binary is None:
        raise Absent("aws-sam-cli does not hold aws-lambda-rie.")
    binary.chmod(0o755)
    return binary
