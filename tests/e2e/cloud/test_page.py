"""The page of the first deployment: its commands in order, unedited, from a clone to an answer.

Each block runs in a shell of its own. From outside come the endpoints alone: those of AWS, of the index, of the image
and of the API (`samconfig.toml` of the clone), the processor of this machine, and the index of Python packages.
"""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.cloud import embedding
from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment import artifacts
from tests.support.aws.deployment.stack import IMAGE, adopted
from tests.support.documentation.pages import ROOT, blocks
from tests.support.engines import ministack
from tests.support.engines.installers.python_environments import INSTALLS_UNCOMPILED, environment
from tests.support.engines.missing import Absent, answer
from tests.support.entry.certificates import Authority
from tests.support.entry.https_server import Received, Reply, https_server

PAGE: Final = ROOT / "docs" / "deploy.md"
_TIMEOUT_S: Final = 600
_OWN: Final = ("GROUNDWIRE_", "AWS_", "MAKE", "MFLAGS", "VIRTUAL_ENV", "COVERAGE", "PYTHON")


@dataclass
class Visitor:
    """A person with an account, in a clone of the repository.

    Attributes:
        variables: of each shell, beside the machine's own.
        printed: what each block printed, in the page's order.
    """

    clone: Path
    account: ministack.Account
    invocations: embedding.Invocations
    variables: dict[str, str]
    printed: list[str] = field(default_factory=list[str])
    deployment: Deployment | None = None

    def run(self, block: str) -> None:
        """Run the block unchanged; answer `y` to each of its questions."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=self.clone,
            env=inherited | self.variables,
            input="y\n",
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        self.printed.append(done.stdout)
        if "sam deploy" in block:
            self._adopt()

    def _adopt(self) -> None:
        made = adopted(self.account, "groundwire-dev")
        deployed = self.deployment = Deployment(self.account, made, self.invocations)
        self.invocations.stack = made
        self.invocations.others["SourcesFunction"] = partial(deployed.invoked, "SourcesFunction")
        self.invocations.others["ParserFunction"] = partial(deployed.answered, "ParserFunction")

    def forward(self, request: Received) -> Reply:
        """Answer as the deployed API does, which the emulator knows by the name of its host."""
        assert self.deployment is not None
        headers = {name: value for name, value in request.headers.items() if name not in {"host", "content-length"}}
        got = self.deployment.http.request(request.method, request.target, content=request.body, headers=headers)
        kept = {name: value for name, value in got.headers.items() if name not in _OF_THE_CONNECTION}
        return Reply(got.content, got.status_code, kept)


_OF_THE_CONNECTION: Final = {"content-length", "content-encoding", "transfer-encoding", "connection"}


@pytest.fixture(scope="module")
def visitor(opensearch_url: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[Visitor]:
    folder = tmp_path_factory.mktemp("visit")
    clone = folder / "groundwire"
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(ROOT), str(clone)], check=True)
    with ExitStack() as stack:
        try:
            invocations = stack.enter_context(embedding.serving(artifacts.build()["GroundwireLayer"]))
            account = stack.enter_context(ministack.running({"AWS_ENDPOINT_URL_LAMBDA": invocations.url}))
            programs = _programs(folder)
        except Absent as absent:
            answer(absent)
        authority = Authority(folder)
        variables = account.credentials | _trusting(authority, folder) | _building(folder) | {"PATH": programs}
        visiting = Visitor(clone, account, invocations, variables)
        context = authority.server_context(["127.0.0.1"])
        server = stack.enter_context(https_server(context, visiting.forward))
        _name_endpoints(clone, opensearch_url, f"https://127.0.0.1:{server.port}")
        yield visiting
        if visiting.deployment is not None:
            visiting.deployment.http.close()
        assert invocations.refused == []


def _programs(folder: Path) -> str:
    """Return a search path with SAM, whose environment has a Python that the page's commands must not meet."""
    place = folder / "bin"
    place.mkdir()
    (place / "sam").symlink_to(environment("sam") / "sam")
    (place / "python3").symlink_to(sys.executable)
    return f"{place}{os.pathsep}{os.environ['PATH']}"


def _trusting(authority: Authority, folder: Path) -> dict[str, str]:
    """Return the variables by which curl and Python trust the API's certificate."""
    bundle = folder / "trusted.pem"
    bundle.write_bytes(Path(authority.ca_file).read_bytes())
    return {"CURL_CA_BUNDLE": str(bundle), "SSL_CERT_FILE": str(bundle)}


def _building(folder: Path) -> dict[str, str]:
    """Return the variables by which the makefiles build for this machine, and by which SAM keeps to itself."""
    return {
        **artifacts.this_machine(),
        **INSTALLS_UNCOMPILED,
        "SAM_CLI_TELEMETRY": "0",
        "__SAM_CLI_APP_DIR": str(folder / "notes"),
    }


def _name_endpoints(clone: Path, index: str, url: str) -> None:
    settings = clone / "samconfig.toml"
    text = settings.read_text(encoding="utf-8")
    own = [f"OpenSearchUrl={index}", f"EmbeddingImageUri={IMAGE}", f"PublicUrl={url}"]
    assert text.count("parameter_overrides = [") == 1
    named = "".join(f'"{each}", ' for each in own)
    settings.write_text(text.replace("parameter_overrides = [", f"parameter_overrides = [{named}"), encoding="utf-8")


def test_the_blocks_of_the_page_lead_from_a_clone_to_the_first_answer(visitor: Visitor) -> None:
    page = blocks(PAGE)
    assert {block.language for block in page} == {"sh"}
    for block in page:
        visitor.run(block.text)
    [first] = [json.loads(visitor.printed[-1])]
    assert "27 days" in json.dumps(first["result"]), first
    assert (visitor.clone / "acme.key").stat().st_mode & 0o077 == 0


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= 80
