"""A vector collection in front of the OpenSearch node of a stack, by the reading that it refuses chosen ids."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.refusals.calls.search import SEARCH_RULES, BulkWrite
from tests.support.aws.refusals.rule import Finding, Reading, findings
from tests.support.entry.certificates import Authority
from tests.support.entry.https_server import Received, Reply, https_server
from tests.support.opensearch.emulator import COLLECTION, NEXTGEN_WITHOUT_IDS, REGION
from tests.support.opensearch.emulator.server import opened
from tests.support.opensearch.signed_calls import SIGNED

_SERVICE: Final = "serverless-nextgen"
_HOST: Final = f"tests.aoss.{REGION}.on.aws"
_RESOLVER: Final = """\
import socket

ask = socket.getaddrinfo


def answer(host, *arguments, **named):
    return ask("127.0.0.1" if str(host) == "HOST" else host, *arguments, **named)


socket.getaddrinfo = answer
"""
"""Module `sitecustomize` of the functions: the name of the collection, which no resolver knows, is this machine's."""
_TIMEOUT_S: Final = 60


@dataclass(slots=True)
class Collection:
    """The gate of the collection, which the functions of a stack call.

    Attributes:
        target: address of the emulator behind.
        modules: folder of a module by which the functions find the gate.
        ca_file: certificate by which they trust it.
        port: of the gate.
        broken: what breaks the rules of searches, a bulk after the other; the emulator behind refuses it.
    """

    target: str
    modules: Path
    ca_file: Path
    port: int = 0
    broken: list[Finding] = field(default_factory=list[Finding])

    def serve(self, deployment: Deployment) -> None:
        """Give the functions of a stack the variables of one that makes its collection."""
        functions = deployment.account.functions
        own = {
            "GROUNDWIRE_INDEX": f"https://{_HOST}:{self.port}",
            "GROUNDWIRE_INDEX_SERVICE": _SERVICE,
            "GROUNDWIRE_INDEX_COLLECTION": COLLECTION,
            "PYTHONPATH": str(self.modules),
            "SSL_CERT_FILE": str(self.ca_file),
        }
        for name in (each.get("FunctionName", "") for each in functions.list_functions()["Functions"]):
            environment = functions.get_function_configuration(FunctionName=name).get("Environment", {})
            given = environment.get("Variables", {})
            if "GROUNDWIRE_INDEX_SERVICE" in given:
                functions.update_function_configuration(FunctionName=name, Environment={"Variables": given | own})

    def answer(self, request: Received) -> Reply:
        """Answer as the emulator does, to which requests of the stack's roles go as those of its one caller."""
        if urlsplit(request.target).path.endswith("/_bulk"):
            self.broken += findings(SEARCH_RULES, BulkWrite(request.body), Reading.REFUSED)
        headers = {"content-type": request.headers.get("content-type", "application/json")}
        # A request that is not signed for the service goes on without a signature, and is refused.
        if "/aoss/aws4_request" in request.headers.get("authorization", ""):
            headers |= SIGNED.sign(request.method, self.target + request.target, request.body)
        with closing(HTTPConnection(urlsplit(self.target).netloc, timeout=_TIMEOUT_S)) as connection:
            connection.request(request.method, request.target, request.body, headers)
            response = connection.getresponse()
            kind = response.headers.get("content-type", "")
            return Reply(response.read(), response.status, {"content-type": kind})


@contextmanager
def opened_collection(node_url: str) -> Generator[Collection]:
    """A collection that gives the ids itself, for as long as the block."""
    with TemporaryDirectory(prefix="groundwire-collection-") as made, opened(node_url, NEXTGEN_WITHOUT_IDS) as emulated:
        folder = Path(made)
        (folder / "sitecustomize.py").write_text(_RESOLVER.replace("HOST", _HOST), encoding="utf-8")
        authority = Authority(folder)
        collection = Collection(emulated.url, folder, authority.ca_file)
        with https_server(authority.server_context([_HOST]), collection.answer) as server:
            collection.port = server.port
            yield collection
