"""The login of an ordinary cluster is read from its secret when it is needed, and again when the cluster refuses it."""

import base64
import json
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Barrier, Thread
from typing import Any

import boto3
import pytest
from moto import mock_aws

from groundwire.adapters.opensearch import SERVICES, EngineClient, OpenSearchIndexes, connect
from groundwire.adapters.opensearch.connection.deadline import Deadline
from groundwire.adapters.opensearch.connection.login import SecretLogin
from groundwire.domain import errors
from groundwire.settings import environment
from groundwire.wiring.cloud.backends import cloud_backends

REGION = "eu-central-1"
OLD, NEW = "hunter2", "größer3"


def document(password: str) -> str:
    return json.dumps({"username": "ann", "password": password})


@dataclass
class Cluster:
    """Answers whoever shows this password, and nobody else."""

    password: str = OLD
    refuses_with: int = 401
    requested: list[str] = field(default_factory=list[str])
    url: str = ""

    def status(self, path: str, shown: str | None) -> int:
        self.requested.append(path)
        wanted = "Basic " + base64.b64encode(f"ann:{self.password}".encode()).decode()
        return 200 if shown == wanted else self.refuses_with


@dataclass
class Secret:
    """In Secrets Manager, which counts how often it is read."""

    client: Any
    arn: str
    reads: int = 0

    def get_secret_value(self, **named: str) -> Any:
        self.reads += 1
        return self.client.get_secret_value(**named)

    def becomes(self, text: str) -> None:
        self.client.put_secret_value(SecretId=self.arn, SecretString=text)


@pytest.fixture
def cluster() -> Generator[Cluster]:
    made = Cluster()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(made.status(self.path, self.headers["Authorization"]))
            body = b'{"items": [], "responses": []}'
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    made.url = f"http://127.0.0.1:{server.server_port}"
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> Generator[Secret]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws():
        client = boto3.client("secretsmanager", region_name=REGION)
        yield Secret(client, client.create_secret(Name="search", SecretString=document(OLD))["ARN"])


@pytest.fixture
def engine(cluster: Cluster, secret: Secret) -> Generator[EngineClient]:
    counted: Any = secret
    login = SecretLogin(lambda: counted, secret.arn)
    made = connect(cluster.url, SERVICES["opensearch"], collection=None, login=login)
    yield made
    made.close()


def search(engine: EngineClient) -> Any:
    return engine.request("POST", "/_msearch", {}, Deadline(5))


def test_nothing_is_read_before_the_first_request_and_then_once(engine: EngineClient, secret: Secret) -> None:
    assert secret.reads == 0
    for _ in range(3):
        search(engine)
    assert secret.reads == 1


@pytest.mark.parametrize("status", [401, 403])
def test_a_password_that_was_changed_is_found_without_a_deployment(
    engine: EngineClient, secret: Secret, cluster: Cluster, status: int
) -> None:
    search(engine)
    cluster.password, cluster.refuses_with = NEW, status
    secret.becomes(document(NEW))
    search(engine)
    engine.bulk("{}\n", refresh=False, deadline=Deadline(5))
    assert (secret.reads, len(cluster.requested)) == (2, 4)


def test_a_bulk_that_was_refused_for_its_login_is_sent_again(
    engine: EngineClient, secret: Secret, cluster: Cluster
) -> None:
    search(engine)
    cluster.password = NEW
    secret.becomes(document(NEW))
    assert engine.bulk("{}\n", refresh=False, deadline=Deadline(5)) == []


def test_a_login_that_the_cluster_refuses_and_the_secret_still_holds_is_not_shown_again(
    engine: EngineClient, secret: Secret, cluster: Cluster
) -> None:
    cluster.password = NEW
    with pytest.raises(errors.Unavailable, match="user and password"):
        search(engine)
    assert (secret.reads, len(cluster.requested)) == (2, 1)


def test_callers_who_are_refused_at_once_all_continue_with_the_new_password(
    engine: EngineClient, secret: Secret, cluster: Cluster
) -> None:
    search(engine)
    cluster.password = NEW
    secret.becomes(document(NEW))
    combined = Barrier(4)

    def one(_: int) -> Any:
        combined.wait()
        return search(engine)

    with ThreadPoolExecutor(4) as threads:
        assert len(list(threads.map(one, range(4)))) == 4
    assert secret.reads == 2


@pytest.mark.parametrize("text", ["no JSON", "[]", "{}", '{"username": "ann"}', '{"username": "", "password": "x"}'])
def test_a_malformed_login_is_reported_without_its_content(engine: EngineClient, secret: Secret, text: str) -> None:
    secret.becomes(text)
    with pytest.raises(errors.Unavailable, match='"username" and a "password"') as reported:
        search(engine)
    assert "ann" not in str(reported.value)


def test_a_secret_that_no_longer_exists_is_reported_as_that_and_not_as_a_cluster_that_is_down(
    engine: EngineClient, secret: Secret, cluster: Cluster
) -> None:
    secret.client.delete_secret(SecretId=secret.arn, ForceDeleteWithoutRecovery=True)
    with pytest.raises(errors.Unavailable, match="ResourceNotFoundException"):
        search(engine)
    assert cluster.requested == []


def test_a_deployed_function_uses_the_login_of_the_configured_secret(cluster: Cluster, secret: Secret) -> None:
    reported = {
        "GROUNDWIRE_INDEX": cluster.url,
        "GROUNDWIRE_INDEX_SECRET": secret.arn,
        "GROUNDWIRE_DOCUMENTS_TABLE": "documents",
    }
    backends = cloud_backends(environment.read_settings(reported), environment.deployment_settings(reported))
    indexes = backends.stores.indexes
    assert isinstance(indexes, OpenSearchIndexes)
    search(indexes._engine)
    assert cluster.requested == ["/_msearch"]
